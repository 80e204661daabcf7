#include "test.h"
void test_memory(void) {}
