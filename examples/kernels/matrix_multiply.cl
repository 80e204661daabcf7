// c = a * b for square matrices whose size is a multiple of TILE. A work group computes a tile of
// c, and reads the tiles of a and b that it needs into local memory once for all its work items.
#define TILE 16

__attribute__((reqd_work_group_size(TILE, TILE, 1)))
kernel void matrix_multiply(global const float *a, global const float *b, global float *c,
                            uint size) {
  local float tile_a[TILE][TILE];
  local float tile_b[TILE][TILE];
  uint x = get_local_id(0), y = get_local_id(1);
  uint column = get_global_id(0), row = get_global_id(1);
  float sum = 0;
  for (uint k = 0; k < size; k += TILE) {
    tile_a[y][x] = a[row * size + k + x];
    tile_b[y][x] = b[(k + y) * size + column];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = 0; i < TILE; i++) sum += tile_a[y][i] * tile_b[i][x];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  c[row * size + column] = sum;
}
