#include "test.h"
void test_threads(void) {}
