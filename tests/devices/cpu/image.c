// Images and samplers: OpenCL's.
#include "cpu.h"
#include <stdlib.h>
#include <string.h>

struct format {
  ze_image_format_layout_t layout;
  cl_channel_order order;
  /** Bits of one channel, and how many channels there are. */
  unsigned bits, channels;
};

static const struct format FORMATS[] = {
  {ZE_IMAGE_FORMAT_LAYOUT_8, CL_R, 8, 1},
  {ZE_IMAGE_FORMAT_LAYOUT_16, CL_R, 16, 1},
  {ZE_IMAGE_FORMAT_LAYOUT_32, CL_R, 32, 1},
  {ZE_IMAGE_FORMAT_LAYOUT_8_8, CL_RG, 8, 2},
  {ZE_IMAGE_FORMAT_LAYOUT_16_16, CL_RG, 16, 2},
  {ZE_IMAGE_FORMAT_LAYOUT_32_32, CL_RG, 32, 2},
  {ZE_IMAGE_FORMAT_LAYOUT_8_8_8_8, CL_RGBA, 8, 4},
  {ZE_IMAGE_FORMAT_LAYOUT_16_16_16_16, CL_RGBA, 16, 4},
  {ZE_IMAGE_FORMAT_LAYOUT_32_32_32_32, CL_RGBA, 32, 4},
};

// OpenCL's type of a channel; 0 if there is none.
static cl_channel_type channel_type(ze_image_format_type_t type, unsigned bits) {
  unsigned at = bits == 8 ? 0 : bits == 16 ? 1 : 2;
  static const cl_channel_type types[][3] = {
    [ZE_IMAGE_FORMAT_TYPE_UINT] = {CL_UNSIGNED_INT8, CL_UNSIGNED_INT16, CL_UNSIGNED_INT32},
    [ZE_IMAGE_FORMAT_TYPE_SINT] = {CL_SIGNED_INT8, CL_SIGNED_INT16, CL_SIGNED_INT32},
    [ZE_IMAGE_FORMAT_TYPE_UNORM] = {CL_UNORM_INT8, CL_UNORM_INT16, 0},
    [ZE_IMAGE_FORMAT_TYPE_SNORM] = {CL_SNORM_INT8, CL_SNORM_INT16, 0},
    [ZE_IMAGE_FORMAT_TYPE_FLOAT] = {0, CL_HALF_FLOAT, CL_FLOAT},
  };
  return type < sizeof types / sizeof *types ? types[type][at] : 0;
}

static bool opencl_format(
    const ze_image_format_t *format, cl_image_format *result, size_t *pixel_size) {
  for (size_t i = 0; i < sizeof FORMATS / sizeof *FORMATS; i++) {
    if (FORMATS[i].layout != format->layout) continue;
    result->image_channel_order = FORMATS[i].order;
    result->image_channel_data_type = channel_type(format->type, FORMATS[i].bits);
    bool reversed = format->x == ZE_IMAGE_FORMAT_SWIZZLE_B;
    if (reversed && FORMATS[i].order == CL_RGBA) result->image_channel_order = CL_BGRA;
    *pixel_size = FORMATS[i].channels * FORMATS[i].bits / 8;
    return result->image_channel_data_type != 0 &&
        (format->x == ZE_IMAGE_FORMAT_SWIZZLE_R || result->image_channel_order == CL_BGRA);
  }
  return false;
}

// OpenCL's description; false if it has no such image.
static bool opencl_desc(const ze_image_desc_t *desc, cl_image_desc *result) {
  memset(result, 0, sizeof *result);
  result->image_width = desc->width;
  switch (desc->type) {
    case ZE_IMAGE_TYPE_1D: result->image_type = CL_MEM_OBJECT_IMAGE1D; return true;
    case ZE_IMAGE_TYPE_1DARRAY:
      result->image_type = CL_MEM_OBJECT_IMAGE1D_ARRAY;
      result->image_array_size = desc->arraylevels;
      return true;
    case ZE_IMAGE_TYPE_2D:
      result->image_type = CL_MEM_OBJECT_IMAGE2D;
      result->image_height = desc->height;
      return true;
    case ZE_IMAGE_TYPE_2DARRAY:
      result->image_type = CL_MEM_OBJECT_IMAGE2D_ARRAY;
      result->image_height = desc->height;
      result->image_array_size = desc->arraylevels;
      return true;
    case ZE_IMAGE_TYPE_3D:
      result->image_type = CL_MEM_OBJECT_IMAGE3D;
      result->image_height = desc->height;
      result->image_depth = desc->depth;
      return true;
    default: return false;
  }
}

