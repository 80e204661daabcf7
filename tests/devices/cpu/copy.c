// Commands that copy and fill memory.
#include "cpu.h"
#include <string.h>

struct copy {
  unsigned char *destination;
  const unsigned char *source;
  size_t size;
};

static ze_result_t run_copy(struct command *command, struct executor *executor) {
  (void)executor;
  struct copy *copy = payload_of(command);
  memmove(copy->destination, copy->source, copy->size);
  return ZE_RESULT_SUCCESS;
}

static ze_result_t append_copy(
    const char *function, ze_command_list_handle_t list, void *destination, const void *source,
    size_t size, ze_event_handle_t signal, uint32_t wait_count, ze_event_handle_t *waits) {
  struct command *command;
  ze_result_t result = command_new(
      function, list, run_copy, sizeof(struct copy), signal, wait_count, waits, &command);
  if (result != ZE_RESULT_SUCCESS) return result;
  *(struct copy *)payload_of(command) =
      (struct copy){.destination = destination, .source = source, .size = size};
  return command_append(list, command);
}

ze_result_t zeCommandListAppendMemoryCopy(
    ze_command_list_handle_t hCommandList, void *dstptr, const void *srcptr, size_t size,
    ze_event_handle_t hSignalEvent, uint32_t numWaitEvents, ze_event_handle_t *phWaitEvents) {
  ENTER();
  NEED_HANDLE(hCommandList);
  NEED_POINTER(dstptr);
  NEED_POINTER(srcptr);
  return append_copy(
      __func__, hCommandList, dstptr, srcptr, size, hSignalEvent, numWaitEvents, phWaitEvents);
}

ze_result_t zeCommandListAppendMemoryCopyFromContext(
    ze_command_list_handle_t hCommandList, void *dstptr, ze_context_handle_t hContextSrc,
    const void *srcptr, size_t size, ze_event_handle_t hSignalEvent, uint32_t numWaitEvents,
    ze_event_handle_t *phWaitEvents) {
  ENTER();
  NEED_HANDLE(hCommandList);
  NEED_HANDLE(hContextSrc);
  NEED_POINTER(dstptr);
  NEED_POINTER(srcptr);
  return append_copy(
      __func__, hCommandList, dstptr, srcptr, size, hSignalEvent, numWaitEvents, phWaitEvents);
}

struct fill {
  unsigned char *destination;
  size_t size, pattern_size;
  unsigned char pattern[];
};

static ze_result_t run_fill(struct command *command, struct executor *executor) {
  (void)executor;
  struct fill *fill = payload_of(command);
  if (fill->pattern_size == 1) {
    memset(fill->destination, fill->pattern[0], fill->size);
    return ZE_RESULT_SUCCESS;
  }
  if (fill->size == 0) return ZE_RESULT_SUCCESS;
  // Doubles what is there already, up to what stays in the cache.
  memcpy(fill->destination, fill->pattern, fill->pattern_size);
  size_t done = fill->pattern_size;
  const size_t most = (1u << 16) / fill->pattern_size * fill->pattern_size;
  while (done < fill->size) {
    size_t step = done < most ? done : most;
    if (step > fill->size - done) step = fill->size - done;
    memcpy(fill->destination + done, fill->destination, step);
    done += step;
  }
  return ZE_RESULT_SUCCESS;
}

static ze_result_t append_fill(
    const char *function, ze_command_list_handle_t list, void *destination, const void *pattern,
    size_t pattern_size, size_t size, ze_event_handle_t signal, uint32_t wait_count,
    ze_event_handle_t *waits) {
  if (pattern_size == 0 || pattern_size > MAX_FILL_PATTERN || size % pattern_size != 0) {
    return fail(function, ZE_RESULT_ERROR_INVALID_SIZE, "the pattern's size");
  }
  struct command *command;
  ze_result_t result = command_new(
      function, list, run_fill, sizeof(struct fill) + pattern_size, signal, wait_count, waits,
      &command);
  if (result != ZE_RESULT_SUCCESS) return result;
  struct fill *fill = payload_of(command);
  fill->destination = destination;
  fill->size = size;
  fill->pattern_size = pattern_size;
  memcpy(fill->pattern, pattern, pattern_size);
  return command_append(list, command);
}

ze_result_t zeCommandListAppendMemoryFill(
    ze_command_list_handle_t hCommandList, void *ptr, const void *pattern, size_t pattern_size,
    size_t size, ze_event_handle_t hSignalEvent, uint32_t numWaitEvents,
    ze_event_handle_t *phWaitEvents) {
  ENTER();
  NEED_HANDLE(hCommandList);
  NEED_POINTER(ptr);
  NEED_POINTER(pattern);
  return append_fill(
      __func__, hCommandList, ptr, pattern, pattern_size, size, hSignalEvent, numWaitEvents,
      phWaitEvents);
}

