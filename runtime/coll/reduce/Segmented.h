// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A reduction up any tree, in segments: the next operand is received while the last one is added.
#pragma once

#include "coll/tree/Tree.h"

namespace gnomon::coll::reduce {

/// The result is at the root of the tree, in args.recv if that is args.root, else in \p result.
/// \p segmentBytes 0: in one piece. Operands come from the children in their order and are taken to
/// be lower than what the rank has; an op that does not commute needs an in-order tree. Returns the
/// error class.
int segmented(const ReduceArgs &args, const Tree &tree, int64_t segmentBytes,
              void *result = nullptr);

/// What was asked for, else \p own.
inline int64_t segmentOf(const Call &call, int64_t own) {
  return call.segment >= 0 ? call.segment : own;
}

} // namespace gnomon::coll::reduce
