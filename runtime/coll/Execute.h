// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// One collective operation from its arguments to its end: an operation without data ends at once
/// (as in Open MPI and MPICH), a total exchange in place works from a copy, and Selection runs an
/// algorithm.
#pragma once

#include "coll/Arguments.h"

namespace gnomon::coll {

/// Runs to completion on the present fiber; returns an MPI error class.
template <class Args> int execute(const Args &args);

/// Whether the operation moves nothing and synchronises nobody; all its ranks find the same.
template <class Args> bool endsAtOnce(const Args &args);

} // namespace gnomon::coll
