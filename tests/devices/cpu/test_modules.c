#include "test.h"
void test_modules(void) {}
