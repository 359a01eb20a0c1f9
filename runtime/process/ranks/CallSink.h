// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Where lines about the ranks' calls go. Room api writes them, room output keeps them; neither may
/// know the other.
#pragma once

#include <cstdint>
#include <string_view>

namespace gnomon::process {

class CallSink {
public:
  virtual ~CallSink() = default;
  /// Appends \p text to what \p rank has said. Returns its place: bytes before it on this rank.
  virtual uint64_t append(uint32_t rank, std::string_view text) = 0;
  /// Writes \p text over what stands at \p place on \p rank; no more bytes than were appended
  /// there.
  virtual void replace(uint32_t rank, uint64_t place, std::string_view text) = 0;
};

} // namespace gnomon::process
