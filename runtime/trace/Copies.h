// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Finds nodes of a window that stood before in the same block, so that a block has them once
/// (docs/trace-format.md, "Blocks"): what loops cannot fold, as something else lies between.
///
/// As LZ77 (Ziv and Lempel 1977) does it for bytes: a table has, for each four nodes in a row, where
/// they were last; from there on nodes are compared. The table goes by what nodes are, never by their
/// numbers in the pool, so that equal windows have equal copies. A node takes O(1); one that is copied
/// takes a comparison.
#pragma once

#include "trace/Window.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace gnomon::trace {

class Copies {
public:
  /// Nodes that a copy has at least: fewer take more bytes as a copy than as records.
  static constexpr uint32_t Least = 8;

  /// So many nodes that stood \p distance nodes before; 0: none.
  struct Copy {
    uint32_t distance = 0, nodes = 0;
  };

  explicit Copies(const RecordPool &pool) : pool_(pool) {}

  /// A block of the nodes from \p begin on, but those from \p end on, begins.
  void start(const Window &window, uint32_t begin, uint32_t end);
  /// Of the node \p at, and those behind it up to \p end, the end of the innermost body. To be asked
  /// for all nodes that are not copied, in their order.
  Copy find(uint32_t at, uint32_t end);

private:
  static constexpr uint32_t Together = 4;
  static constexpr unsigned RowBits = 12;

  uint32_t equalNodes(uint32_t like, uint32_t at, uint32_t end) const;

  const RecordPool &pool_;
  const Window *window_ = nullptr;
  uint32_t begin_ = 0;
  std::vector<uint64_t> hashes_; ///< of the nodes from begin_ on
  std::vector<uint64_t> rows_ = std::vector<uint64_t>(size_t{1} << RowBits); ///< nodes, plus base_
  uint64_t base_ = 0, nextBase_ = 1; ///< smaller numbers are of earlier blocks
};

} // namespace gnomon::trace
