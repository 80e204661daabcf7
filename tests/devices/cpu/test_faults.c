#include "test.h"
void test_faults(const char *which) { (void)which; }
