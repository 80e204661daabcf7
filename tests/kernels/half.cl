// A half by value, for devices that have them.
#pragma OPENCL EXTENSION cl_khr_fp16 : enable

kernel void halves(global float *out, half value, half2 pair) {
  out[0] = value;
  out[1] = pair.x + pair.y;
}
