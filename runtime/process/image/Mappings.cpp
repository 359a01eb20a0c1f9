// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "process/image/Mappings.h"

#include <algorithm>
#include <array>
#include <fstream>

namespace gnomon::process {
namespace {

/// Lines of a file; read in blocks, for a process may have 65,530 mappings.
uint64_t linesOf(const char *path) {
  std::ifstream file(path);
  std::array<char, 4096> block;
  uint64_t lines = 0;
  do {
    file.read(block.data(), block.size());
    lines += static_cast<uint64_t>(std::count(block.begin(), block.begin() + file.gcount(), '\n'));
  } while (file);
  return lines;
}

} // namespace

uint64_t mappingsLeft() {
  uint64_t most = 0;
  std::ifstream("/proc/sys/vm/max_map_count") >> most;
  const uint64_t present = linesOf("/proc/self/maps");
  return most > present ? most - present : 0;
}

} // namespace gnomon::process
