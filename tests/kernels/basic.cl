// Kernels whose results a test can compute by itself.

// A scalar by value, and more of them than one size.
kernel void scale(global float *data, float factor, uchar bias, ulong offset) {
  size_t i = get_global_id(0);
  data[i] = data[i] * factor + bias + offset;
}

struct quad {
  int x;
  double y;
  char z;
  short w;
};

// A struct by value, with padding in it.
kernel void add_quad(global double *out, struct quad q) {
  out[get_global_id(0)] += q.x + q.y + q.z + q.w;
}

// Local memory whose size the host sets.
kernel void group_sum(global const int *in, global int *sums, local int *scratch) {
  size_t l = get_local_id(0);
  scratch[l] = in[get_global_id(0)];
  for (size_t step = get_local_size(0) / 2; step > 0; step /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < step) scratch[l] += scratch[l + step];
  }
  if (l == 0) sums[get_group_id(0)] = scratch[0];
}

// Says whether its second pointer is null.
kernel void is_null(global int *out, global const int *maybe) {
  out[get_global_id(0)] = maybe == 0;
}

kernel void fill(global uint *out, uint value) {
  out[get_global_id(0)] = value;
}

// Where each work-item is, in three dimensions.
kernel void identify(global uint *out) {
  size_t width = get_global_size(0), height = get_global_size(1);
  size_t at = get_global_id(0) + width * (get_global_id(1) + height * get_global_id(2));
  out[at] = get_group_id(0) + 100 * get_group_id(1) + 10000 * get_group_id(2);
}

__attribute__((reqd_work_group_size(4, 2, 1)))
kernel void fixed_group(global uint *out) {
  out[get_global_id(0) + get_global_size(0) * get_global_id(1)] =
      get_local_size(0) * 10 + get_local_size(1);
}

kernel void empty(void) {}

// Keeps a core busy: about a second per 500 million rounds.
kernel void spin(global uint *out, ulong rounds) {
  uint x = get_global_id(0) + 1;
  for (ulong i = 0; i < rounds; i++) {
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
  }
  out[get_global_id(0)] = x;
}

// Follows a pointer that it finds in memory.
kernel void follow(global ulong *address, int value) {
  *(global int *)*address = value;
}
