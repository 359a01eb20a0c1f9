// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What readers and writers of foreign formats have in common: how a reader says how large the
/// trace is before its first record, what a conversion lost, and how far it is.
#pragma once

#include "trace/Record.h"

#include <functional>
#include <map>

namespace gnomon::trace {

/// Asked once by a reader when it knows the facts, before the first record; gives the sink for
/// them.
using OpenSink = std::function<Sink &(const Facts &)>;

/// Told from time to time how much of a conversion is done; both in the same unit.
using Progress = std::function<void(uint64_t done, uint64_t total)>;

/// What a conversion leaves out or changes, in words, with how often: for the user to be told once.
class Losses {
public:
  void add(const std::string &what, uint64_t times = 1) { times_[what] += times; }
  const std::map<std::string, uint64_t> &times() const { return times_; }

private:
  std::map<std::string, uint64_t> times_;
};

struct Conversion {
  Losses losses;
  Progress progress; ///< may be empty
};

/// Ranks of a trace at most: what a damaged file claims is not allocated.
inline constexpr uint32_t MostRanks = 1 << 24;

} // namespace gnomon::trace
