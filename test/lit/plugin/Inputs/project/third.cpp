// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "project.h"

extern "C" int counter;
extern int elsewhere;
int &shared();
