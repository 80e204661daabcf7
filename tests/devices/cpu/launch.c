/*
 * Commands that run kernels. A command has its own copy of the arguments, as the kernel's may be
 * changed as soon as the launch is appended.
 */
#include "cpu.h"
#include <stdlib.h>
#include <string.h>

struct launch {
  ze_kernel_handle_t kernel;
  ze_group_count_t count;
  /** For an indirect launch: where the count is found when it runs. */
  const ze_group_count_t *count_buffer;
  uint32_t group_size[3], global_offset[3];
  struct argument *arguments;
  unsigned char *bytes;
};

static size_t launch_size(ze_kernel_handle_t kernel) {
  size_t arguments = kernel->info->argument_count * sizeof(struct argument);
  return sizeof(struct launch) + (arguments + 15) / 16 * 16 + kernel->bytes_size;
}

// Fills in a launch that `launch_size` bytes were reserved for.
static void launch_init(struct launch *launch, ze_kernel_handle_t kernel) {
  size_t arguments = kernel->info->argument_count * sizeof(struct argument);
  launch->kernel = kernel;
  launch->arguments = (struct argument *)(launch + 1);
  launch->bytes = (unsigned char *)(launch + 1) + (arguments + 15) / 16 * 16;
  memcpy(launch->group_size, kernel->group_size, sizeof launch->group_size);
  memcpy(launch->global_offset, kernel->global_offset, sizeof launch->global_offset);
  memcpy(launch->arguments, kernel->arguments, arguments);
  memcpy(launch->bytes, kernel->bytes, kernel->bytes_size);
  atomic_fetch_add(&kernel->references, 1);
}

static cl_int set_argument(const struct launch *launch, uint32_t index) {
  cl_kernel kernel = launch->kernel->opencl;
  const struct argument *argument = &launch->arguments[index];
  void *bytes = launch->bytes + argument->offset;
  switch (launch->kernel->info->arguments[index].kind) {
    case ARGUMENT_POINTER: {
      void *address;
      memcpy(&address, bytes, sizeof address);
      return launch->kernel->module->device->set_pointer(kernel, index, address);
    }
    case ARGUMENT_LOCAL: return clSetKernelArg(kernel, index, argument->size, NULL);
    case ARGUMENT_IMAGE: {
      ze_image_handle_t image;
      memcpy(&image, bytes, sizeof image);
      return clSetKernelArg(kernel, index, sizeof image->memory, &image->memory);
    }
    case ARGUMENT_SAMPLER: {
      ze_sampler_handle_t sampler;
      memcpy(&sampler, bytes, sizeof sampler);
      return clSetKernelArg(kernel, index, sizeof sampler->sampler, &sampler->sampler);
    }
    default: return clSetKernelArg(kernel, index, argument->size, bytes);
  }
}

static ze_result_t launch_run(const struct launch *launch, struct executor *executor) {
  ze_group_count_t count = launch->count;
  if (launch->count_buffer) memcpy(&count, launch->count_buffer, sizeof count);
  const uint32_t counts[3] = {count.groupCountX, count.groupCountY, count.groupCountZ};
  size_t offset[3], global[3], local[3];
  for (int i = 0; i < 3; i++) {
    // No groups, nothing to do; OpenCL calls it an error.
    if (counts[i] == 0) return ZE_RESULT_SUCCESS;
    offset[i] = launch->global_offset[i];
    local[i] = launch->group_size[i];
    global[i] = local[i] * counts[i];
  }
  ze_kernel_handle_t kernel = launch->kernel;
  cl_command_queue queue = executor_queue(executor);
  cl_event event = NULL;
  cl_int status = CL_SUCCESS;
  // PoCL copies the arguments when it takes the launch; until then nobody else may set them.
  pthread_mutex_lock(&kernel->mutex);
  for (uint32_t i = 0; i < kernel->info->argument_count && status == CL_SUCCESS; i++) {
    status = set_argument(launch, i);
  }
  if (status == CL_SUCCESS) {
    status = clEnqueueNDRangeKernel(
        queue, kernel->opencl, 3, offset, global, local, 0, NULL, &event);
  }
  pthread_mutex_unlock(&kernel->mutex);
  if (status != CL_SUCCESS) return fail(__func__, result_of_opencl(status), "the launch");
  status = clWaitForEvents(1, &event);
  if (status != CL_SUCCESS) {
    // Says only that something went wrong; the event says what.
    clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL);
  }
  clReleaseEvent(event);
  if (status != CL_SUCCESS) return fail(__func__, result_of_opencl(status), "the kernel");
  return ZE_RESULT_SUCCESS;
}

static ze_result_t run_launch(struct command *command, struct executor *executor) {
  return launch_run((struct launch *)payload_of(command), executor);
}

static void release_launch(struct command *command) {
  kernel_release(((struct launch *)payload_of(command))->kernel);
}

