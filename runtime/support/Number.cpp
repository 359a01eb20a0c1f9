// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Reading of numbers, units and their prefixes.
#include "support/Number.h"

#include <charconv>
#include <cmath>
#include <optional>

namespace gnomon {

namespace {

std::string quoted(std::string_view text) { return "'" + std::string(text.substr(0, 80)) + "'"; }

/// Reads the number that \p text begins with and cuts it off.
double takeNumber(std::string_view &text) {
  const std::string_view whole = text;
  if (text.empty())
    throw NumberError("a number is missing");
  if (text.front() == '-')
    throw NumberError("negative number: " + quoted(whole));
  // from_chars would also take "nan" and "inf".
  if (!(text.front() >= '0' && text.front() <= '9') && text.front() != '.')
    throw NumberError("not a number: " + quoted(whole));
  double value = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc::result_out_of_range)
    throw NumberError("number out of range: " + quoted(whole));
  if (error != std::errc() || !std::isfinite(value))
    throw NumberError("not a number: " + quoted(whole));
  text.remove_prefix(static_cast<size_t>(end - text.data()));
  return value;
}

struct Scale {
  std::string_view name;
  double factor;
};

constexpr Scale TimeUnits[] = {{"s", 1},  {"ms", 1e-3}, {"us", 1e-6}, {"ns", 1e-9}, {"ps", 1e-12},
                               {"m", 60}, {"h", 3600},  {"d", 86400}, {"w", 604800}};

constexpr Scale Prefixes[] = {{"", 1},
                              {"k", 1e3},
                              {"M", 1e6},
                              {"G", 1e9},
                              {"T", 1e12},
                              {"P", 1e15},
                              {"E", 1e18},
                              {"Z", 1e21},
                              {"Y", 1e24},
                              {"Ki", 1024.0},
                              {"Mi", 1048576.0},
                              {"Gi", 1073741824.0},
                              {"Ti", 1099511627776.0},
                              {"Pi", 1125899906842624.0},
                              {"Ei", 1152921504606846976.0},
                              {"Zi", 1180591620717411303424.0},
                              {"Yi", 1208925819614629174706176.0}};

constexpr Scale LongPrefixes[] = {{"kilo", 1e3},   {"mega", 1e6},  {"giga", 1e9},
                                  {"tera", 1e12},  {"peta", 1e15}, {"exa", 1e18},
                                  {"zetta", 1e21}, {"zeta", 1e21}, // SimGrid's spelling
                                  {"yotta", 1e24}};

template <size_t N> std::optional<double> find(const Scale (&scales)[N], std::string_view name) {
  for (const Scale &scale : scales)
    if (scale.name == name)
      return scale.factor;
  return std::nullopt;
}

/// The factor of a prefix followed by \p base; nothing when \p text does not end in \p base.
std::optional<double> prefixed(std::string_view text, std::string_view base) {
  if (!text.ends_with(base))
    return std::nullopt;
  text.remove_suffix(base.size());
  if (auto factor = find(Prefixes, text))
    return factor;
  return find(LongPrefixes, text);
}

std::optional<double> bytesOrBits(std::string_view text, std::string_view bytes,
                                  std::string_view bits) {
  if (auto factor = prefixed(text, bytes))
    return factor;
  if (auto factor = prefixed(text, bits))
    return *factor / 8;
  return std::nullopt;
}

std::optional<double> unitFactor(std::string_view text, Unit unit) {
  switch (unit) {
  case Unit::None:
    return std::nullopt;
  case Unit::Seconds:
    return find(TimeUnits, text);
  case Unit::Bytes:
    return bytesOrBits(text, "B", "b");
  case Unit::BytesPerSecond:
    return bytesOrBits(text, "Bps", "bps");
  case Unit::FlopsPerSecond:
    if (auto factor = prefixed(text, "flops"))
      return factor;
    return prefixed(text, "f");
  }
  return std::nullopt;
}

/// Refuses what no time of a simulation can be made of: at such a rate nothing would ever end, and
/// the sum of two such times may be infinite.
void checkExtremes(std::string_view text, double value, Unit unit) {
  const bool rate = unit == Unit::BytesPerSecond || unit == Unit::FlopsPerSecond;
  if (rate && value > 0 && value < LeastRate)
    throw NumberError(quoted(text) + " is less than " + formatNumber(LeastRate) +
                      (unit == Unit::BytesPerSecond ? " bytes/s" : " flop/s") +
                      ", in which nothing would end");
  if (!std::isfinite(value) || (unit == Unit::Seconds && value > MostSeconds))
    throw NumberError("number out of range: " + quoted(text));
}

const char *examples(Unit unit) {
  switch (unit) {
  case Unit::None:
    return "no unit";
  case Unit::Seconds:
    return "a time such as 2us or 1.5ms";
  case Unit::Bytes:
    return "a size such as 64KiB or 8MB";
  case Unit::BytesPerSecond:
    return "a bandwidth such as 10Gbps or 1.25GBps";
  case Unit::FlopsPerSecond:
    return "a speed such as 10Gf";
  }
  return "";
}

} // namespace

double parseNumber(std::string_view text) {
  std::string_view rest = text;
  double value = takeNumber(rest);
  if (!rest.empty())
    throw NumberError("not a number: " + quoted(text));
  return value;
}

static uint64_t parseDigits(std::string_view text, int base) {
  uint64_t value = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (error == std::errc::result_out_of_range)
    throw NumberError("number out of range: " + quoted(text));
  if (text.empty() || error != std::errc() || end != text.data() + text.size())
    throw NumberError("not a whole number: " + quoted(text));
  return value;
}

uint64_t parseInteger(std::string_view text) { return parseDigits(text, 10); }

uint64_t parseHexadecimal(std::string_view text) { return parseDigits(text, 16); }

Quantity parseQuantity(std::string_view text, Unit unit) {
  std::string_view rest = text;
  double value = takeNumber(rest);
  if (rest.empty()) {
    checkExtremes(text, value, unit);
    return {value, value == 0 || unit == Unit::None};
  }
  std::optional<double> factor = unitFactor(rest, unit);
  if (!factor)
    throw NumberError("unknown unit " + quoted(rest) + " in " + quoted(text) + "; expected " +
                      examples(unit));
  checkExtremes(text, value * *factor, unit);
  return {value * *factor, true};
}

std::string formatNumber(double value) {
  char buffer[64];
  auto [end, error] = std::to_chars(buffer, buffer + sizeof buffer, value);
  return std::string(buffer, error == std::errc() ? end : buffer);
}

} // namespace gnomon
