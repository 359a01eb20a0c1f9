// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Where originals are mapped: runs of addresses that show a row of originals, each a mapping of the
/// kernel's. A run and the gap behind it are two mappings at most, so that n runs take no more than
/// 2n of those that the kernel allows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>

namespace gnomon::process::merge {

class Runs {
public:
  /// [begin, end) shows originals from number \p original on, in place of what it showed.
  void add(uintptr_t begin, uintptr_t end, uint32_t original);
  /// [begin, end) shows none any more.
  void remove(uintptr_t begin, uintptr_t end);
  /// The parts of [begin, end) that show some, in ascending order.
  void visit(uintptr_t begin, uintptr_t end,
             const std::function<void(uintptr_t begin, uintptr_t end)> &part) const;
  size_t count() const { return runs_.size(); }

private:
  struct Run {
    uintptr_t end;
    uint32_t original;
  };
  std::map<uintptr_t, Run> runs_; ///< by their first address; they do not overlap
};

} // namespace gnomon::process::merge
