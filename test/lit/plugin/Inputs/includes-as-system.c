/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * limits-switches.c, included as a system header. */
#include <limits-switches.c>
