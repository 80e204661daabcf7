#include "test.h"
void test_speed(void) {}
