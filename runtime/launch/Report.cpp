// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "launch/Report.h"

#include "mpi/RankState.h"
#include "output/OrderedOutput.h"
#include "output/StateReport.h"
#include "output/Summary.h"
#include "support/Error.h"

namespace gnomon::launch {
namespace {

/// What the summary is made of; alone in this file because a crash reports from a signal handler.
struct Reporting {
  const Options *options = nullptr;
  const process::World *world = nullptr;
  output::OrderedOutput *output = nullptr;
  double startedAtWallSeconds = 0;
};
Reporting reporting;

output::Summary summarize(const process::Outcome &outcome, int exitCode) {
  const p2p::Statistics &traffic = mpi::runtime().fabric.statistics();
  output::Summary summary;
  summary.simulatedSeconds = outcome.endedAt.seconds;
  summary.ranks = static_cast<uint32_t>(reporting.world->ranks.size());
  summary.messages = traffic.messages;
  summary.bytes = traffic.bytes;
  summary.wallSeconds = process::wallSeconds() - reporting.startedAtWallSeconds;
  summary.cpuSeconds = process::processCpuSeconds();
  summary.peakResidentBytes = process::peakResidentBytes();
  summary.exitCode = exitCode;
  summary.complete = outcome.kind == process::Outcome::Kind::Finished;
  return summary;
}

/// Prints the summary and writes the JSON; returns the process's exit code.
int publish(const process::Outcome &outcome, int exitCode) {
  const Options &options = *reporting.options;
  if (!options.launched())
    return exitCode;
  output::Summary summary = summarize(outcome, exitCode);
  if (!options.flag("quiet"))
    process::printError(output::summaryLine(summary));
  if (const std::string &path = options.text("json"); !path.empty())
    if (std::string error = output::writeJson(summary, path); !error.empty()) {
      process::printError("gnomon: error: " + error + "\n");
      return exitCode ? exitCode : static_cast<int>(ExitCode::NoProgress);
    }
  return exitCode;
}

void publishInterrupted(const process::Outcome &outcome) { publish(outcome, outcome.exitCode); }

} // namespace

std::unique_ptr<process::OutputSink> makeOutput(const Options &options, kernel::Engine &engine) {
  if (!options.launched())
    return nullptr;
  auto output = std::make_unique<output::OrderedOutput>(engine);
  reporting.output = output.get();
  return output;
}

void startReporting(const Options &options, process::World &world) {
  reporting.options = &options;
  reporting.world = &world;
  reporting.startedAtWallSeconds = process::wallSeconds();
  process::setStateReporter(output::stateReport);
  process::setFinisher(publishInterrupted);
}

int report(const process::Outcome &outcome) {
  if (process::OutputSink *sink = process::outputSink())
    sink->flushAll();
  int exitCode = outcome.exitCode;
  if (outcome.kind == process::Outcome::Kind::Deadlock) {
    process::printError(output::deadlockReport(*reporting.world));
    if (exitCode == 0) // A rank that had ended with a code of its own comes first.
      exitCode = static_cast<int>(ExitCode::Deadlock);
  }
  if (reporting.output && !reporting.output->error().empty() && exitCode == 0)
    exitCode = static_cast<int>(ExitCode::NoProgress);
  return publish(outcome, exitCode);
}

} // namespace gnomon::launch
