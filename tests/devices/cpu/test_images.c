#include "test.h"
void test_images(void) {}
