// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Blocks that were written, so that an equal one is not written again: those of ranks that do the
/// same. Found by a hash, and compared.
#pragma once

#include "support/FileHash.h"
#include "trace/Index.h"

#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>

namespace gnomon::trace {

class KnownBlocks {
public:
  static constexpr size_t MostBytes = size_t{32} << 20;

  /// Where \p block lies; null if that is not known (any more).
  const Reference *find(std::string_view block) const {
    const auto found = byHash_.find(hashOf(block));
    if (found == byHash_.end() || kept(found->second).bytes != block)
      return nullptr;
    return &kept(found->second).place;
  }

  /// \p block, which is not known, lies at \p place. The oldest ones are forgotten when they have
  /// too many bytes together.
  void add(std::string_view block, const Reference &place) {
    const uint64_t hash = hashOf(block);
    if (!byHash_.try_emplace(hash, first_ + blocks_.size()).second)
      return; // another block with the same hash
    blocks_.push_back({.hash = hash, .bytes = std::string(block), .place = place});
    bytes_ += block.size() + sizeof(Block);
    while (bytes_ > MostBytes) {
      bytes_ -= blocks_.front().bytes.size() + sizeof(Block);
      byHash_.erase(blocks_.front().hash);
      blocks_.pop_front();
      ++first_;
    }
  }

private:
  struct Block {
    uint64_t hash;
    std::string bytes;
    Reference place;
  };
  const Block &kept(uint64_t number) const { return blocks_[number - first_]; }

  std::deque<Block> blocks_;
  uint64_t first_ = 0;                            ///< number of the front one
  std::unordered_map<uint64_t, uint64_t> byHash_; ///< numbers; never walked through
  size_t bytes_ = 0;
};

} // namespace gnomon::trace
