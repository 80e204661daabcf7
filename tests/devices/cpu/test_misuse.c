#include "test.h"
void test_misuse(void) {}
