// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The ranks' copies of the program's globals (gnomon/Module.h says what the pass wrote).
///
/// One module's copies are one mapping: rank r's copy of a global at address a is at a + delta(r), with
///   delta(r) = firstDelta + r × stride
/// Copies follow each other at cache lines (or at the section's own alignment), so that small ones
/// share pages; where what programs compute is measured, those of few ranks lie alike instead
/// (placeCopiesApart). One anonymous mapping without reserved swap holds them all: its pages cost nothing
/// until a rank touches them, and the number of mappings does not grow with the number of ranks.
/// Only blocks of gn_priv that are not all zero are copied; gn_zero is zero already. Large tables
/// among them are not copied either, as far as mappings last (CommonPages.h).
///
/// In a run of one rank there is no copy: delta is 0, and the initial values are kept aside.
///
/// Ranks that start later have mappings of their own, one for each time that ranks are added; then
/// the first formula holds for the initial ranks only, and the others' delta is looked up.
#pragma once

#include "gnomon/Module.h"
#include "process/image/CommonPages.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <vector>

namespace gnomon::process {

/// From now on copies of CommonPages::LeastBytes and more begin at few places of a page, whatever is in
/// them, so that equal pages of two ranks are found. To be called before the ranks are made.
void alignCopiesToPages();

/// From now on copies of fewer bytes than this lie so far from each other, a power of two of pages, as
/// long as the address space lasts. To be called before the ranks are made.
void placeCopiesApart(size_t bytes);

/// The copies of one module's globals.
class Image {
public:
  /// Reserves the address space of \p ranks copies. Throws std::bad_alloc when there is none.
  Image(gnomon_module &module, uint32_t ranks);
  ~Image();
  Image(const Image &) = delete;
  Image &operator=(const Image &) = delete;

  gnomon_module &module() const { return *module_; }
  intptr_t delta(uint32_t rank) const {
    if (rank >= initialRanks_) [[unlikely]]
      return laterDelta(rank);
    return firstDelta_ + static_cast<intptr_t>(rank) * stride_;
  }
  void setDelta(uint32_t rank) const { *module_->delta = delta(rank); }
  /// Writes the initial values into rank's copy. Must run while the module's own sections are
  /// untouched.
  void fill(uint32_t rank);
  /// Reserves the address space of \p count more copies, from that of rank \p first on. Throws
  /// std::bad_alloc when there is none.
  void reserve(uint32_t first, uint32_t count);
  bool contains(const void *address) const;
  /// Copies the initial value of \p bytes bytes at \p address, of the section itself.
  void copyInitial(const char *address, size_t bytes, char *to) const;
  /// Whether some of a copy lies in a file.
  bool hasTables() const { return common_.tables() > 0; }
  /// In memory for what the ranks have in common.
  uint64_t commonBytes() const { return common_.residentBytes(); }

private:
  /// Copies that were made together.
  struct Batch {
    uint32_t firstRank;
    intptr_t firstDelta;
    char *mapping;
    size_t bytes;
    std::vector<uint32_t> sharers; ///< of each table of common_: so many of its ranks map it
  };
  Batch map(uint32_t first, uint32_t count) const;
  bool mapApart(uint32_t ranks);
  const Batch &batchOf(uint32_t rank) const;
  intptr_t laterDelta(uint32_t rank) const;
  void keepInitialValues();
  const char *initialOf(const Part &block, size_t place) const;
  std::vector<Part> showCommon(uint32_t rank, char *copy);

  gnomon_module *module_;
  uint32_t initialRanks_;
  intptr_t firstDelta_ = 0;
  intptr_t stride_ = 0;
  uintptr_t unit_ = 0, origin_ = 0; ///< alignment of copies; where the section begins, rounded
  std::vector<Batch> batches_;      ///< that of the initial ranks, if any, and later ones
  std::vector<Part> blocks_;        ///< of gn_priv that are not all zero
  CommonPages common_;
  /// The blocks' bytes, where the rank runs on the section itself; else empty.
  std::vector<char> initialValues_;
};

/// What the initial values of a module take in memory: for each rank, and for all ranks together.
struct InitialBytes {
  uint64_t each = 0, together = 0;
};
InitialBytes initialBytes(const gnomon_module &module, uint32_t ranks);

/// All modules' copies.
class Images {
public:
  /// Whether a rank has a copy of a module.
  using Needs = bool (*)(const gnomon_module &module, uint32_t rank);

  /// Makes the copies of \p modules for \p ranks ranks and connects the modules' imports.
  void build(std::span<gnomon_module *const> modules, uint32_t ranks, Needs needs);
  /// A module that was loaded while the simulation runs.
  void add(gnomon_module &module, Needs needs);
  /// Makes room for \p count more ranks. Throws std::bad_alloc when there is none.
  void reserve(uint32_t first, uint32_t count);
  /// Makes the copies of ranks that reserve() made room for.
  void fill(uint32_t first, uint32_t count, Needs needs);

  /// The rank's copy of what is at \p address in \p module's section.
  char *placeOf(const gnomon_module &module, char *address, uint32_t rank) const;
  /// What \p rank found there when it began.
  std::vector<char> initialValue(const gnomon_module &module, const char *address, size_t bytes,
                                 uint32_t rank) const;

  /// Puts every module's delta in place: what a switch to \p rank does.
  void select(uint32_t rank) const {
    if (only_) [[likely]]
      *only_->delta = onlyFirst_ + static_cast<intptr_t>(rank) * onlyStride_;
    else
      selectAll(rank);
  }
  /// Back to the sections themselves.
  void deselect() const;
  bool hasTables(const gnomon_module &module) const { return imageOf(module).hasTables(); }
  /// In memory for initial values that ranks have in common.
  uint64_t commonBytes() const;

private:
  void selectAll(uint32_t rank) const;
  const Image &imageOf(const gnomon_module &module) const;
  void fillOne(Image &image, uint32_t rank, Needs needs) const;
  void connectImports(gnomon_module &module) const;
  void relocate(const Image &image, uint32_t rank) const;
  void relocateSlot(const gnomon_relocation &relocation, const Image &image, char *slot,
                    uint32_t rank) const;
  const Image *owner(const void *address) const;

  uint32_t ranks_ = 0;
  std::deque<Image> images_;
  /// When there is one module, and the ranks are the initial ones: the fast path of select.
  gnomon_module *only_ = nullptr;
  intptr_t onlyFirst_ = 0;
  intptr_t onlyStride_ = 0;
};

} // namespace gnomon::process
