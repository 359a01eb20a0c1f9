// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Whose memory the runtime reads and writes. Ranks' data is copied wherever a message is matched or
/// an operation takes effect: mostly while another rank runs, or none. So that a fault in such a
/// copy is told of the rank whose buffer it is, the copier says so while it copies.
#pragma once

#include <cstdint>
#include <string>

namespace gnomon::process {

class Rank;

/// While it lives, the runtime copies memory of rank \p reads to memory of rank \p writes. What the
/// two operations are is for upper rooms to know (BufferNamer).
class Touching {
public:
  Touching(uint32_t reads, const void *sending, uint32_t writes, const void *receiving)
      : reads(reads), writes(writes), sending(sending), receiving(receiving) {
    present = this;
  }
  ~Touching() { present = nullptr; }
  Touching(const Touching &) = delete;
  Touching &operator=(const Touching &) = delete;

  const uint32_t reads, writes;
  const void *const sending, *const receiving;

  /// The copy under way; null: none. For handlers of signals, on the thread of the simulation.
  static inline constinit const Touching *volatile present = nullptr;
};

/// What \p operation of \p rank is, if it goes on behind the call that the rank is in: "MPI_Irecv
/// called at app.c:12". Empty: the call itself.
using BufferNamer = std::string (*)(const Rank &rank, const void *operation);
void setBufferNamer(BufferNamer namer);

} // namespace gnomon::process
