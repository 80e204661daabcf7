#include "test.h"
void test_kernels(void) {}
