// What other modules are linked with, and a global variable.
global int table[4] = {1, 2, 3, 4};

int twice(int value) {
  return 2 * value + table[0];
}

kernel void read_table(global int *out) {
  size_t i = get_global_id(0);
  out[i] = table[i];
}
