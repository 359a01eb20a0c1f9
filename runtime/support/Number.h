// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Reading of numbers and quantities from files and options. Decimal only, independent of the
/// locale: signs, NaN, infinities, hexadecimal and numbers out of range are refused, because each
/// has at some time passed unnoticed through a simulator and made its times wrong.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

namespace gnomon {

/// Says what is wrong with a number, without saying where it stood: "not a number: 'abc'".
class NumberError : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

enum class Unit : uint8_t {
  None,
  Seconds,        ///< w d h m s ms us ns ps
  Bytes,          ///< B, or b for bits, with k M G T P E Z Y or Ki Mi Gi Ti Pi Ei Zi Yi in front
  BytesPerSecond, ///< Bps, or bps for bits, with the same prefixes
  FlopsPerSecond, ///< f or flops with k M G T P E Z Y in front, also kiloflops, megaflops…
};

struct Quantity {
  double value = 0;    ///< in seconds, bytes, bytes/s, flop/s
  bool hadUnit = true; ///< false: a bare number other than 0, taken in the unit above
};

/// The least bandwidth and speed above zero: a byte, or an operation, in 32 years.
inline constexpr double LeastRate = 1e-9;
/// The longest time. Any sum of such times is finite.
inline constexpr double MostSeconds = 1e100;

/// A finite number that is not negative. Throws NumberError.
double parseNumber(std::string_view text);
/// An unsigned integer of decimal digits. Throws NumberError.
uint64_t parseInteger(std::string_view text);
/// The same of hexadecimal digits, without a prefix: of what names a file's or a program's content. Throws NumberError.
uint64_t parseHexadecimal(std::string_view text);
/// A number with a unit; rates are 0 or at least LeastRate, times at most MostSeconds. Throws
/// NumberError.
Quantity parseQuantity(std::string_view text, Unit unit);

/// The shortest decimal text that reads back as \p value.
std::string formatNumber(double value);

} // namespace gnomon