ze_result_t zeImageGetProperties(
    ze_device_handle_t hDevice, const ze_image_desc_t *desc,
    ze_image_properties_t *pImageProperties) {
  ENTER();
  NEED_HANDLE(hDevice);
  NEED_POINTER(desc);
  NEED_POINTER(pImageProperties);
  NEED(desc->flags <= 0x3, INVALID_ENUMERATION);
  NEED(desc->type <= ZE_IMAGE_TYPE_BUFFER, INVALID_ENUMERATION);
  bool numbers = desc->format.type == ZE_IMAGE_FORMAT_TYPE_UINT ||
      desc->format.type == ZE_IMAGE_FORMAT_TYPE_SINT;
  pImageProperties->samplerFilterFlags = ZE_IMAGE_SAMPLER_FILTER_FLAG_POINT |
      (numbers ? 0 : ZE_IMAGE_SAMPLER_FILTER_FLAG_LINEAR);
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeImageCreate(
    ze_context_handle_t hContext, ze_device_handle_t hDevice, const ze_image_desc_t *desc,
    ze_image_handle_t *phImage) {
  ENTER();
  NEED_HANDLE(hContext);
  NEED_HANDLE(hDevice);
  NEED_POINTER(desc);
  NEED_POINTER(phImage);
  NEED(desc->flags <= 0x3, INVALID_ENUMERATION);
  NEED(desc->type <= ZE_IMAGE_TYPE_BUFFER, INVALID_ENUMERATION);
  // An extension says where an image's memory comes from, or what it is a view of.
  if (desc->pNext) return FAIL(UNSUPPORTED_FEATURE, "extensions of the image description");
  cl_image_format format;
  cl_image_desc opencl;
  size_t pixel_size = 0;
  NEED(opencl_format(&desc->format, &format, &pixel_size), UNSUPPORTED_IMAGE_FORMAT);
  if (!opencl_desc(desc, &opencl)) return FAIL(UNSUPPORTED_FEATURE, "images from buffers");
  cl_mem_flags flags =
      desc->flags & ZE_IMAGE_FLAG_KERNEL_WRITE ? CL_MEM_READ_WRITE : CL_MEM_READ_ONLY;
  cl_int status;
  cl_mem memory = clCreateImage(hDevice->opencl_context, flags, &format, &opencl, NULL, &status);
  if (status != CL_SUCCESS) return fail(__func__, result_of_opencl(status), "clCreateImage");
  ze_image_handle_t image = calloc(1, sizeof *image);
  if (!image) {
    clReleaseMemObject(memory);
    return FAIL(OUT_OF_HOST_MEMORY, "calloc");
  }
  image->context = hContext;
  image->memory = memory;
  image->desc = *desc;
  image->pixel_size = pixel_size;
  context_retain(hContext);
  *phImage = image;
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeImageDestroy(ze_image_handle_t hImage) {
  ENTER();
  NEED_HANDLE(hImage);
  clReleaseMemObject(hImage->memory);
  context_release(hImage->context);
  free(hImage);
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeSamplerCreate(
    ze_context_handle_t hContext, ze_device_handle_t hDevice, const ze_sampler_desc_t *desc,
    ze_sampler_handle_t *phSampler) {
  ENTER();
  NEED_HANDLE(hContext);
  NEED_HANDLE(hDevice);
  NEED_POINTER(desc);
  NEED_POINTER(phSampler);
  NEED(desc->addressMode <= ZE_SAMPLER_ADDRESS_MODE_MIRROR, INVALID_ENUMERATION);
  NEED(desc->filterMode <= ZE_SAMPLER_FILTER_MODE_LINEAR, INVALID_ENUMERATION);
  static const cl_addressing_mode addressing[] = {
    [ZE_SAMPLER_ADDRESS_MODE_NONE] = CL_ADDRESS_NONE,
    [ZE_SAMPLER_ADDRESS_MODE_REPEAT] = CL_ADDRESS_REPEAT,
    // Level Zero's CLAMP stops at the edge, and CLAMP_TO_BORDER gives the border's colour.
    [ZE_SAMPLER_ADDRESS_MODE_CLAMP] = CL_ADDRESS_CLAMP_TO_EDGE,
    [ZE_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER] = CL_ADDRESS_CLAMP,
    [ZE_SAMPLER_ADDRESS_MODE_MIRROR] = CL_ADDRESS_MIRRORED_REPEAT,
  };
  const cl_sampler_properties properties[] = {
    CL_SAMPLER_NORMALIZED_COORDS, desc->isNormalized ? CL_TRUE : CL_FALSE,
    CL_SAMPLER_ADDRESSING_MODE, addressing[desc->addressMode],
    CL_SAMPLER_FILTER_MODE,
    desc->filterMode == ZE_SAMPLER_FILTER_MODE_LINEAR ? CL_FILTER_LINEAR : CL_FILTER_NEAREST,
    0,
  };
  cl_int status;
  cl_sampler opencl =
      clCreateSamplerWithProperties(hDevice->opencl_context, properties, &status);
  if (status != CL_SUCCESS) return fail(__func__, result_of_opencl(status), "clCreateSampler");
  ze_sampler_handle_t sampler = calloc(1, sizeof *sampler);
  if (!sampler) {
    clReleaseSampler(opencl);
    return FAIL(OUT_OF_HOST_MEMORY, "calloc");
  }
  sampler->context = hContext;
  sampler->sampler = opencl;
  context_retain(hContext);
  *phSampler = sampler;
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeSamplerDestroy(ze_sampler_handle_t hSampler) {
  ENTER();
  NEED_HANDLE(hSampler);
  clReleaseSampler(hSampler->sampler);
  context_release(hSampler->context);
  free(hSampler);
  return ZE_RESULT_SUCCESS;
}
