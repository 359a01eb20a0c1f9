// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <stdlib.h>

int countOutside(void);

int countOutside(void) {
  const char *found = getenv("GNOMON_TEST_COUNT");
  return found ? atoi(found) : 0;
}
