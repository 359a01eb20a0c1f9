// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Pages by what is in them. The table holds, for each content that was seen, the address of a page
/// that had it; by now the page may hold something else, so whoever asks compares byte by byte.
/// Open addressing with linear probing, at most three quarters full, and a half after it has grown: 21 to
/// 32 bytes a page of 4,096.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace gnomon::process::merge {

/// Equal pages have equal hashes. Four independent lanes of multiplications, so that the
/// processor's multiplier is the limit: about 8 bytes a cycle.
struct Content {
  uint64_t hash; ///< never 0
  bool isZero;
};
Content contentOf(const char *page);

class ContentTable {
public:
  /// Whether a page may still hold the content that it was entered for. Others are forgotten as the
  /// table grows.
  using Valid = std::function<bool(uint64_t hash, uintptr_t page)>;
  explicit ContentTable(Valid isValid) : isValid_(std::move(isValid)) {}
  /// 0: no such content was seen.
  uintptr_t find(uint64_t hash) const;
  /// From now on \p page stands for the content.
  void set(uint64_t hash, uintptr_t page);

private:
  struct Entry {
    uint64_t hash = 0; ///< 0: free
    uintptr_t page = 0;
  };
  size_t placeOf(uint64_t hash) const;
  void grow();

  Valid isValid_;
  std::vector<Entry> entries_;
  size_t used_ = 0;
};

} // namespace gnomon::process::merge
