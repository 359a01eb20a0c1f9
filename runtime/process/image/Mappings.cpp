// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "process/image/Mappings.h"

#include <algorithm>
#include <fstream>
#include <iterator>

namespace gnomon::process {

uint64_t mappingsLeft() {
  uint64_t most = 0;
  std::ifstream("/proc/sys/vm/max_map_count") >> most;
  std::ifstream maps("/proc/self/maps");
  const auto present = static_cast<uint64_t>(
      std::count(std::istreambuf_iterator<char>(maps), std::istreambuf_iterator<char>(), '\n'));
  return most > present ? most - present : 0;
}

} // namespace gnomon::process
