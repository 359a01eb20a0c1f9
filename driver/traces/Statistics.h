// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What is in a trace: calls, messages, volumes of computation.
#pragma once

#include "trace/Record.h"

#include <array>
#include <functional>
#include <map>
#include <string>

namespace gnomon::traces {

/// Of some numbers.
struct Spread {
  double least = 0, most = 0, sum = 0;
  uint64_t count = 0;
  void add(double value);
  double mean() const { return count ? sum / static_cast<double>(count) : 0; }
};

struct Statistics {
  struct Calls {
    uint64_t calls = 0, bytes = 0; ///< bytes: of the buffers that they send
  };
  struct Burst {
    uint64_t times = 0;
    double instructions = 0, seconds = 0; ///< of those that are known
  };

  uint64_t records = 0;
  uint64_t valueBytes = 0; ///< of the records, with eight for a function and for each value
  uint64_t messages = 0, messageBytes = 0;
  std::array<uint64_t, 65>
      messagesOf{}; ///< [0]: of no bytes; [k]: of at least 2^(k-1), less than 2^k
  std::map<std::string, Calls> functions;
  std::map<std::string, Burst> bursts;
  /// Of the ranks' sums; seconds of those ranks only where some are known.
  Spread recordsOfRank, bytesOfRank, instructionsOfRank, secondsOfRank;
};

/// Reads the whole trace. \p progress (may be empty) is told how many ranks are done.
Statistics statisticsOf(const trace::Source &source,
                        const std::function<void(uint64_t, uint64_t)> &progress);

/// For people, and as JSON (schema trace). \p fileBytes 0: not a file of ours.
std::string statisticsText(const Statistics &statistics, const trace::Source &source,
                           const std::string &path, uint64_t fileBytes);
std::string statisticsJson(const Statistics &statistics, const trace::Source &source,
                           const std::string &path, uint64_t fileBytes);

} // namespace gnomon::traces
