// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The end of Main.cpp: where the ranks' output goes, and what is said about the run.
#pragma once

#include "launch/Options.h"
#include "launch/Outputs.h"
#include "process/ranks/World.h"

#include <memory>

namespace gnomon::launch {

/// Where a standard stream is closed, no file that is opened later may become it: the ranks would
/// write there. Called before anything is opened.
void occupyStandardStreams();
/// Takes the ranks' standard output and error; null for a program that runs alone.
std::unique_ptr<process::OutputSink> makeOutput(const Options &options, kernel::Engine &engine);
/// Collectives are watched if --coll-messages asks for it.
void watchCollectives(const Options &options);
/// The text of that file.
std::string collectiveMessages(bool complete);
/// From here on an end in the middle (crash, time limit) is reported too.
void startReporting(const Options &options, process::World &world, Outputs &outputs);
/// `--limit-time`: at that date the run ends, and where every rank stands is told.
void limitSimulatedTime(const Options &options, kernel::Engine &engine);
/// A host or link that ranks need was switched off: says who is hit and where every rank stands,
/// and ends the run. Returns when nobody is hit.
void reportFailure(const models::Failure &failure);
/// How a run ended, and the code that the process is to exit with.
struct Ending {
  process::Outcome outcome;
  int exitCode = 0;
};
/// Flushes the ranks' output, describes a deadlock, finds what is to be said, and takes MPI's state
/// down. What ends the process from here on is reported with that.
Ending conclude(const process::Outcome &outcome);
/// The summary, the JSON and the other outputs; gives the process's exit code.
int report(const Ending &ending);

} // namespace gnomon::launch
