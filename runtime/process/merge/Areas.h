// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The ranks' memory that is looked at: areas of whole pages, and what is known of each page.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace gnomon::process::merge {

/// What lies behind an area before anything of it is merged: memory that reads as zero once it is
/// given back, or a file.
enum class Backing : uint8_t { Anonymous, File };

struct Page {
  static constexpr uint32_t Own = 0, Zero = UINT32_MAX;
  uint32_t hash = 0;    ///< a part of the hash by which it was entered; 0: it was not
  uint32_t shown = Own; ///< or the number of an original, and 1; or Zero, which was given back
  uint8_t splits = 0;
  uint8_t wait = 0; ///< looks that it is left alone for
};

struct Area {
  uint32_t rank;
  Backing backing;
  std::vector<Page> pages;
};

class Areas {
public:
  using ByAddress = std::map<uintptr_t, Area>; ///< by their first address; they do not overlap
  /// Pages of an area that are looked at together.
  struct Chunk {
    uintptr_t begin; ///< of the area
    Area *area;
    size_t first, count;
  };

  ByAddress &all() { return areas_; }
  /// The area that holds \p address; the end: none does.
  ByAddress::iterator at(uintptr_t address);
  /// Null: it lies in none.
  Page *pageAt(uintptr_t address);
  /// The next chunk from \p cursor on, of \p pages pages at most; where there is none, that at the
  /// lowest address. Moves the cursor to its beginning. Nothing: there are no areas.
  std::optional<Chunk> next(uintptr_t &cursor, size_t pages);

private:
  ByAddress areas_;
};

} // namespace gnomon::process::merge
