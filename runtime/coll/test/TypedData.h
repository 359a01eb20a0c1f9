// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Typed buffers for tests: data is a stream of ints, described by types that hold `UnitInts` ints
/// an element in different layouts, so that sender and receiver can disagree about the layout but
/// not the signature.
#pragma once

#include "coll/test/Cluster.h"
#include "mpi/datatype/Datatype.h"

#include <cstring>
#include <memory>
#include <random>
#include <vector>

namespace gnomon::coll::test {

inline constexpr int UnitInts = 3;

/// Types of three ints: dense, strided with a trailing gap, backwards, starting below the address.
inline const std::vector<const mpi::Datatype *> &unitTypes() {
  using mpi::Datatype;
  static const std::vector<const Datatype *> types = [] {
    const Datatype &basic = Datatype::predefined(uintptr_t{0x209}); // MPI_INT
    const Datatype *dense = Datatype::contiguous(UnitInts, basic);
    const Datatype *strided = Datatype::resized(*Datatype::vector(UnitInts, 1, 2, basic), 0, 28);
    const int ones[] = {1, 1, 1};
    const int backwards[] = {4, 2, 0};
    const Datatype *reversed = Datatype::indexed(ones, backwards, basic);
    const int64_t below[] = {-8, 0, 8};
    const Datatype *offset = Datatype::resized(*Datatype::hindexed(ones, below, basic), -8, 24);
    return std::vector<const Datatype *>{dense, strided, reversed, offset};
  }();
  return types;
}

/// Memory for elements [low, high) of a type, with guard space, all bytes set to a pattern.
class Buffer {
public:
  Buffer(const mpi::Datatype &type, int64_t low, int64_t high) : type_(&type) {
    const int64_t slack = 256;
    const int64_t span =
        (high - low) * std::max<int64_t>(type.extent(), type.trueExtent()) + 2 * slack;
    memory_.assign(static_cast<size_t>(span), char(0xA5));
    origin_ = slack - low * type.extent();
  }
  void *data() { return memory_.data() + origin_; }
  void *at(int64_t element) { return memory_.data() + origin_ + element * type_->extent(); }
  /// Writes ints into `count` elements from \p element on.
  void put(int64_t element, int64_t count, const int *values) {
    mpi::unpackBytes(values, count * type_->size(), at(element), count, *type_);
  }
  friend bool operator==(const Buffer &a, const Buffer &b) { return a.memory_ == b.memory_; }

private:
  const mpi::Datatype *type_;
  std::vector<char> memory_;
  int64_t origin_;
};

/// What \p source sends to \p dest: distinguishable ints.
inline std::vector<int> message(int source, int dest, int64_t units) {
  std::vector<int> values(static_cast<size_t>(units * UnitInts));
  for (size_t i = 0; i < values.size(); ++i)
    values[i] = (source * 131 + dest) * 4099 + static_cast<int>(i);
  return values;
}

class Random {
public:
  explicit Random(uint64_t seed) : engine_(seed) {}
  /// Uniform in [low, high].
  int in(int low, int high) {
    return low + static_cast<int>(engine_() % static_cast<uint64_t>(high - low + 1));
  }
  const mpi::Datatype &type() { return *unitTypes()[static_cast<size_t>(in(0, 3))]; }

private:
  std::mt19937_64 engine_;
};

/// Eager and rendezvous, messages cut or not, ranks on hosts of their own or together.
inline Network networkOf(int trial) {
  constexpr int64_t segments[] = {-1, 0, 48, -1, 1000, 8};
  constexpr int fanouts[] = {0, 1, 3, 2, 0, 5}, perHost[] = {0, 3, -2, 64, 5, 0};
  return {trial % 2 == 1, 1, 1e-6, segments[trial], fanouts[trial], perHost[trial]};
}

inline const std::vector<int> &sizes() {
  static const std::vector<int> values{1, 2, 3, 4, 5, 7, 8, 16, 17, 64};
  return values;
}

} // namespace gnomon::coll::test
