/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The mpi.h of programs written for SMPI, which brings its macros with it.
 */
#pragma once

#include "smpi.h"
