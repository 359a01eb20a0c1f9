/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Intent: types and constants have the sizes and values of the MPI 5.0 standard ABI (chapter 20),
 * at least one of every group of constants.txt. Compiled, never run. */
#include "mpi.h"

#include <stddef.h>
#include <stdint.h>

#define IS(NAME, VALUE) _Static_assert((NAME) == (VALUE), #NAME)
/* clang folds the conversion of a handle to its number. */
#define HANDLE(NAME, VALUE) _Static_assert((intptr_t)(NAME) == (VALUE), #NAME)
