// A kernel that lacks a function: link_library.cl has it.
int twice(int value);

kernel void call_twice(global int *out, int value) {
  out[get_global_id(0)] = twice(value);
}
