// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// By system calls, since libgnomon's own functions belong to the ranks.
#include "support/FileHash.h"

#include <cerrno>
#include <memory>
#include <sys/syscall.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace gnomon {

std::optional<uint64_t> hashOfFile(int descriptor, uint64_t mostBytes) {
  const std::unique_ptr<XXH64_state_t, decltype(&XXH64_freeState)> state(XXH64_createState(),
                                                                         XXH64_freeState);
  if (!state)
    return std::nullopt;
  XXH64_reset(state.get(), 0);
  constexpr size_t PieceBytes = size_t{1} << 20;
  const auto piece = std::make_unique_for_overwrite<char[]>(PieceBytes);
  uint64_t at = 0;
  while (at <= mostBytes) {
    const long got = syscall(SYS_pread64, descriptor, piece.get(), PieceBytes, at);
    if (got < 0 && errno == EINTR)
      continue;
    if (got < 0)
      return std::nullopt;
    if (got == 0)
      return XXH64_digest(state.get());
    XXH64_update(state.get(), piece.get(), static_cast<size_t>(got));
    at += static_cast<uint64_t>(got);
  }
  return std::nullopt;
}

uint64_t hashOf(std::string_view bytes) { return XXH64(bytes.data(), bytes.size(), 0); }

} // namespace gnomon
