// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: the native object of native_caller.c.
#include "../../ring.h"

int countItems(int step, int rank);
void sendSome(int step, int rank);

void sendSome(int step, int rank) { sendAround(countItems(step, rank)); }
