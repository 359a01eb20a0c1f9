// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What a run amounted to: one line for people, a JSON file for programs.
#pragma once

#include "process/burst/Report.h"
#include "process/merge/Merging.h"
#include "process/ranks/CoreSpeed.h"
#include "process/ranks/EqualWork.h"
#include "process/ranks/PageCost.h"

#include <cstdint>
#include <optional>
#include <string>

namespace gnomon::output {

/// Simulated time that went into the cost of polls (MPI_Test, MPI_Iprobe and their like), which is
/// a setting: of the rank with most of it, and of all ranks together.
struct PolledTime {
  uint32_t rank = 0;
  double seconds = 0, allRanksSeconds = 0;
  /// Polls take more than they do in a real MPI, by SMPI's rule or another setting.
  bool costMuch = false;
};

/// Of the run's simulated time: from this share on the summary has a note of polls.
inline constexpr double NotedPollShare = 0.1;

/// Of a replay: the actions of its trace, and how many of them were played.
struct Actions {
  uint64_t played = 0, total = 0;
};

struct Summary {
  double simulatedSeconds = 0;
  uint32_t ranks = 0;
  uint64_t messages = 0;
  uint64_t bytes = 0; ///< payload
  double wallSeconds = 0;
  double cpuSeconds = 0;
  uint64_t peakResidentBytes = 0;
  int exitCode = 0;
  bool complete = true; ///< every rank came to its end
  process::burst::Report bursts = {};
  PolledTime polls = {};
  std::optional<Actions> actions = {};
  process::PageCost::Figures pages = {};
  process::CoreSpeed::Figures cores = {};
  process::EqualWork::Figures equalWork = {};
  std::optional<process::merge::Report> merged = {}; ///< --merge-pages
};

/// One line with its newline: "gnomon: simulated 1.25 s on 4 ranks: 12 messages, …", and what there
/// is to say of bursts and polls below it. The word INCOMPLETE stands in it when the run was cut
/// short.
std::string summaryLine(const Summary &summary);

/// The summary as JSON, as schema/run.json (installed in share/gnomon/schema) explains it. What differs between two runs of the same inputs under --compute=counted,
/// profile or none stands in the one object "host".
std::string summaryJson(const Summary &summary);

} // namespace gnomon::output
