// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Initial values that ranks have in common. A large table that a program has with its values (a
/// DATA statement, an initialiser) is the same on each rank until the rank writes to it. Its whole
/// pages are put into a file once, and each rank's copy of the globals maps them privately: a page
/// that a rank never writes takes no memory of the rank, one that it writes is copied then.
///
/// Copies of two ranks may begin at different places of a page; the file holds the values once for
/// each such place. With T bytes of tables, P ranks and c places, P × T bytes become c × T, and what
/// is written. Example: P = 256, T = 1 MiB, c = 8: 256 MiB become 8.
///
/// What that costs: two mappings for each rank and table, of which the kernel allows 65,530
/// (vm.max_map_count). A quarter of those that are left is used, the largest tables first; the
/// tables of the other ranks are copied when the rank is made, as small ones are.
#pragma once

#include "process/image/PageFile.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace gnomon::process {

/// A part of a module's section of globals, in bytes from the section's beginning.
struct Part {
  size_t offset, bytes;
  size_t end() const { return offset + bytes; }
};

class CommonPages {
public:
  /// Writes the initial value of a part.
  using Reader = std::function<void(Part part, char *to)>;

  /// \p filled: what is not all zero, in ascending order. \p slots: places that each rank changes as
  /// it is made; their pages are not counted as common.
  CommonPages(std::span<const Part> filled, std::span<const size_t> slots);

  /// A table that is worth it. Tables are in the order of their bytes, the largest first.
  size_t tables() const { return tables_.size(); }
  /// Bytes of all tables.
  uint64_t bytes() const;
  /// At how many places of a page the copies of \p ranks ranks should begin; a power of two.
  static uint32_t places(uint32_t ranks);
  /// How many of \p ranks more ranks may map each table; the others copy it.
  std::vector<uint32_t> plan(uint32_t ranks) const;
  /// The whole pages of table \p table are mapped into the copy that begins at \p copy. Returns the
  /// part that is there now; an empty one when the system refuses.
  Part show(size_t table, char *copy, const Reader &read);
  uint64_t residentBytes() const { return file_.residentBytes(); }

  /// Smaller tables are copied: a mapping costs a rank as much time as copying that.
  static constexpr size_t LeastBytes = size_t{64} << 10;

private:
  /// The table's pages in the file, for copies that begin \p phase bytes behind that of a page.
  struct Shown {
    uintptr_t phase;
    size_t offset; ///< in the file
  };
  struct Table {
    Part part;
    uint64_t filledBytes;
    std::vector<Shown> shown;
  };
  const Shown *find(Table &table, uintptr_t phase, Part pages, const Reader &read);
  bool fill(size_t offset, Part pages, const Reader &read) const;

  std::vector<Table> tables_;
  PageFile file_{"gnomon-initial"};
  bool isRefused_ = false; ///< the system had no room for the file
};

} // namespace gnomon::process