#if ZE_API_VERSION_CURRENT_M >= ZE_MAKE_VERSION(1, 16)
ze_result_t zeCommandListAppendMemoryCopyWithParameters(
    ze_command_list_handle_t hCommandList, void *dstptr, const void *srcptr, size_t size,
    const void *pNext, ze_event_handle_t hSignalEvent, uint32_t numWaitEvents,
    ze_event_handle_t *phWaitEvents) {
  ENTER();
  NEED_HANDLE(hCommandList);
  NEED_POINTER(dstptr);
  NEED_POINTER(srcptr);
  NEED(!pNext, UNSUPPORTED_FEATURE);
  return append_copy(
      __func__, hCommandList, dstptr, srcptr, size, hSignalEvent, numWaitEvents, phWaitEvents);
}

ze_result_t zeCommandListAppendMemoryFillWithParameters(
    ze_command_list_handle_t hCommandList, void *ptr, const void *pattern, size_t pattern_size,
    size_t size, const void *pNext, ze_event_handle_t hSignalEvent, uint32_t numWaitEvents,
    ze_event_handle_t *phWaitEvents) {
  ENTER();
  NEED_HANDLE(hCommandList);
  NEED_POINTER(ptr);
  NEED_POINTER(pattern);
  NEED(!pNext, UNSUPPORTED_FEATURE);
  return append_fill(
      __func__, hCommandList, ptr, pattern, pattern_size, size, hSignalEvent, numWaitEvents,
      phWaitEvents);
}
#endif

// Where a region is in memory: the first byte, and from row to row and slice to slice.
struct box {
  unsigned char *start;
  size_t pitch, slice_pitch;
};
struct region_copy {
  struct box destination, source;
  size_t width, height, depth;
};

static struct box box_of(
    const void *base, const ze_copy_region_t *region, size_t pitch, size_t slice_pitch) {
  size_t height = region->height ? region->height : 1;
  if (pitch == 0) pitch = region->width;
  if (slice_pitch == 0) slice_pitch = pitch * height;
  return (struct box){
    .start = (unsigned char *)base + region->originX + region->originY * pitch +
        region->originZ * slice_pitch,
    .pitch = pitch,
    .slice_pitch = slice_pitch,
  };
}

static ze_result_t run_region(struct command *command, struct executor *executor) {
  (void)executor;
  struct region_copy *copy = payload_of(command);
  for (size_t z = 0; z < copy->depth; z++) {
    for (size_t y = 0; y < copy->height; y++) {
      memmove(
          copy->destination.start + z * copy->destination.slice_pitch +
              y * copy->destination.pitch,
          copy->source.start + z * copy->source.slice_pitch + y * copy->source.pitch,
          copy->width);
    }
  }
  return ZE_RESULT_SUCCESS;
}

static bool overlap(const struct region_copy *copy) {
  if (copy->width == 0 || copy->height == 0 || copy->depth == 0) return false;
  const struct box *a = &copy->destination, *b = &copy->source;
  size_t last_a = (copy->depth - 1) * a->slice_pitch + (copy->height - 1) * a->pitch;
  size_t last_b = (copy->depth - 1) * b->slice_pitch + (copy->height - 1) * b->pitch;
  if (a->start + last_a + copy->width <= b->start) return false;
  if (b->start + last_b + copy->width <= a->start) return false;
  // Columns beside each other in one image share an address range but no byte.
  if (a->pitch == b->pitch && a->slice_pitch == b->slice_pitch && a->pitch >= copy->width) {
    size_t shift = (size_t)(a->start > b->start ? a->start - b->start : b->start - a->start);
    size_t column = shift % a->pitch;
    if (column >= copy->width && a->pitch - column >= copy->width) return false;
  }
  return true;
}

ze_result_t zeCommandListAppendMemoryCopyRegion(
    ze_command_list_handle_t hCommandList, void *dstptr, const ze_copy_region_t *dstRegion,
    uint32_t dstPitch, uint32_t dstSlicePitch, const void *srcptr,
    const ze_copy_region_t *srcRegion, uint32_t srcPitch, uint32_t srcSlicePitch,
    ze_event_handle_t hSignalEvent, uint32_t numWaitEvents, ze_event_handle_t *phWaitEvents) {
  ENTER();
  NEED_HANDLE(hCommandList);
  NEED_POINTER(dstptr);
  NEED_POINTER(dstRegion);
  NEED_POINTER(srcptr);
  NEED_POINTER(srcRegion);
  NEED(dstRegion->width == srcRegion->width && dstRegion->height == srcRegion->height &&
           dstRegion->depth == srcRegion->depth,
       INVALID_SIZE);
  struct region_copy copy = {
    .destination = box_of(dstptr, dstRegion, dstPitch, dstSlicePitch),
    .source = box_of(srcptr, srcRegion, srcPitch, srcSlicePitch),
    .width = srcRegion->width,
    .height = srcRegion->height,
    // A depth of 0 means a region of two dimensions.
    .depth = srcRegion->depth ? srcRegion->depth : 1,
  };
  NEED(!overlap(&copy), OVERLAPPING_REGIONS);
  struct command *command;
  ze_result_t result = command_new(
      __func__, hCommandList, run_region, sizeof copy, hSignalEvent, numWaitEvents, phWaitEvents,
      &command);
  if (result != ZE_RESULT_SUCCESS) return result;
  memcpy(payload_of(command), &copy, sizeof copy);
  return command_append(hCommandList, command);
}
