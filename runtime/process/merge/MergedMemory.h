// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// `gnomon run --merge-pages`: pages of the ranks' memory that hold the same bytes become one page,
/// and are copied when a rank writes to one of them. No rank can tell: an address shows the same
/// bytes before and after.
///
/// An area is memory of one rank, whole pages: a block of its heap, or its copy of the globals. To
/// look at a page is
///   1. to ask the kernel whether it is in memory, and the rank's own (PageMap): others cost nothing;
///   2. to compare it with the page behind the one that its predecessor was equal to, else to find a
///      page of the same hash and compare it with that, byte by byte (ContentTable);
///   3. to map the original of the two in both places, privately (Originals). Pages in a row that
///      equal pages in a row are one mapping. A page of zeros is given back to the kernel.
/// Who writes to a page that shows an original gets a page of its own from the kernel; the next look
/// finds that, counts a split, and leaves the page alone for 2, 4, 8 … looks.
///
/// Mappings are few (Runs.h). The more of them are used, the longer must a row of pages be that is
/// worth one: 1 page at first, 2 from an eighth of the mappings on, 4 from two eighths, and so on.
/// When all are used, nothing more is merged.
///
/// Nobody may write to the ranks' memory while the simulation's thread looks at it. That is for the
/// caller to see to (Merging.cpp).
#pragma once

#include "process/merge/Areas.h"
#include "process/merge/ContentTable.h"
#include "process/merge/Originals.h"
#include "process/merge/PageMap.h"
#include "process/merge/Runs.h"
#include "support/SpinLock.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace gnomon::process::merge {

/// What looks at pages have come to.
struct Figures {
  uint64_t lookedAtPages = 0; ///< compared, or searched for
  uint64_t mergedPages = 0;   ///< show an original since, or did
  uint64_t zeroPages = 0;     ///< were zero, and were given back
  uint64_t splitPages = 0;    ///< of both: were written again
  uint64_t givenBackBytes = 0,
           mostGivenBackBytes = 0; ///< less what the originals take: now, at most
  uint64_t runs = 0;               ///< of merged pages: two mappings each, at most
  uint64_t residentBytes = 0;      ///< of the originals
};

class MergedMemory {
public:
  static constexpr size_t PageBytes = Originals::PageBytes;

  /// \p mappings: how many it may use.
  explicit MergedMemory(uint64_t mappings);

  /// 0, or why the kernel says nothing of pages (errno).
  int error() const { return map_.error(); }

  /// Pages [begin, end) are an area of \p rank.
  void add(uint32_t rank, char *begin, char *end, Backing backing);
  /// The area that begins there has another end.
  void resize(char *begin, char *end);
  /// Its memory is about to be used for something else. But for the first bytes (what malloc keeps in
  /// front of a block) it may read as zero afterwards.
  void forget(char *begin);
  /// What lies in [begin, end) becomes the ranks' own again, and is never looked at any more.
  void leaveAlone(const char *begin, const char *end);

  /// Looks at areas: of \p rank those that are new, and then others in turn, from where the last call
  /// stopped; until \p pages pages have been looked at, or all areas.
  void look(uint32_t rank, size_t pages);
  /// Finds out what was written since, so that nothing in it is older than the call.
  Figures figures();
  /// As it was after the last look.
  const Figures &latestFigures() const { return figures_; }

private:
  static constexpr size_t ChunkPages = 256;
  /// What a page is equal to.
  struct Found {
    uintptr_t page = 0; ///< 0: none
    bool isZero = false;
  };

  bool mayStandFor(uint64_t hash, uintptr_t page);
  uintptr_t resolve(uintptr_t page);
  bool isEqual(uintptr_t other, const char *page);
  Found find(const char *address, Page &page, uintptr_t expected);
  size_t lookAt(uintptr_t begin, Area &area, size_t first, size_t count);
  void noteWritten(Page &page, uint64_t word);
  size_t rowAt(const Area &area, size_t first, size_t at, size_t count) const;
  void act(uintptr_t begin, Area &area, size_t first, size_t count);
  void giveBack(char *begin, size_t count, Area &area, size_t first);
  void merge(char *begin, size_t count, uintptr_t with);
  void showOthers(uintptr_t others, size_t count, uint32_t original);
  bool show(char *begin, uint32_t original, size_t count);
  void release(Page &page);
  void restore(uintptr_t begin, uintptr_t end);
  void makeOwn(uintptr_t begin, uintptr_t end);
  void drop(uintptr_t begin, Area &area, size_t firstPage);
  size_t lookAtNew(uint32_t rank);
  void lookInTurn(size_t left);
  size_t leastRow() const;
  void updateFigures();

  const uint64_t mappings_;
  SpinLock lock_; ///< blocks may be freed on any thread
  PageMap map_;
  Originals originals_;
  Runs runs_;
  ContentTable table_;
  Areas areas_;
  std::vector<std::vector<uintptr_t>> new_;  ///< by rank: areas that were not in use at a look
  uintptr_t cursor_ = 0;                     ///< where the next look goes on
  uint64_t held_ = 0;                        ///< pages that are not Own
  std::array<uint64_t, ChunkPages> words_{}; ///< of the chunk that is looked at
  std::array<Found, ChunkPages> found_{};
  Figures figures_;
};

} // namespace gnomon::process::merge
