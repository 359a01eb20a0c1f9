// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "process/ranks/Processor.h"

#include <fstream>

namespace gnomon::process {

std::string processorName() {
  constexpr const char *Field = "model name";
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    const size_t colon = line.find(": ");
    if (line.starts_with(Field) && colon != std::string::npos)
      return line.substr(colon + 2);
  }
  return "unknown";
}

} // namespace gnomon::process
