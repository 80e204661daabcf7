#include "test.h"
void test_commands(void) {}
