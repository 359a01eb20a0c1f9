// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What a run says of its bursts: the error budget of the summary, and a row a burst for the table.
/// Seconds are simulated ones, summed over all ranks, unless said otherwise.
#pragma once

#include "process/burst/Settings.h"
#include "process/fold/FoldedMemory.h"

#include <cstdint>
#include <string>
#include <vector>

namespace gnomon::process::burst {

struct ReportRow {
  std::string name; ///< the user's; empty: none
  std::string function, file;
  uint32_t line = 0;
  uint64_t executed = 0, skipped = 0;
  double seconds = 0;        ///< executed and skipped instances together
  double skippedSeconds = 0; ///< of which the skipped ones
  double relativeSpread = 0; ///< standard deviation of the cost per unit of work
  uint64_t samples = 0, outliers = 0;
  bool skippable = false;
  bool decided = false; ///< with decisions it would be, and only with them
  bool local = false;   ///< sampled on each rank
  std::string why;      ///< why instances were executed that need not have been, or why all were
};

struct ErrorSite {
  std::string function, file;
  uint32_t line = 0, taken = 0;
  bool stays = false; ///< it leaves a loop, and the user asked to stay in it
};

/// A point of which nothing is given.
struct HoldingPoint {
  PointKey key;
  std::string what;
  uint32_t bursts = 0; ///< with instances, that may be skipped once it and others are given
  double seconds = 0;  ///< of these; several points may hold one burst
};

struct Report {
  bool active = false;         ///< bursts were watched
  bool skipping = false;       ///< --sample was on
  bool learning = false;       ///< ranks executed everything to the end, to learn what bursts cost
  std::vector<ReportRow> rows; ///< bursts with instances, in the order of their places in the table
  uint64_t executed = 0, skipped = 0;
  double computedSeconds = 0; ///< all computation: bursts and what lies between
  double sampledSeconds = 0;  ///< charged for skipped instances
  double intervalSeconds = 0; ///< half the width of the 95 % confidence interval of sampledSeconds
  double computedIntervalSeconds = 0; ///< the same of computedSeconds
  double skippableSeconds = 0;        ///< of bursts that --shadow may skip
  double decidedSeconds = 0;          ///< the same with decisions; where these are given, 0
  /// Samples said so little more than the whole took that rows' shares are to be believed.
  bool sharesKnown = true;
  bool clocked = true;   ///< costs are readings of a clock
  uint64_t outliers = 0; ///< samples left out
  uint64_t preempted = 0,
           faulted = 0; ///< samples during which the thread lost the core; made pages
  uint64_t dropped = 0; ///< instances whose end was never seen, or in which MPI was called
  uint64_t guessed = 0; ///< instances of bursts without samples, at another burst's rate
  double guessedSeconds = 0;
  uint64_t errorPaths = 0;
  std::vector<ErrorSite> errorSites;
  bool watchedInPart = false;            ///< watching was stopped because it cost too much
  std::vector<std::string> notInProfile; ///< bursts that --compute=profile=FILE says nothing of
  double watchedSeconds = 0;             ///< of computation, while bursts were watched
  DecisionReport decisions;
  fold::Report folding;
  std::vector<HoldingPoint> holding; ///< that hold back what has taken time, the most first
};

/// What --record-profile writes of the running simulation.
Profile recordedProfile();
/// Of the running simulation; not active when bursts were left alone.
Report report();
/// What the running simulation has found bursts to cost, for later runs.
std::vector<EarlierRate> foundRates();

} // namespace gnomon::process::burst