// "May only be called for a list of a queue group that supports compute."
static ze_result_t launch_check(
    const char *function, ze_command_list_handle_t list, ze_kernel_handle_t kernel) {
  if (list->queue_desc.ordinal == COPY_ORDINAL) {
    return fail(function, ZE_RESULT_ERROR_INVALID_ARGUMENT, "the list's queue group only copies");
  }
  for (uint32_t i = 0; i < kernel->info->argument_count; i++) {
    if (!kernel->arguments[i].set) {
      return fail(function, ZE_RESULT_ERROR_INVALID_ARGUMENT, "an argument was never set");
    }
  }
  return ZE_RESULT_SUCCESS;
}

static ze_result_t append_launch(
    const char *function, ze_command_list_handle_t list, ze_kernel_handle_t kernel,
    const ze_group_count_t *count, bool indirect, ze_event_handle_t signal, uint32_t wait_count,
    ze_event_handle_t *waits) {
  ze_result_t result = launch_check(function, list, kernel);
  if (result != ZE_RESULT_SUCCESS) return result;
  struct command *command;
  result = command_new(
      function, list, run_launch, launch_size(kernel), signal, wait_count, waits, &command);
  if (result != ZE_RESULT_SUCCESS) return result;
  command->release = release_launch;
  struct launch *launch = (struct launch *)payload_of(command);
  launch_init(launch, kernel);
  if (indirect) {
    launch->count_buffer = count;
  } else {
    launch->count = *count;
  }
  return command_append(list, command);
}

ze_result_t zeCommandListAppendLaunchKernel(
    ze_command_list_handle_t hCommandList, ze_kernel_handle_t hKernel,
    const ze_group_count_t *pLaunchFuncArgs, ze_event_handle_t hSignalEvent,
    uint32_t numWaitEvents, ze_event_handle_t *phWaitEvents) {
  ENTER();
  NEED_HANDLE(hCommandList);
  NEED_HANDLE(hKernel);
  NEED_POINTER(pLaunchFuncArgs);
  return append_launch(
      __func__, hCommandList, hKernel, pLaunchFuncArgs, false, hSignalEvent, numWaitEvents,
      phWaitEvents);
}

