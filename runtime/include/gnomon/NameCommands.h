// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Commands of the shell that make, name and remove files and folders, and look at no file's contents. A program that
/// runs one of them (`system("mkdir -p out")`) reads nothing back so (docs/adr/0021).
#pragma once

#include <algorithm>
#include <iterator>
#include <string_view>

namespace gnomon {

inline constexpr std::string_view NameCommands[] = {"chmod", "ln", "mkdir", "rm", "rmdir", "touch"};

/// Whether the text begins with one of them and a blank.
inline bool beginsWithNameCommand(std::string_view text) {
  const size_t end = std::min(text.find(' '), text.size());
  return end < text.size() && std::find(std::begin(NameCommands), std::end(NameCommands),
                                        text.substr(0, end)) != std::end(NameCommands);
}

} // namespace gnomon
