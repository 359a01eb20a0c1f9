// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The pages that ranks have in common: originals. Each is written once, and then shown privately in
/// as many places as hold the same; when nobody shows it any more its memory goes back. An original
/// has a number, in the order in which they are made, and an address at which the runtime reads it.
#pragma once

#include "process/fold/SharedPages.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace gnomon::process::merge {

class Originals {
public:
  static constexpr size_t PageBytes = fold::SharedPages::PageBytes;

  /// \p count originals in a row, copies of the pages from \p from on, that nobody shows yet. The
  /// number of the first; nothing when the system has no room for them.
  std::optional<uint32_t> make(const char *from, size_t count);
  /// Pages from \p at on show \p count originals from \p first on, until they are written. False
  /// when the system refuses.
  bool show(char *at, uint32_t first, size_t count);
  /// \p count originals from \p first on are not going to be shown.
  void drop(uint32_t first, size_t count);
  /// A page that showed the original does so no more.
  void release(uint32_t number);

  const char *at(uint32_t number) const { return begin_ + size_t{number} * PageBytes; }
  uint32_t numberOf(uintptr_t page) const {
    return static_cast<uint32_t>((page - reinterpret_cast<uintptr_t>(begin_)) / PageBytes);
  }
  /// Whether \p page is the address of an original that is shown somewhere.
  bool contains(uintptr_t page) const {
    return pages_.contains(reinterpret_cast<const void *>(page)) && shown_[numberOf(page)] > 0;
  }
  /// Whether the \p count pages from \p page on all are.
  bool contain(uintptr_t page, size_t count) const {
    for (size_t i = 0; i < count; ++i)
      if (!contains(page + i * PageBytes))
        return false;
    return true;
  }
  /// How many are shown.
  uint64_t count() const { return count_; }
  uint64_t residentBytes() const { return pages_.residentBytes(); }

private:
  fold::SharedPages pages_;
  const char *begin_ = nullptr;
  std::vector<uint32_t> shown_; ///< by number: in how many places
  uint64_t count_ = 0;
};

} // namespace gnomon::process::merge
