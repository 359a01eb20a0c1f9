// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What stands before the first record of a Dimemas trace, and how its lines are taken apart.
#pragma once

#include "trace-formats/LineReader.h"

#include <map>
#include <unordered_map>

namespace gnomon::trace::dimemas {

/// A communicator of the trace.
struct Communicator {
  std::vector<uint32_t> tasks;
  std::unordered_map<uint32_t, uint32_t>
      rankOf;      ///< by task; empty where rank and task are the same
  int64_t row = 0; ///< in our trace

  uint32_t size() const { return static_cast<uint32_t>(tasks.size()); }
};

struct Header {
  std::string program;
  uint32_t tasks = 0;
  bool hasOffsets = false; ///< lines `s:` at the end say where tasks begin
  std::map<int64_t, Communicator> communicators;
};

/// `a:b:c` as its fields.
void splitFields(std::string_view line, std::vector<std::string_view> &fields);

/// The first line: `#DIMEMAS:"name":1,123:4(1,1,1,1),2`. Refuses tasks with several threads.
Header readHeader(LineReader &reader);
/// `d:1:communicator:tasks:task:task:…`. Other definitions are passed over.
void readDefinition(LineReader &reader, const std::vector<std::string_view> &fields,
                    Header &header);

} // namespace gnomon::trace::dimemas
