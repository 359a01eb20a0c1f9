// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The stacks of fibers: equal slots carved out of large reserved mappings, recycled last in, first
/// out.
///
/// Address space is reserved, memory is not: a page costs memory once a fiber has touched it. A
/// guard below a stack splits the kernel's mapping in two, and the kernel allows a process
/// `vm.max_map_count` mappings (65530 by default); so slots get a guard only while that leaves a
/// reserve for everything else, and say whether they have one. Slots are an odd number of pages
/// apart and the tops of the first move within a page, so that the hot ends of stacks do not all compete for the
/// same sets of the caches and of the TLB. Where what programs compute is measured, few ranks have
/// their stacks alike instead (StackOptions::apartBytes).
#pragma once

#include "kernel/Fiber.h"

#include <cstddef>
#include <vector>

namespace gnomon::kernel {

struct StackOptions {
  size_t bytes = size_t{8} << 20;
  bool guardPages = true; ///< dropped, with `guarded` false, once the kernel's map count runs short
  bool lightGuards = true; ///< use the kernel's guards that split no mapping, where it has them
  /// All tops lie at one place modulo so many bytes, a power of two and more than `bytes`, as long as
  /// the address space lasts; 0: as near to each other as they go.
  size_t apartBytes = 0;
  /// What is kept of a fiber (Fiber::keep) does not lie on its stack, but close to that of others: for
  /// fibers that play turns, which touch no stack.
  bool keepsBeside = false;
};

class StackPool {
public:
  explicit StackPool(StackOptions options);
  ~StackPool();
  StackPool(const StackPool &) = delete;
  StackPool &operator=(const StackPool &) = delete;

  /// A stack of at least `options.bytes` bytes. Throws InputError when the address space is used
  /// up.
  StackRange allocate();
  void release(const StackRange &stack);

private:
  struct Region {
    char *begin;
    size_t bytes;
  };
  void reserveRegion();
  bool reserve(size_t bytes);
  bool reserveApart();
  StackRange carve();
  bool guard(char *slot);

  StackOptions options_;
  size_t pageBytes_;
  size_t nearBytes_;      ///< of a slot that is next to another
  size_t slotBytes_;      ///< from one slot to the next
  size_t guardsLeft_ = 0; ///< that split a mapping
  bool lightGuards_ = true;
  size_t carved_ = 0; ///< slots given out for the first time, over all regions
  size_t nextRegionSlots_ = 1024;
  char *next_ = nullptr; ///< first slot of the last region that was never used
  char *end_ = nullptr;
  std::vector<Region> regions_;
  std::vector<StackRange> free_;
};

} // namespace gnomon::kernel
