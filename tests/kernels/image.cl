// Images and samplers.

kernel void image_read(read_only image2d_t image, sampler_t sampler, global float4 *out) {
  int2 at = (int2)(get_global_id(0), get_global_id(1));
  out[at.x + get_global_size(0) * at.y] = read_imagef(image, sampler, at);
}

kernel void image_write(write_only image2d_t image, float scale) {
  int2 at = (int2)(get_global_id(0), get_global_id(1));
  write_imagef(image, at, (float4)(at.x * scale, at.y * scale, 0.0f, 1.0f));
}
