// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The ranks' copies of the program's globals (gnomon/Module.h says what the pass wrote).
///
/// One module's copies are one mapping: rank r's copy of a global at address a is at  a + delta(r)
/// , with
///   delta(r) = firstDelta + r × stride .
/// Copies follow each other at cache lines (or at the section's own alignment), so that small ones
/// share pages. One anonymous mapping without reserved swap holds them all: its pages cost nothing
/// until a rank touches them, and the number of mappings does not grow with the number of ranks.
/// Only blocks of gn_priv that are not all zero are copied; gn_zero is zero already.
///
/// In a run of one rank there is no copy: delta is 0.
#pragma once

#include "gnomon/Module.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <vector>

namespace gnomon::process {

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
    return firstDelta_ + static_cast<intptr_t>(rank) * stride_;
  }
  void setDelta(uint32_t rank) const { *module_->delta = delta(rank); }
  /// Writes the initial values into rank's copy. Must run while the module's own sections are
  /// untouched.
  void fill(uint32_t rank) const;
  bool contains(const void *address) const;

private:
  struct Block {
    size_t offset; ///< from private_begin
    size_t bytes;
  };
  void findBlocks();

  gnomon_module *module_;
  intptr_t firstDelta_ = 0;
  intptr_t stride_ = 0;
  char *mapping_ = nullptr;
  size_t mappingBytes_ = 0;
  std::vector<Block> blocks_; ///< of gn_priv that are not all zero
};

/// All modules' copies.
class Images {
public:
  /// Makes the copies of \p modules for \p ranks ranks and connects the modules' imports.
  void build(std::span<gnomon_module *const> modules, uint32_t ranks);
  /// A module that was loaded while the simulation runs.
  void add(gnomon_module &module);

  /// Puts every module's delta in place: what a switch to \p rank does.
  void select(uint32_t rank) const {
    if (only_) [[likely]]
      *only_->delta = onlyFirst_ + static_cast<intptr_t>(rank) * onlyStride_;
    else
      selectAll(rank);
  }
  /// Back to the sections themselves.
  void deselect() const;

private:
  void selectAll(uint32_t rank) const;
  void connectImports(gnomon_module &module) const;
  void relocate(const Image &image, uint32_t rank) const;
  const Image *owner(const void *address) const;

  uint32_t ranks_ = 0;
  std::deque<Image> images_;
  gnomon_module *only_ = nullptr; ///< when there is one module: the fast path of select
  intptr_t onlyFirst_ = 0;
  intptr_t onlyStride_ = 0;
};

} // namespace gnomon::process
