// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Memory for what a simulation keeps of its fibers apart from their stacks: close together, in few
/// large pages where the kernel has them. With thousands of fibers the translation of an address
/// that nobody has touched lately costs more than the memory behind it, and stacks lie far apart.
/// Nothing is given back before the end.
#pragma once

#include <cstddef>
#include <vector>

namespace gnomon::kernel {

class Arena {
public:
  Arena() = default;
  ~Arena();
  Arena(const Arena &) = delete;
  Arena &operator=(const Arena &) = delete;

  /// At least \p bytes bytes that are 0, in whole cache lines. Throws InputError when the address
  /// space is used up.
  void *allocate(size_t bytes);

private:
  struct Region {
    char *begin;
    size_t bytes;
  };
  void reserve(size_t bytes);

  char *next_ = nullptr, *end_ = nullptr; ///< of the last region
  std::vector<Region> regions_;
};

} // namespace gnomon::kernel
