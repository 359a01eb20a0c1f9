// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Figures as people write them, with at most four significant digits: "10 Gbit/s", "24 us".
#pragma once

#include <cstdint>
#include <string>

namespace gnomon::draw {

std::string formatBandwidth(double bytesPerSecond); ///< in bits
std::string formatBytesRate(double bytesPerSecond); ///< in bytes
std::string formatSeconds(double seconds);
std::string formatFlops(double flopsPerSecond);
std::string formatCount(uint64_t number); ///< "1,024"

/// What an InputError of \p file and \p line says, without the place in front.
std::string withoutPlace(const std::string &what, const std::string &file, int line);

} // namespace gnomon::draw
