// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sweep/Axes.h"

#include "support/Error.h"
#include "support/Number.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace gnomon::sweep {
namespace {

constexpr size_t MostCombinations = 1'000'000;

[[noreturn]] void fail(const std::string &text) { throw InputError("", 0, "sweep: " + text); }

/// Whether \p piece of a list is `key=value` of what stands before it: `bw=10Gbps`, `segment=8192`.
bool goesOn(const std::string &piece) {
  const size_t at = piece.find_first_of("=:/.");
  return at != std::string::npos && piece[at] == '=';
}

/// The values between commas. \p withKeys: `key=value` belongs to the value before it.
std::vector<std::string> cut(const std::string &what, const std::string &list, bool withKeys) {
  std::vector<std::string> values;
  for (size_t begin = 0; begin <= list.size();) {
    const size_t end = std::min(list.find(',', begin), list.size());
    const std::string piece = list.substr(begin, end - begin);
    if (piece.empty())
      fail(fmt::format("'{}': a value is empty; expected values with commas between them", what));
    if (withKeys && !values.empty() && goesOn(piece))
      values.back() += "," + piece;
    else
      values.push_back(piece);
    begin = end + 1;
  }
  std::set<std::string> seen;
  for (const std::string &value : values)
    if (!seen.insert(value).second)
      fail(fmt::format("'{}': the value '{}' is there twice", what, value));
  return values;
}

/// "2x".
double factorOf(const std::string &what, const std::string &value) {
  double factor = 0;
  try {
    if (value.ends_with('x'))
      factor = parseNumber(std::string_view(value).substr(0, value.size() - 1));
  } catch (const NumberError &) {
    // told below
  }
  if (!(factor >= 1e-6 && factor <= 1e6))
    fail(
        fmt::format("'{}': '{}' is no factor from 0.000001x to 1000000x, such as 2x", what, value));
  return factor;
}

/// `allreduce:rdb,ring,bcast:chain`: each value with its collective; those of one are shown without.
void nameCollectives(const std::string &what, Axis &axis) {
  std::string collective;
  std::set<std::string> collectives;
  for (std::string &value : axis.values) {
    const size_t colon = value.find(':');
    if (colon == 0 || (colon == std::string::npos && collective.empty()))
      fail(fmt::format("'{}': expected COLLECTIVE:ALGORITHM first, such as coll=allreduce:rdb,ring",
                       what));
    if (colon == std::string::npos)
      value = collective + ":" + value;
    else
      collective = value.substr(0, colon);
    collectives.insert(collective);
  }
  if (collectives.size() > 1)
    return;
  axis.name += ":" + collective;
  axis.prefix = collective + ":";
  for (std::string &value : axis.values)
    value = value.substr(axis.prefix.size());
}

std::string wordOf(const Axis &axis, const std::string &value) {
  if (axis.kind == Axis::Kind::Platform)
    return "--platform=" + value;
  if (axis.kind == Axis::Kind::Setting)
    return fmt::format("--set={}={}", axis.option, value);
  return fmt::format("--{}={}{}", axis.option, axis.prefix, value);
}

} // namespace

Axis platformAxis(const std::string &list) {
  return {Axis::Kind::Platform, "platform", "", "", cut("--platforms", list, true), {}};
}

Axis parseAxis(const std::string &text) {
  const size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0)
    fail(fmt::format("'--vary {}': expected KEY=V1,V2,…", text));
  const std::string key = text.substr(0, equals), list = text.substr(equals + 1);
  const std::string what = "--vary " + key;
  if (key == "platform")
    return platformAxis(list);
  Axis axis{Axis::Kind::Option, key, key == "n" ? "ranks" : key, "", {}, {}};
  axis.values = cut(what, list, key == "coll");
  if (key == "link/bw" || key == "link/lat" || key == "host/speed") {
    axis.kind = key == "link/bw"    ? Axis::Kind::Bandwidth
                : key == "link/lat" ? Axis::Kind::Latency
                                    : Axis::Kind::Speed;
    for (const std::string &value : axis.values)
      axis.factors.push_back(factorOf(what, value));
  } else if (key.starts_with("set:")) {
    axis.kind = Axis::Kind::Setting;
    axis.option = key.substr(4);
    if (axis.option.empty())
      fail(fmt::format("'--vary {}': expected set:KEY=V1,V2,…", text));
  } else if (key == "coll") {
    nameCollectives(what, axis);
  } else if (key.find('/') != std::string::npos) {
    fail(fmt::format("'{}': there are link/bw, link/lat and host/speed; a parameter of a model is "
                     "'set:{}=…'",
                     what, key));
  }
  return axis;
}

std::vector<Choice> combinations(const std::vector<Axis> &axes) {
  size_t count = 1;
  std::set<std::string> names;
  for (const Axis &axis : axes) {
    if (!names.insert(axis.name).second)
      fail(fmt::format("'{}' is varied twice", axis.name));
    count *= axis.values.size();
    if (count > MostCombinations)
      fail(fmt::format("more than {} combinations", MostCombinations));
  }
  std::vector<Choice> all;
  for (size_t number = 0; number < count; ++number) {
    Choice choice(axes.size());
    size_t rest = number;
    for (size_t at = axes.size(); at-- > 0; rest /= axes[at].values.size())
      choice[at] = rest % axes[at].values.size();
    all.push_back(std::move(choice));
  }
  return all;
}

Wishes wishesOf(const std::vector<Axis> &axes, const Choice &choice) {
  Wishes wishes;
  for (size_t at = 0; at < axes.size(); ++at) {
    const Axis &axis = axes[at];
    const std::string &value = axis.values[choice[at]];
    if (axis.kind == Axis::Kind::Bandwidth)
      wishes.scale.bandwidth = axis.factors[choice[at]];
    else if (axis.kind == Axis::Kind::Latency)
      wishes.scale.latency = axis.factors[choice[at]];
    else if (axis.kind == Axis::Kind::Speed)
      wishes.scale.speed = axis.factors[choice[at]];
    else if (axis.kind != Axis::Kind::Platform || value != "default")
      wishes.words.push_back(wordOf(axis, value));
  }
  return wishes;
}

std::vector<std::string> valuesOf(const std::vector<Axis> &axes, const Choice &choice) {
  std::vector<std::string> values;
  for (size_t at = 0; at < axes.size(); ++at)
    values.push_back(axes[at].values[choice[at]]);
  return values;
}

} // namespace gnomon::sweep
