// Commands that copy images.
#include "cpu.h"
#include <string.h>

struct image_copy {
  cl_mem destination, source;
  void *destination_memory;
  const void *source_memory;
  size_t destination_origin[3], source_origin[3], size[3];
  size_t row_pitch, slice_pitch;
};

// The part of an image that is meant: a region of it, or all.
static void part_of(
    ze_image_handle_t image, const ze_image_region_t *region, size_t origin[3], size_t size[3]) {
  const ze_image_desc_t *desc = &image->desc;
  static const int dimensions[] = {
    [ZE_IMAGE_TYPE_1D] = 1, [ZE_IMAGE_TYPE_1DARRAY] = 2, [ZE_IMAGE_TYPE_2D] = 2,
    [ZE_IMAGE_TYPE_2DARRAY] = 3, [ZE_IMAGE_TYPE_3D] = 3, [ZE_IMAGE_TYPE_BUFFER] = 1,
  };
  ze_image_region_t part = {.width = (uint32_t)desc->width, .height = desc->height};
  part.depth = desc->type == ZE_IMAGE_TYPE_3D ? desc->depth : desc->arraylevels;
  if (desc->type == ZE_IMAGE_TYPE_1DARRAY) part.height = desc->arraylevels;
  if (region) part = *region;
  const uint32_t corner[3] = {part.originX, part.originY, part.originZ};
  const uint32_t extent[3] = {part.width, part.height, part.depth};
  // What is said of dimensions that the image has not, means nothing.
  for (int i = 0; i < 3; i++) {
    bool there = i < dimensions[desc->type];
    origin[i] = there ? corner[i] : 0;
    size[i] = there ? extent[i] : 1;
  }
}

static ze_result_t run_image_copy(struct command *command, struct executor *executor) {
  const struct image_copy *copy = (struct image_copy *)payload_of(command);
  cl_command_queue queue = executor_queue(executor);
  cl_int status;
  if (copy->destination_memory) {
    status = clEnqueueReadImage(
        queue, copy->source, CL_TRUE, copy->source_origin, copy->size, copy->row_pitch,
        copy->slice_pitch, copy->destination_memory, 0, NULL, NULL);
  } else if (copy->source_memory) {
    status = clEnqueueWriteImage(
        queue, copy->destination, CL_TRUE, copy->destination_origin, copy->size, copy->row_pitch,
        copy->slice_pitch, copy->source_memory, 0, NULL, NULL);
  } else {
    status = clEnqueueCopyImage(
        queue, copy->source, copy->destination, copy->source_origin, copy->destination_origin,
        copy->size, 0, NULL, NULL);
    if (status == CL_SUCCESS) status = clFinish(queue);
  }
  if (status != CL_SUCCESS) return fail(__func__, result_of_opencl(status), "an image copy");
  return ZE_RESULT_SUCCESS;
}

static ze_result_t append(
    const char *function, ze_command_list_handle_t list, const struct image_copy *copy,
    ze_event_handle_t signal, uint32_t wait_count, ze_event_handle_t *waits) {
  struct command *command;
  ze_result_t result = command_new(
      function, list, run_image_copy, sizeof *copy, signal, wait_count, waits, &command);
  if (result != ZE_RESULT_SUCCESS) return result;
  memcpy(payload_of(command), copy, sizeof *copy);
  return command_append(list, command);
}

static ze_result_t append_between(
    const char *function, ze_command_list_handle_t list, ze_image_handle_t destination,
    ze_image_handle_t source, const ze_image_region_t *destination_region,
    const ze_image_region_t *source_region, ze_event_handle_t signal, uint32_t wait_count,
    ze_event_handle_t *waits) {
  struct image_copy copy = {.destination = destination->memory, .source = source->memory};
  size_t destination_size[3];
  part_of(destination, destination_region, copy.destination_origin, destination_size);
  part_of(source, source_region, copy.source_origin, copy.size);
  if (memcmp(destination_size, copy.size, sizeof copy.size) != 0) {
    return fail(function, ZE_RESULT_ERROR_INVALID_SIZE, "the two parts differ in size");
  }
  if (destination == source) {
    bool apart = false;
    for (int i = 0; i < 3; i++) {
      apart |= copy.source_origin[i] + copy.size[i] <= copy.destination_origin[i] ||
          copy.destination_origin[i] + copy.size[i] <= copy.source_origin[i];
    }
    if (!apart) return fail(function, ZE_RESULT_ERROR_OVERLAPPING_REGIONS, "parts overlap");
  }
  return append(function, list, &copy, signal, wait_count, waits);
}

static ze_result_t append_to_memory(
    const char *function, ze_command_list_handle_t list, void *destination,
    ze_image_handle_t source, const ze_image_region_t *region, size_t row_pitch,
    size_t slice_pitch, ze_event_handle_t signal, uint32_t wait_count, ze_event_handle_t *waits) {
  struct image_copy copy = {
    .source = source->memory,
    .destination_memory = destination,
    .row_pitch = row_pitch,
    .slice_pitch = slice_pitch,
  };
  part_of(source, region, copy.source_origin, copy.size);
  return append(function, list, &copy, signal, wait_count, waits);
}

