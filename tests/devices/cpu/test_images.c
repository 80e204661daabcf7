// Images and samplers.
#include "test.h"

static ze_image_handle_t make_image(uint32_t width, uint32_t height) {
  ze_image_desc_t desc = {
    .stype = ZE_STRUCTURE_TYPE_IMAGE_DESC,
    .flags = ZE_IMAGE_FLAG_KERNEL_WRITE,
    .type = ZE_IMAGE_TYPE_2D,
    .format = {.layout = ZE_IMAGE_FORMAT_LAYOUT_32_32_32_32, .type = ZE_IMAGE_FORMAT_TYPE_FLOAT,
               .x = ZE_IMAGE_FORMAT_SWIZZLE_R, .y = ZE_IMAGE_FORMAT_SWIZZLE_G,
               .z = ZE_IMAGE_FORMAT_SWIZZLE_B, .w = ZE_IMAGE_FORMAT_SWIZZLE_A},
    .width = width,
    .height = height,
    .depth = 1,
  };
  ze_image_properties_t properties = {.stype = ZE_STRUCTURE_TYPE_IMAGE_PROPERTIES};
  OK(zeImageGetProperties(device, &desc, &properties));
  CHECK(properties.samplerFilterFlags & ZE_IMAGE_SAMPLER_FILTER_FLAG_POINT);
  ze_image_handle_t image = NULL;
  OK(zeImageCreate(context, device, &desc, &image));
  desc.format.layout = ZE_IMAGE_FORMAT_LAYOUT_NV12;
  ze_image_handle_t none = NULL;
  ERROR(zeImageCreate(context, device, &desc, &none), UNSUPPORTED_IMAGE_FORMAT);
  CHECK(none == NULL);
  return image;
}

static void test_copies(ze_command_list_handle_t list) {
  ze_image_handle_t first = make_image(8, 4), second = make_image(8, 4);
  float *in = shared_memory(8 * 4 * 16), *out = shared_memory(8 * 4 * 16);
  for (int i = 0; i < 8 * 4 * 4; i++) in[i] = (float)i;
  OK(zeCommandListAppendImageCopyFromMemory(list, first, in, NULL, NULL, 0, NULL));
  OK(zeCommandListAppendImageCopy(list, second, first, NULL, 0, NULL));
  OK(zeCommandListAppendImageCopyToMemory(list, out, second, NULL, NULL, 0, NULL));
  CHECK(memcmp(in, out, 8 * 4 * 16) == 0);
  ze_image_region_t from = {2, 1, 0, 3, 2, 1}, to = {0, 0, 0, 3, 2, 1};
  OK(zeCommandListAppendImageCopyRegion(list, second, first, &to, &from, NULL, 0, NULL));
  OK(zeCommandListAppendImageCopyToMemory(list, out, second, &to, NULL, 0, NULL));
  CHECK(out[0] == in[4 * (2 + 8)] && out[4 * 3] == in[4 * (2 + 16)]);
  OK(zeCommandListAppendImageCopyToMemoryExt(list, out, first, &from, 64, 0, NULL, 0, NULL));
  CHECK(out[16] == in[4 * (2 + 16)]);
  // A flat image has no depth: what a region says of it means nothing.
  ze_image_region_t deep = {2, 1, 1, 3, 2, 0};
  memset(out, 0, 8 * 4 * 16);
  OK(zeCommandListAppendImageCopyToMemory(list, out, first, &deep, NULL, 0, NULL));
  CHECK(out[0] == in[4 * (2 + 8)] && out[4 * 3] == in[4 * (2 + 16)]);
  to.width = 2;
  ERROR(zeCommandListAppendImageCopyRegion(list, second, first, &to, &from, NULL, 0, NULL),
        INVALID_SIZE);
  OK(zeContextMakeImageResident(context, device, first));
  OK(zeImageDestroy(first));
  OK(zeImageDestroy(second));
  OK(zeMemFree(context, in));
  OK(zeMemFree(context, out));
}

static void test_kernels_on_images(ze_command_list_handle_t list) {
  ze_module_handle_t module = load_module("image.spv");
  ze_image_handle_t image = make_image(8, 4);
  ze_sampler_desc_t desc = {
    .stype = ZE_STRUCTURE_TYPE_SAMPLER_DESC,
    .addressMode = ZE_SAMPLER_ADDRESS_MODE_CLAMP,
    .filterMode = ZE_SAMPLER_FILTER_MODE_NEAREST,
  };
  ze_sampler_handle_t sampler = NULL;
  OK(zeSamplerCreate(context, device, &desc, &sampler));
  float *out = shared_memory(8 * 4 * 16), scale = 0.5f;
  ze_kernel_handle_t write = make_kernel(module, "image_write");
  OK(zeKernelSetArgumentValue(write, 0, sizeof image, &image));
  OK(zeKernelSetArgumentValue(write, 1, sizeof scale, &scale));
  ERROR(zeKernelSetArgumentValue(write, 0, sizeof image, NULL), INVALID_ARGUMENT);
  ze_group_count_t count = {8, 4, 1};
  OK(zeCommandListAppendLaunchKernel(list, write, &count, NULL, 0, NULL));
  ze_kernel_handle_t read = make_kernel(module, "image_read");
  OK(zeKernelSetArgumentValue(read, 0, sizeof image, &image));
  OK(zeKernelSetArgumentValue(read, 1, sizeof sampler, &sampler));
  OK(zeKernelSetArgumentValue(read, 2, sizeof out, &out));
  OK(zeCommandListAppendLaunchKernel(list, read, &count, NULL, 0, NULL));
  CHECK(out[4 * (7 + 8 * 3)] == 3.5f && out[4 * (7 + 8 * 3) + 1] == 1.5f && out[3] == 1.0f);
  OK(zeKernelDestroy(read));
  OK(zeKernelDestroy(write));
  OK(zeSamplerDestroy(sampler));
  OK(zeImageDestroy(image));
  OK(zeModuleDestroy(module));
  OK(zeMemFree(context, out));
}

void test_images(void) {
  ze_command_list_handle_t list = immediate_list(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
  test_copies(list);
  test_kernels_on_images(list);
  OK(zeCommandListDestroy(list));
}
