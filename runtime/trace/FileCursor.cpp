// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "trace/FileCursor.h"

#include <algorithm>

namespace gnomon::trace {

FileCursor::FileCursor(const TraceFile &file, uint32_t rank, uint64_t first)
    : shift_(file.worldRanks_ > 0 ? rank % file.worldRanks_ : 0), ranks_(file.worldRanks_),
      file_(file), rank_(rank) {
  file.checkRank(rank);
  if (first > 0 && nextBlock(first))
    walk_.skip(first);
}

bool FileCursor::nextReferences(uint64_t &skip) {
  const RankIndex &index = file_.index_[rank_];
  while (page_ < index.pages.size()) {
    const Reference &page = index.pages[page_++];
    if (skip < page.records) {
      pageBlocks_ = file_.page(page);
      blocks_ = &pageBlocks_;
      block_ = 0;
      return true;
    }
    skip -= page.records;
  }
  if (blocks_ == &index.blocks)
    return false;
  pageBlocks_ = {};
  blocks_ = &index.blocks;
  block_ = 0;
  return true;
}

bool FileCursor::nextBlock(uint64_t &skip) {
  decoded_ = nullptr;
  for (;;) {
    while (!blocks_ || block_ == blocks_->size())
      if (!nextReferences(skip))
        return false;
    const Reference &block = (*blocks_)[block_++];
    if (skip < block.records) {
      decoded_ = file_.block(block);
      walk_.start(*decoded_);
      return true;
    }
    skip -= block.records;
  }
}

const Block::Step *FileCursor::stepOfNextBlock() {
  const Block::Step *step = nullptr;
  while (!decoded_ || !(step = walk_.next())) {
    uint64_t skip = 0;
    if (!nextBlock(skip))
      return nullptr;
  }
  return step;
}

bool FileCursor::next(Record &record) {
  const Block::Step *step = nextStep();
  if (step)
    record = recordOf(*step);
  return step != nullptr;
}

Record FileCursor::recordOf(const Block::Step &step) {
  const int64_t *values = decoded_->values.data() + step.at;
  const Schema &schema = file_.tables_.schema;
  if (schema.plan(step.function).relative == 0)
    return {step.function, {values, step.length}};
  if (values_.size() < step.length)
    values_.resize(step.length);
  std::copy_n(values, step.length, values_.begin());
  const std::span own(values_.data(), step.length);
  schema.shiftPeers(step.function, own, shift_, file_.worldRanks_);
  return {step.function, own};
}

} // namespace gnomon::trace
