// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The processors that this process may use, and their caches, as Linux tells them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace gnomon::cpu {

struct Processors {
  std::string model;
  /// In the order in which they get busy: one hardware thread of each core first.
  std::vector<int> numbers;
  int cores = 0;                     ///< how many of them are cores of their own; the first ones
  uint64_t l2Bytes = 0, l3Bytes = 0; ///< 0: not known
};

Processors processorsOfThisHost();

/// \p siblings: for each number, the hardware threads of its core, itself included. Numbers in
/// order, those first whose core has not come yet.
std::vector<int> coresFirst(const std::vector<int> &numbers,
                            const std::vector<std::vector<int>> &siblings, int &cores);

/// Reads a list as "0-3,8". What is not one gives nothing.
std::vector<int> readProcessorList(const std::string &text);

} // namespace gnomon::cpu
