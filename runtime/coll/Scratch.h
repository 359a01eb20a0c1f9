// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Temporary buffers of collectives. Freed ones are kept by size class and used again by whichever
/// rank comes next, so that a collective allocates nothing once warm.
#pragma once

#include "coll/Arguments.h"

#include <cstddef>
#include <cstdint>

namespace gnomon::coll {

class Scratch {
public:
  explicit Scratch(int64_t bytes);
  ~Scratch();
  Scratch(const Scratch &) = delete;
  Scratch &operator=(const Scratch &) = delete;
  char *data() const { return data_; }

private:
  char *data_;
  int sizeClass_;
};

/// Room for \p count elements of a type, addressed as the user's buffers are.
class TypedScratch {
public:
  TypedScratch(int64_t count, const Datatype &type)
      : memory_(spanBytes(count, type)),
        origin_(memory_.data() ? memory_.data() - lowest(count, type) : nullptr) {}
  void *data() const { return origin_; }

private:
  static int64_t lowest(int64_t count, const Datatype &type) {
    const int64_t last = count > 0 ? (count - 1) * type.extent() : 0;
    return type.trueLowerBound() + (last < 0 ? last : 0);
  }
  static int64_t spanBytes(int64_t count, const Datatype &type) {
    if (count <= 0)
      return 0;
    const int64_t last = (count - 1) * type.extent();
    return type.trueExtent() + (last < 0 ? -last : last);
  }
  Scratch memory_;
  char *origin_;
};

/// A typed buffer as contiguous bytes: the buffer itself when it is contiguous, else a copy.
/// Algorithms that cut a message into pieces do so in bytes, for ranks may describe the same data
/// by different types.
class Packed {
public:
  Packed(void *buffer, int64_t count, const Datatype &type)
      : buffer_(buffer), count_(count), type_(type), direct_(type.contiguous(count)),
        copy_(direct_ ? 0 : count * type.size()) {}
  char *bytes() const { return direct_ ? static_cast<char *>(buffer_) : copy_.data(); }
  int64_t size() const { return count_ * type_.size(); }
  /// The buffer's data into bytes().
  void pack() {
    if (!direct_)
      mpi::packBytes(buffer_, count_, type_, copy_.data(), size());
  }
  /// bytes() into the buffer.
  void unpack() {
    if (!direct_)
      mpi::unpackBytes(copy_.data(), size(), buffer_, count_, type_);
  }

private:
  void *buffer_;
  int64_t count_;
  const Datatype &type_;
  bool direct_;
  Scratch copy_;
};

} // namespace gnomon::coll
