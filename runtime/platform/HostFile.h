// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Host files and the placement of ranks on hosts.
#pragma once

#include "platform/Platform.h"

#include <string>
#include <vector>

namespace gnomon::platform {

struct HostEntry {
  std::string name;
  uint32_t slots = 1;
  int line = 0;
};

struct HostFile {
  std::string file;
  std::vector<HostEntry> entries;
};

/// Reads lines `name`, `name:4` or `name slots=4`; `#` begins a comment, empty lines and CRLF line
/// ends are allowed. Throws InputError.
HostFile readHostFile(const std::string &file);
/// The same from a text; \p file is named in errors.
HostFile parseHostFile(const std::string &text, const std::string &file);

struct Placement {
  std::vector<HostIndex> hostOfRank;
  std::string note; ///< empty, or that ranks share slots
};

/// Fills the slots in the order of the file (all slots of a host, then the next host), and begins
/// again when there are more ranks than slots. Throws InputError for a host that the platform
/// lacks.
Placement placeRanks(const HostFile &hosts, const Platform &platform, uint32_t ranks);
/// Without a host file: one slot on each host of the platform, in its order.
Placement placeRanks(const Platform &platform, uint32_t ranks);

} // namespace gnomon::platform