static ze_result_t append_from_memory(
    const char *function, ze_command_list_handle_t list, ze_image_handle_t destination,
    const void *source, const ze_image_region_t *region, size_t row_pitch, size_t slice_pitch,
    ze_event_handle_t signal, uint32_t wait_count, ze_event_handle_t *waits) {
  struct image_copy copy = {
    .destination = destination->memory,
    .source_memory = source,
    .row_pitch = row_pitch,
    .slice_pitch = slice_pitch,
  };
  part_of(destination, region, copy.destination_origin, copy.size);
  return append(function, list, &copy, signal, wait_count, waits);
}

ze_result_t zeCommandListAppendImageCopy(
    ze_command_list_handle_t hCommandList, ze_image_handle_t hDstImage,
    ze_image_handle_t hSrcImage, ze_event_handle_t hSignalEvent, uint32_t numWaitEvents,
    ze_event_handle_t *phWaitEvents) {
  ENTER();
  NEED_HANDLE(hCommandList);
  NEED_HANDLE(hDstImage);
  NEED_HANDLE(hSrcImage);
  return append_between(
      __func__, hCommandList, hDstImage, hSrcImage, NULL, NULL, hSignalEvent, numWaitEvents,
      phWaitEvents);
}

ze_result_t zeCommandListAppendImageCopyRegion(
    ze_command_list_handle_t hCommandList, ze_image_handle_t hDstImage,
    ze_image_handle_t hSrcImage, const ze_image_region_t *pDstRegion,
    const ze_image_region_t *pSrcRegion, ze_event_handle_t hSignalEvent, uint32_t numWaitEvents,
    ze_event_handle_t *phWaitEvents) {
  ENTER();
  NEED_HANDLE(hCommandList);
  NEED_HANDLE(hDstImage);
  NEED_HANDLE(hSrcImage);
  return append_between(
      __func__, hCommandList, hDstImage, hSrcImage, pDstRegion, pSrcRegion, hSignalEvent,
      numWaitEvents, phWaitEvents);
}

ze_result_t zeCommandListAppendImageCopyToMemory(
    ze_command_list_handle_t hCommandList, void *dstptr, ze_image_handle_t hSrcImage,
    const ze_image_region_t *pSrcRegion, ze_event_handle_t hSignalEvent, uint32_t numWaitEvents,
    ze_event_handle_t *phWaitEvents) {
  ENTER();
  NEED_HANDLE(hCommandList);
  NEED_HANDLE(hSrcImage);
  NEED_POINTER(dstptr);
  return append_to_memory(
      __func__, hCommandList, dstptr, hSrcImage, pSrcRegion, 0, 0, hSignalEvent, numWaitEvents,
      phWaitEvents);
}

ze_result_t zeCommandListAppendImageCopyFromMemory(
    ze_command_list_handle_t hCommandList, ze_image_handle_t hDstImage, const void *srcptr,
    const ze_image_region_t *pDstRegion, ze_event_handle_t hSignalEvent, uint32_t numWaitEvents,
    ze_event_handle_t *phWaitEvents) {
  ENTER();
  NEED_HANDLE(hCommandList);
  NEED_HANDLE(hDstImage);
  NEED_POINTER(srcptr);
  return append_from_memory(
      __func__, hCommandList, hDstImage, srcptr, pDstRegion, 0, 0, hSignalEvent, numWaitEvents,
      phWaitEvents);
}

ze_result_t zeCommandListAppendImageCopyToMemoryExt(
    ze_command_list_handle_t hCommandList, void *dstptr, ze_image_handle_t hSrcImage,
    const ze_image_region_t *pSrcRegion, uint32_t destRowPitch, uint32_t destSlicePitch,
    ze_event_handle_t hSignalEvent, uint32_t numWaitEvents, ze_event_handle_t *phWaitEvents) {
  ENTER();
  NEED_HANDLE(hCommandList);
  NEED_HANDLE(hSrcImage);
  NEED_POINTER(dstptr);
  return append_to_memory(
      __func__, hCommandList, dstptr, hSrcImage, pSrcRegion, destRowPitch, destSlicePitch,
      hSignalEvent, numWaitEvents, phWaitEvents);
}

ze_result_t zeCommandListAppendImageCopyFromMemoryExt(
    ze_command_list_handle_t hCommandList, ze_image_handle_t hDstImage, const void *srcptr,
    const ze_image_region_t *pDstRegion, uint32_t srcRowPitch, uint32_t srcSlicePitch,
    ze_event_handle_t hSignalEvent, uint32_t numWaitEvents, ze_event_handle_t *phWaitEvents) {
  ENTER();
  NEED_HANDLE(hCommandList);
  NEED_HANDLE(hDstImage);
  NEED_POINTER(srcptr);
  return append_from_memory(
      __func__, hCommandList, hDstImage, srcptr, pDstRegion, srcRowPitch, srcSlicePitch,
      hSignalEvent, numWaitEvents, phWaitEvents);
}
