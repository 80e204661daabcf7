#include "test.h"
void test_events(void) {}