// The groups of a cooperative launch may wait for each other; PoCL runs one after another.
static ze_result_t cooperation_check(const char *function, const ze_group_count_t *count) {
  uint64_t groups = (uint64_t)count->groupCountX * count->groupCountY;
  if (groups > 1 || (groups == 1 && count->groupCountZ > 1)) {
    return fail(function, ZE_RESULT_ERROR_UNSUPPORTED_FEATURE,
                "cooperation between groups, which run one after another");
  }
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeCommandListAppendLaunchCooperativeKernel(
    ze_command_list_handle_t hCommandList, ze_kernel_handle_t hKernel,
    const ze_group_count_t *pLaunchFuncArgs, ze_event_handle_t hSignalEvent,
    uint32_t numWaitEvents, ze_event_handle_t *phWaitEvents) {
  ENTER();
  NEED_HANDLE(hCommandList);
  NEED_HANDLE(hKernel);
  NEED_POINTER(pLaunchFuncArgs);
  ze_result_t result = cooperation_check(__func__, pLaunchFuncArgs);
  if (result != ZE_RESULT_SUCCESS) return result;
  return append_launch(
      __func__, hCommandList, hKernel, pLaunchFuncArgs, false, hSignalEvent, numWaitEvents,
      phWaitEvents);
}

ze_result_t zeCommandListAppendLaunchKernelIndirect(
    ze_command_list_handle_t hCommandList, ze_kernel_handle_t hKernel,
    const ze_group_count_t *pLaunchArgumentsBuffer, ze_event_handle_t hSignalEvent,
    uint32_t numWaitEvents, ze_event_handle_t *phWaitEvents) {
  ENTER();
  NEED_HANDLE(hCommandList);
  NEED_HANDLE(hKernel);
  NEED_POINTER(pLaunchArgumentsBuffer);
  return append_launch(
      __func__, hCommandList, hKernel, pLaunchArgumentsBuffer, true, hSignalEvent, numWaitEvents,
      phWaitEvents);
}

struct multiple {
  const uint32_t *count_buffer;
  uint32_t launch_count;
  struct launch *launches[];
};

static ze_result_t run_multiple(struct command *command, struct executor *executor) {
  struct multiple *multiple = (struct multiple *)payload_of(command);
  uint32_t count;
  memcpy(&count, multiple->count_buffer, sizeof count);
  if (count > multiple->launch_count) count = multiple->launch_count;
  ze_result_t first_error = ZE_RESULT_SUCCESS;
  for (uint32_t i = 0; i < count; i++) {
    ze_result_t result = launch_run(multiple->launches[i], executor);
    if (first_error == ZE_RESULT_SUCCESS) first_error = result;
  }
  return first_error;
}

static void release_multiple(struct command *command) {
  struct multiple *multiple = (struct multiple *)payload_of(command);
  for (uint32_t i = 0; i < multiple->launch_count; i++) {
    kernel_release(multiple->launches[i]->kernel);
    free(multiple->launches[i]);
  }
}

ze_result_t zeCommandListAppendLaunchMultipleKernelsIndirect(
    ze_command_list_handle_t hCommandList, uint32_t numKernels, ze_kernel_handle_t *phKernels,
    const uint32_t *pCountBuffer, const ze_group_count_t *pLaunchArgumentsBuffer,
    ze_event_handle_t hSignalEvent, uint32_t numWaitEvents, ze_event_handle_t *phWaitEvents) {
  ENTER();
  NEED_HANDLE(hCommandList);
  NEED_POINTER(phKernels);
  NEED_POINTER(pCountBuffer);
  NEED_POINTER(pLaunchArgumentsBuffer);
  for (uint32_t i = 0; i < numKernels; i++) {
    NEED_HANDLE(phKernels[i]);
    ze_result_t result = launch_check(__func__, hCommandList, phKernels[i]);
    if (result != ZE_RESULT_SUCCESS) return result;
  }
  struct command *command;
  ze_result_t result = command_new(
      __func__, hCommandList, run_multiple,
      sizeof(struct multiple) + numKernels * sizeof(struct launch *), hSignalEvent, numWaitEvents,
      phWaitEvents, &command);
  if (result != ZE_RESULT_SUCCESS) return result;
  command->release = release_multiple;
  struct multiple *multiple = (struct multiple *)payload_of(command);
  multiple->count_buffer = pCountBuffer;
  for (uint32_t i = 0; i < numKernels; i++) {
    struct launch *launch = calloc(1, launch_size(phKernels[i]));
    if (!launch) {
      commands_free(command);
      return FAIL(OUT_OF_HOST_MEMORY, "calloc");
    }
    launch_init(launch, phKernels[i]);
    launch->count_buffer = pLaunchArgumentsBuffer + i;
    multiple->launches[multiple->launch_count++] = launch;
  }
  return command_append(hCommandList, command);
}

#if ZE_API_VERSION_CURRENT_M >= ZE_MAKE_VERSION(1, 14)
// The one extension of a launch that is known: whether it is cooperative.
static ze_result_t extensions_check(
    const char *function, const void *next, const ze_group_count_t *count) {
  for (const ze_base_desc_t *link = next; link; link = link->pNext) {
    if (link->stype != ZE_STRUCTURE_TYPE_COMMAND_LIST_APPEND_PARAM_COOPERATIVE_DESC) {
      return fail(function, ZE_RESULT_ERROR_UNSUPPORTED_FEATURE, "an unknown extension");
    }
    const ze_command_list_append_launch_kernel_param_cooperative_desc_t *cooperative =
        (const void *)link;
    ze_result_t result = ZE_RESULT_SUCCESS;
    if (cooperative->isCooperative) result = cooperation_check(function, count);
    if (result != ZE_RESULT_SUCCESS) return result;
  }
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeCommandListAppendLaunchKernelWithParameters(
    ze_command_list_handle_t hCommandList, ze_kernel_handle_t hKernel,
    const ze_group_count_t *pGroupCounts, const void *pNext, ze_event_handle_t hSignalEvent,
    uint32_t numWaitEvents, ze_event_handle_t *phWaitEvents) {
  ENTER();
  NEED_HANDLE(hCommandList);
  NEED_HANDLE(hKernel);
  NEED_POINTER(pGroupCounts);
  ze_result_t result = extensions_check(__func__, pNext, pGroupCounts);
  if (result != ZE_RESULT_SUCCESS) return result;
  return append_launch(
      __func__, hCommandList, hKernel, pGroupCounts, false, hSignalEvent, numWaitEvents,
      phWaitEvents);
}

// Sizes come from the kernel; what has none (local memory) is given by a pointer to its size.
ze_result_t zeCommandListAppendLaunchKernelWithArguments(
    ze_command_list_handle_t hCommandList, ze_kernel_handle_t hKernel,
    const ze_group_count_t groupCounts, const ze_group_size_t groupSizes, void **pArguments,
    const void *pNext, ze_event_handle_t hSignalEvent, uint32_t numWaitEvents,
    ze_event_handle_t *phWaitEvents) {
  ENTER();
  NEED_HANDLE(hCommandList);
  NEED_HANDLE(hKernel);
  const struct spirv_kernel *info = hKernel->info;
  NEED(pArguments || info->argument_count == 0, INVALID_ARGUMENT);
  ze_result_t result = extensions_check(__func__, pNext, &groupCounts);
  if (result != ZE_RESULT_SUCCESS) return result;
  result = kernel_set_group_size(
      __func__, hKernel, groupSizes.groupSizeX, groupSizes.groupSizeY, groupSizes.groupSizeZ);
  for (uint32_t i = 0; i < info->argument_count && result == ZE_RESULT_SUCCESS; i++) {
    size_t size = info->arguments[i].size;
    const void *value = pArguments[i];
    if (info->arguments[i].kind == ARGUMENT_LOCAL) {
      NEED(value, INVALID_ARGUMENT);
      memcpy(&size, value, sizeof size);
      value = NULL;
    }
    NEED(size > 0, INVALID_ARGUMENT);
    result = kernel_set_argument(__func__, hKernel, i, size, value);
  }
  if (result != ZE_RESULT_SUCCESS) return result;
  return append_launch(
      __func__, hCommandList, hKernel, &groupCounts, false, hSignalEvent, numWaitEvents,
      phWaitEvents);
}
#endif
