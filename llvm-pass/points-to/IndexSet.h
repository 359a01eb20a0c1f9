// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A set of small numbers: of locations, of nodes. A large program has a million of these, most with
/// one to four members, some with thousands, and the solver joins and subtracts them all the time.
///
/// A set is an ascending array of chunks: 32 numbers each, of which at least one is a member. What
/// LLVM has for this (SparseBitVector) is a list with an allocation for each chunk, and most of the
/// solver's time was waiting for these.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/bit.h"
#include "llvm/ADT/iterator.h"

#include <cstdint>
#include <memory>

namespace gnomon::pointsto {

class IndexSet {
public:
  struct Chunk {
    uint32_t number = 0; ///< holds 32 * number and the 31 that follow
    uint32_t bits = 0;   ///< never 0 in a set
    bool operator==(const Chunk &) const = default;
  };
  static constexpr uint32_t Bits = 32;

  /// Ascending.
  class const_iterator
      : public llvm::iterator_facade_base<const_iterator, std::forward_iterator_tag, uint32_t,
                                          std::ptrdiff_t, const uint32_t *, uint32_t> {
  public:
    const_iterator(const Chunk *at, const Chunk *end)
        : at_(at), end_(end), left_(at == end ? 0 : at->bits) {}
    bool operator==(const const_iterator &other) const {
      return at_ == other.at_ && left_ == other.left_;
    }
    uint32_t operator*() const { return at_->number * Bits + uint32_t(llvm::countr_zero(left_)); }
    using iterator_facade_base::operator++;
    const_iterator &operator++() {
      left_ &= left_ - 1;
      if (!left_ && ++at_ != end_)
        left_ = at_->bits;
      return *this;
    }

  private:
    const Chunk *at_, *end_;
    uint32_t left_; ///< of at_
  };

  /// Sorts them.
  static IndexSet of(llvm::SmallVectorImpl<uint32_t> &members);

  const_iterator begin() const { return {chunks_.begin(), chunks_.end()}; }
  const_iterator end() const { return {chunks_.end(), chunks_.end()}; }
  llvm::ArrayRef<Chunk> chunks() const { return chunks_; }

  bool empty() const { return chunks_.empty(); }
  unsigned count() const;
  bool test(uint32_t member) const;
  /// The same as test(0), at once.
  bool holdsZero() const { return !chunks_.empty() && !chunks_[0].number && chunks_[0].bits & 1; }
  /// Frees the memory too.
  void clear() {
    std::destroy_at(&chunks_);
    std::construct_at(&chunks_);
  }

  /// What insert() looks at first, in a moment.
  void fetch() const {
    __builtin_prefetch(chunks_.begin() + chunks_.size() / 2);
    __builtin_prefetch(chunks_.end() - !chunks_.empty());
  }

  void set(uint32_t member) { insert(member); }
  /// Whether it was none before.
  bool insert(uint32_t member);
  /// Whether there are more members now.
  bool operator|=(const IndexSet &other);
  void operator&=(const IndexSet &other);
  void operator-=(const IndexSet &other);
  bool operator==(const IndexSet &other) const { return chunks_ == other.chunks_; }

private:
  using Chunks = llvm::SmallVector<Chunk, 1>;
  Chunks chunks_;

  template <typename Combine> void restrict(const IndexSet &other, Combine combine);
};

} // namespace gnomon::pointsto
