// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Walks the records of one rank through pages, blocks and loops.
#pragma once

#include "trace/TraceFile.h"

#include <vector>

namespace gnomon::trace {

class FileCursor final : public Cursor {
public:
  /// At record \p first of \p rank, or at its end. Throws InputError where there is no such rank.
  FileCursor(const TraceFile &file, uint32_t rank, uint64_t first);
  FileCursor(const FileCursor &) = delete;
  FileCursor &operator=(const FileCursor &) = delete;
  bool next(Record &record) override;

  // For who prepares the records of a block once, for all ranks that share it.

  /// The step of the next record, in block(); null at the rank's end.
  const Block::Step *nextStep() {
    if (decoded_) [[likely]]
      if (const Block::Step *step = walk_.next()) [[likely]]
        return step;
    return stepOfNextBlock();
  }
  const std::shared_ptr<const Block> &block() const { return decoded_; }
  /// Which of the block's steps that is.
  uint32_t place() const { return walk_.last(); }
  /// The step itself, which was just passed.
  const Block::Step &step() const { return decoded_->steps[place()]; }
  /// Its record, as next() gives it.
  Record recordOf(const Block::Step &step);
  /// What makes relative peers absolute, modulo ranks().
  uint32_t shift() const { return shift_; }
  uint32_t ranks() const { return ranks_; }

private:
  const Block::Step *stepOfNextBlock();
  /// The next block that has more than \p skip records, which are passed. False: there is none.
  bool nextBlock(uint64_t &skip);
  /// The references that blocks_ walks through next. False: there are none.
  bool nextReferences(uint64_t &skip);

  // What is touched for each record fills a cache line, with the innermost loop of the walk.
  uint32_t shift_; ///< what makes its relative peers absolute
  const uint32_t ranks_;
  std::shared_ptr<const Block> decoded_;
  Walk walk_;
  // What is touched once for each block.
  const TraceFile &file_;
  uint32_t rank_;
  size_t page_ = 0, block_ = 0;
  std::vector<Reference> pageBlocks_;
  const std::vector<Reference> *blocks_ = nullptr; ///< of a page, or the index's last ones
  std::vector<int64_t> values_;                    ///< of a record with peers
};

} // namespace gnomon::trace
