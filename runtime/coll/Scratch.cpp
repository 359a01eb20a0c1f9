// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The free lists behind Scratch: powers of two from 64 bytes to 1 MiB; larger buffers go back to
/// the system, so that one large collective does not hold its memory for the rest of the run.
#include "coll/Scratch.h"

#include <array>
#include <bit>
#include <new>
#include <vector>

namespace gnomon::coll {

namespace {

constexpr int SmallestLog = 6, LargestLog = 20;
constexpr int Unpooled = -1, Empty = -2;
constexpr std::align_val_t Alignment{64};

struct Pool {
  std::array<std::vector<char *>, LargestLog + 1> free;
};

Pool &pool() {
  static Pool instance;
  return instance;
}

} // namespace

Scratch::Scratch(int64_t bytes) : data_(nullptr), sizeClass_(Empty) {
  if (bytes <= 0)
    return;
  const auto size = static_cast<uint64_t>(bytes);
  const int log = std::max(SmallestLog, static_cast<int>(std::bit_width(size - 1)));
  if (log > LargestLog) {
    sizeClass_ = Unpooled;
    data_ = static_cast<char *>(::operator new(size, Alignment));
    return;
  }
  sizeClass_ = log;
  auto &list = pool().free[static_cast<size_t>(log)];
  if (list.empty()) {
    data_ = static_cast<char *>(::operator new(size_t{1} << log, Alignment));
  } else {
    data_ = list.back();
    list.pop_back();
  }
}

Scratch::~Scratch() {
  if (sizeClass_ == Unpooled)
    ::operator delete(data_, Alignment);
  else if (sizeClass_ != Empty)
    pool().free[static_cast<size_t>(sizeClass_)].push_back(data_);
}

} // namespace gnomon::coll
