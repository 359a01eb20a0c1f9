// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "models/collectives/CurveFile.h"

#include "platform/FileText.h"
#include "support/Error.h"
#include "support/Names.h"
#include "support/Number.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace gnomon::models {

namespace {

constexpr size_t MostCoefficients = 8;

/// Cuts the first word off \p text.
std::string_view takeWord(std::string_view &text) {
  constexpr std::string_view blanks = " \t\r";
  text.remove_prefix(std::min(text.find_first_not_of(blanks), text.size()));
  std::string_view word = text.substr(0, text.find_first_of(blanks));
  text.remove_prefix(word.size());
  return word;
}

Growth growthNamed(std::string_view name) {
  if (name == "constant")
    return Growth::Constant;
  if (name == "logarithmic")
    return Growth::Logarithmic;
  if (name == "linear")
    return Growth::Linear;
  throw NumberError("expected constant, logarithmic or linear, found '" + std::string(name) + "'");
}

std::vector<double> coefficientsIn(std::string_view list) {
  std::vector<double> coefficients;
  while (true) {
    std::string_view number = list.substr(0, list.find(','));
    const bool negative = number.starts_with('-'); // only here a sign means something
    const double value = parseNumber(number.substr(negative ? 1 : 0));
    coefficients.push_back(negative ? -value : value);
    if (coefficients.size() > MostCoefficients)
      throw NumberError(fmt::format("at most {} coefficients", MostCoefficients));
    if (number.size() == list.size())
      return coefficients;
    list.remove_prefix(number.size() + 1);
  }
}

double aboveZero(double value) {
  if (value <= 0)
    throw NumberError("must be above zero");
  return value;
}

void setValue(CurveFile::Curve &curve, std::string_view key, std::string_view value) {
  if (key == "latency")
    curve.latencySeconds = parseQuantity(value, Unit::Seconds).value;
  else if (key == "bandwidth")
    curve.bandwidth = aboveZero(parseQuantity(value, Unit::BytesPerSecond).value);
  else if (key == "curve")
    curve.coefficients = coefficientsIn(value);
  else if (key == "from")
    curve.fromBytes = aboveZero(parseQuantity(value, Unit::Bytes).value);
  else if (key == "to")
    curve.toBytes = aboveZero(parseQuantity(value, Unit::Bytes).value);
  else
    throw NumberError("there is no such key" +
                      didYouMean(key, std::vector<std::string_view>{"latency", "bandwidth", "curve",
                                                                    "from", "to"}));
}

/// A polynomial can leave what a machine may have far behind: every power of two is tried.
void checkCurve(const CurveFile::Curve &curve) {
  constexpr double slowest = 1e-3, fastest = 1e18; // bytes/s
  for (double size = curve.fromBytes; !curve.coefficients.empty() && size <= curve.toBytes;
       size *= 2)
    if (double bandwidth = curve.bandwidthAt(size); !(bandwidth > slowest && bandwidth < fastest))
      throw NumberError("the curve gives " + formatNumber(bandwidth) + " bytes/s at " +
                        formatNumber(size) + " bytes; say with from and to where it holds");
}

CurveFile::Curve parseLine(std::string_view name, std::string_view rest) {
  CurveFile::Curve curve;
  curve.collective = name;
  curve.growth = growthNamed(takeWord(rest));
  for (std::string_view word = takeWord(rest); !word.empty(); word = takeWord(rest)) {
    const size_t equals = word.find('=');
    if (equals == std::string_view::npos)
      throw NumberError("expected KEY=VALUE, found '" + std::string(word) + "'");
    const std::string_view key = word.substr(0, equals);
    try {
      setValue(curve, key, word.substr(equals + 1));
    } catch (const NumberError &error) {
      throw NumberError(std::string(key) + ": " + error.what());
    }
  }
  if (curve.bandwidth > 0 && !curve.coefficients.empty())
    throw NumberError("give a bandwidth or a curve, not both");
  if (curve.latencySeconds == 0 && curve.bandwidth == 0 && curve.coefficients.empty())
    throw NumberError("it would take no time: give a latency, a bandwidth or a curve");
  if (curve.fromBytes > curve.toBytes)
    throw NumberError("from is greater than to");
  checkCurve(curve);
  return curve;
}

} // namespace

double CurveFile::Curve::bandwidthAt(double bytes) const {
  if (coefficients.empty())
    return bandwidth;
  const double x = std::log(std::clamp(bytes, fromBytes, toBytes));
  double exponent = 0;
  for (auto c = coefficients.rbegin(); c != coefficients.rend(); ++c)
    exponent = exponent * x + *c;
  return std::exp(exponent);
}

double CurveFile::Curve::seconds(size_t ranks, uint64_t bytes) const {
  const double size = static_cast<double>(bytes);
  const double body = bandwidth > 0 || !coefficients.empty() ? size / bandwidthAt(size) : 0;
  return steps(growth, ranks) * (latencySeconds + body);
}

CurveFile CurveFile::parse(std::string_view text, const std::string &file) {
  CurveFile result;
  for (int line = 1; !text.empty(); ++line) {
    std::string_view rest = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(rest.size() + 1, text.size()));
    rest = rest.substr(0, rest.find('#'));
    const std::string_view name = takeWord(rest);
    if (name.empty())
      continue;
    if (result.find(name))
      throw InputError(file, line, "'" + std::string(name) + "' stands twice");
    try {
      result.curves_.push_back(parseLine(name, rest));
    } catch (const NumberError &error) {
      throw InputError(file, line, std::string(name) + ": " + error.what());
    }
    result.curves_.back().line = line;
  }
  if (result.curves_.empty())
    throw InputError(file, 0, "no collective in it");
  return result;
}

CurveFile CurveFile::read(const std::string &path) { return parse(platform::readText(path), path); }

const CurveFile::Curve *CurveFile::find(std::string_view collective) const {
  auto found = std::ranges::find(curves_, collective, &Curve::collective);
  return found == curves_.end() ? nullptr : &*found;
}

bool CurveFile::times(std::string_view collective) const {
  return find(collective) || (others_ && others_->times(collective));
}

double CurveFile::seconds(const CollectiveCall &call) {
  const Curve *curve = find(call.name);
  if (!curve)
    return others_->seconds(call);
  return curve->seconds(call.hosts.size(), call.bytes);
}

} // namespace gnomon::models
