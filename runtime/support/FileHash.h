// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What a file holds, as one number: XXH64, the one that `xxhsum -H64` prints. It tells files apart that differ by
/// accident, not those that somebody made to look alike. The one user of xxhash.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace gnomon {

/// A larger file is known by its size alone: to read it would take seconds.
constexpr uint64_t MostHashedBytes = uint64_t{4} << 30;

/// Of all bytes of the regular file behind \p descriptor, read in pieces; where it is read next stays as it is. Nothing
/// when it cannot be read, or has more than \p mostBytes.
std::optional<uint64_t> hashOfFile(int descriptor, uint64_t mostBytes = MostHashedBytes);

uint64_t hashOf(std::string_view bytes);

} // namespace gnomon
