// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "TextFile.h"

#include <cstdio>
#include <fmt/format.h>
#include <fstream>

namespace gnomon::driver {

bool writeText(const std::string &file, const std::string &text) {
  std::ofstream stream(file, std::ios::binary);
  stream << text;
  stream.close();
  if (!stream)
    fmt::print(stderr, "gnomon: error: '{}' cannot be written\n", file);
  return static_cast<bool>(stream);
}

} // namespace gnomon::driver
