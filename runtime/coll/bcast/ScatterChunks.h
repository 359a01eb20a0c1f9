// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The first half of the scatter-allgather broadcasts: the root's bytes are cut into n equal chunks
/// (the last ones may be shorter or empty), and a binomial scatter, largest subtree first, leaves
/// chunk v with relative rank v.
#pragma once

#include "coll/Arguments.h"

#include <algorithm>

namespace gnomon::coll::bcast {

struct Chunks {
  int64_t total, each;

  /// Of whole units.
  Chunks(int64_t bytes, int n, int64_t unitBytes)
      : total(bytes), each((bytes / unitBytes + n - 1) / n * unitBytes) {}
  int64_t offset(int chunk) const { return std::min(total, chunk * each); }
  /// Bytes of \p count chunks from \p first on.
  int64_t bytes(int first, int count) const {
    return std::min(total, (int64_t{first} + count) * each) - offset(first);
  }
};

/// Returns the error class.
int scatterChunks(const BcastArgs &args, char *data, const Chunks &chunks);

} // namespace gnomon::coll::bcast
