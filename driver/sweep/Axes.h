// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What a sweep varies. An axis is one thing with its values, in the order of the command line; a
/// combination takes a value of each axis.
#pragma once

#include "sweep/Variant.h"

#include <optional>
#include <string>
#include <vector>

namespace gnomon::sweep {

struct Axis {
  enum class Kind : uint8_t {
    Platform,  ///< values are platforms, `default` the one without a name
    Bandwidth, ///< values are factors, as are those of the next two
    Latency,
    Speed,
    Setting, ///< of --set; `option` is the key
    Option,  ///< of run or replay; `option` is its name
  };
  Kind kind;
  std::string name;                ///< of the column
  std::string option;              ///< Setting, Option
  std::string prefix;              ///< of the values that the option is given: "allreduce:"
  std::vector<std::string> values; ///< as they are shown
  std::vector<double> factors;     ///< Bandwidth, Latency, Speed: of each value
};

/// The platforms of --platforms, `a.xml,cluster:n=64,bw=10Gbps,lat=2us,b.xml`: a piece such as
/// `bw=10Gbps` goes on with the machine before it. Throws InputError.
Axis platformAxis(const std::string &list);

/// An axis of --vary, `KEY=V1,V2,…`. Throws InputError.
Axis parseAxis(const std::string &text);

/// The value of each axis, by number.
using Choice = std::vector<size_t>;

/// All combinations, the last axis varying fastest. Throws InputError when there are more than
/// 1,000,000, or two axes of one name.
std::vector<Choice> combinations(const std::vector<Axis> &axes);

/// What a combination asks for.
struct Wishes {
  /// Options of run or replay, a word each ("--coll=allreduce:rdb").
  std::vector<std::string> words;
  Scale scale;
};
Wishes wishesOf(const std::vector<Axis> &axes, const Choice &choice);

/// The values of a combination, as they are shown.
std::vector<std::string> valuesOf(const std::vector<Axis> &axes, const Choice &choice);

} // namespace gnomon::sweep
