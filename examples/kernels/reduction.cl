// Sums up what each work group has, in local memory whose size the host sets.
kernel void reduce(global const uint *values, global uint *sums, local uint *scratch, uint count) {
  size_t item = get_local_id(0);
  uint sum = 0;
  for (size_t i = get_global_id(0); i < count; i += get_global_size(0)) sum += values[i];
  scratch[item] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (size_t step = get_local_size(0) / 2; step > 0; step /= 2) {
    if (item < step) scratch[item] += scratch[item + step];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (item == 0) sums[get_group_id(0)] = scratch[0];
}
