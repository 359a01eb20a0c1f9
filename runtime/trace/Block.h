// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A block, decoded into flat arrays, and the walk through its loops. Peers are still relative, so
/// that ranks whose blocks are equal share one.
#pragma once

#include "trace/Schema.h"

#include <string_view>
#include <vector>

namespace gnomon::trace {

/// Items of a block in prefix order: a loop's body follows it.
struct Block {
  static constexpr uint32_t Loop = ~uint32_t{0};
  struct Step {
    uint32_t function;   ///< or Loop
    uint32_t at;         ///< the first value of a record; of a loop: its place in loops
    uint32_t length = 0; ///< of a record: values
  };
  struct Repeat {
    uint64_t count = 0;          ///< at least 1
    uint64_t records = 0;        ///< of one turn of its body; at least 1
    uint32_t begin = 0, end = 0; ///< steps of its body
  };
  std::vector<Step> steps;
  std::vector<Repeat> loops;
  std::vector<int64_t> values;
  uint64_t records = 0; ///< loops unrolled

  size_t memory() const;
};

/// Nodes (records and loops) that a block may have.
inline constexpr uint64_t MostNodes = uint64_t{1} << 20;

/// Decodes \p bytes; throws Damage.
Block decodeBlock(std::string_view bytes, const Schema &schema);

/// A place in a block's unrolled records.
class Walk {
public:
  void start(const Block &block);
  /// Passes so many records, or all that are left; returns how many are still to be passed.
  uint64_t skip(uint64_t records);
  /// The step of the next record; null at the end.
  const Block::Step *next() {
    for (;;) {
      if (at_ == end_) [[unlikely]] {
        if (!turn())
          return nullptr;
        continue;
      }
      const Block::Step &step = block_->steps[at_++];
      if (step.function != Block::Loop) [[likely]]
        return &step;
      const Block::Repeat &loop = block_->loops[step.at];
      enter(loop, loop.count);
    }
  }
  /// Which of the block's steps next() gave last.
  uint32_t last() const { return at_ - 1; }

private:
  struct Turn {
    const Block::Repeat *loop = nullptr;
    uint64_t left = 0; ///< turns, this one included
  };
  /// At the end of a body: back to its begin, or behind the loop. False at the end of all.
  bool turn() {
    if (!innermost_.loop)
      return false;
    if (--innermost_.left == 0)
      leave();
    else
      at_ = innermost_.loop->begin;
    return true;
  }
  void leave();
  void enter(const Block::Repeat &loop, uint64_t turns);

  const Block *block_ = nullptr;
  uint32_t at_ = 0, end_ = 0; ///< end of the innermost body, or of all steps
  Turn innermost_{};          ///< of the loop that at_ is in; no loop: of none
  std::vector<Turn> around_;  ///< of the loops around that one, outermost first
};

} // namespace gnomon::trace
