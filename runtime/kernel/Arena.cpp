// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernel/Arena.h"

#include "support/Error.h"
#include "support/Prefetch.h"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <fmt/format.h>
#include <sys/mman.h>

namespace gnomon::kernel {

namespace {

/// Few fibers fill a part of one large page only: the first region is a small one.
constexpr size_t FirstBytes = size_t{256} << 10, LargePageBytes = size_t{2} << 20;

size_t roundedUp(size_t bytes, size_t unit) { return (bytes + unit - 1) / unit * unit; }

} // namespace

Arena::~Arena() {
  for (const Region &region : regions_)
    munmap(region.begin, region.bytes);
}

void *Arena::allocate(size_t bytes) {
  bytes = roundedUp(std::max<size_t>(bytes, 1), CacheLineBytes);
  if (bytes > static_cast<size_t>(end_ - next_))
    reserve(bytes);
  char *const begin = next_;
  next_ += bytes;
  return begin;
}

void Arena::reserve(size_t bytes) {
  const bool isFirst = regions_.empty() && bytes <= FirstBytes;
  const size_t wanted = isFirst ? FirstBytes : roundedUp(bytes, LargePageBytes);
  const size_t mapped = isFirst ? wanted : wanted + LargePageBytes; // to begin at a large page
  void *const found = mmap(nullptr, mapped, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (found == MAP_FAILED)
    throw InputError(
        "", 0, fmt::format("no room for what is kept of the ranks: {}", std::strerror(errno)));
  auto *begin = static_cast<char *>(found);
  regions_.push_back({begin, mapped});
  if (!isFirst) {
    begin += roundedUp(reinterpret_cast<uintptr_t>(begin), LargePageBytes) -
             reinterpret_cast<uintptr_t>(begin);
    madvise(begin, wanted, MADV_HUGEPAGE); // a wish
  }
  next_ = begin;
  end_ = begin + wanted;
}

} // namespace gnomon::kernel
