// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What reduction algorithms share: a running value that keeps the order of ranks, the fold of any
/// number of ranks onto a power of two, and recursive halving of a vector.
#pragma once

#include "coll/Messages.h"
#include "coll/Scratch.h"
#include "coll/tree/Segments.h"

#include <optional>
#include <utility>

namespace gnomon::coll {

/// A partial result and room for one more operand. Ops need not commute: the caller says whether
/// the operand comes from ranks below or above those that the value has already; for a commutative
/// op the value stays where it is.
class Accumulator {
public:
  /// The value begins as the rank's own input, in \p target if that is given (and finish() leaves
  /// it there).
  Accumulator(const ReductionArgs &args, void *target)
      : count_(args.count), type_(*args.type), op_(*args.op), target_(target),
        spare_(args.count, type_) {
    if (!target)
      own_.emplace(args.count, type_);
    value_ = target ? target : own_->data();
    incoming_ = spare_.data();
    const void *input = args.input();
    if (input != value_)
      mpi::copyTyped(input, count_, type_, value_, count_, type_);
  }
  void *value() const { return value_; }
  void *incoming() const { return incoming_; }
  ConstBlock out() const { return {value_, count_, &type_}; }
  Block in() const { return {incoming_, count_, &type_}; }

  /// value = incoming op value
  void fromLower() { op_.apply(incoming_, value_, count_, type_); }
  /// value = value op incoming
  void fromHigher() {
    if (op_.commutative())
      return fromLower();
    op_.apply(value_, incoming_, count_, type_);
    std::swap(value_, incoming_);
  }
  /// Brings the value to the target.
  void finish() {
    if (target_ && value_ != target_)
      mpi::copyTyped(value_, count_, type_, target_, count_, type_);
  }

private:
  int64_t count_;
  const Datatype &type_;
  const Op &op_;
  void *target_, *value_, *incoming_;
  TypedScratch spare_;
  std::optional<TypedScratch> own_;
};

/// n ranks as a power of two p: of the first 2 (n - p) ranks each even one hands its value to the
/// odd one above it and drops out. Keeps the order of ranks.
struct Fold {
  int p, paired;   ///< ranks below `paired` are in pairs
  int rank, place; ///< place: the rank among p; -1 for those that drop out

  explicit Fold(const Call &call)
      : p(floorPowerOfTwo(call.size)), paired(2 * (call.size - p)), rank(call.rank),
        place(rank >= paired ? rank - paired / 2
              : rank % 2     ? rank / 2
                             : -1) {}
  bool dropsOut() const { return place < 0; }
  bool isPaired() const { return rank < paired; }
  int rankAt(int other) const { return other < paired / 2 ? 2 * other + 1 : other + paired / 2; }

  /// Before the power-of-two phase.
  void enter(Messages &messages, Accumulator &value) const {
    if (dropsOut()) {
      messages.send(value.out(), rank + 1);
    } else if (isPaired()) {
      messages.recv(value.in(), rank - 1);
      value.fromLower();
    }
  }
};

/// Recursive halving of `count` elements over p places, in p pieces (the first ones an element
/// longer): after step k a place has half of the range that it had before, and its partner, 2^k
/// away, the other half.
class Halving {
public:
  struct Range {
    int64_t first, count; ///< elements
  };
  Halving(int64_t count, int p) : pieces_(count, p), p_(p) {
    while ((1 << steps_) < p)
      ++steps_;
  }
  int steps() const { return steps_; }
  /// What \p place has after the first \p steps steps.
  Range range(int place, int steps) const {
    int first = 0, length = p_;
    for (int k = 0; k < steps; ++k) {
      length /= 2;
      if (place >> k & 1)
        first += length;
    }
    return {offset(first), offset(first + length) - offset(first)};
  }
  /// Reduce-scatter: leaves in value.value() this place's range of the result. The op must commute.
  /// \p Places: who is at which place, such as Fold.
  template <class Places>
  void reduceScatter(Messages &messages, const Places &places, int place, const ReductionArgs &args,
                     Accumulator &value) const {
    const Datatype &type = *args.type;
    for (int k = 0; k < steps_; ++k) {
      const int partner = place ^ (1 << k), peer = places.rankAt(partner);
      const Range mine = range(place, k + 1), theirs = range(partner, k + 1);
      char *incoming = at(value.incoming(), mine.first, type);
      messages.sendrecv({at(value.value(), theirs.first, type), theirs.count, &type}, peer,
                        {incoming, mine.count, &type}, peer);
      args.op->apply(incoming, at(value.value(), mine.first, type), mine.count, type);
    }
  }

private:
  int64_t offset(int piece) const { return pieces_.offset(piece); }
  Blocks pieces_;
  int p_, steps_ = 0;
};

} // namespace gnomon::coll
