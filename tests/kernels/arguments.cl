// Arguments of each kind, told back as the kernel got them.

kernel void numbers(global double *out, char i8, short i16, int i32, long i64, uchar u8,
                    ushort u16, uint u32, ulong u64, float f32, double f64) {
  out[0] = i8;
  out[1] = i16;
  out[2] = i32;
  out[3] = i64;
  out[4] = u8;
  out[5] = u16;
  out[6] = u32;
  out[7] = u64;
  out[8] = f32;
  out[9] = f64;
}

kernel void vectors(global float *out, float4 four, int3 three, uchar2 two, ulong2 large) {
  vstore4(four, 0, out);
  vstore3(convert_float3(three), 0, out + 4);
  vstore2(convert_float2(two), 0, out + 7);
  vstore2(convert_float2(large), 0, out + 9);
}

kernel void two_locals(global int *out, local int *first, local int *second) {
  size_t l = get_local_id(0);
  first[l] = l;
  second[l] = 10 * l;
  barrier(CLK_LOCAL_MEM_FENCE);
  size_t other = get_local_size(0) - 1 - l;
  out[get_global_id(0)] = first[other] + second[other];
}
