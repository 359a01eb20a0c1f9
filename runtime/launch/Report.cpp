// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "launch/Report.h"
#include "launch/Tracing.h"

#include "mpi/RankState.h"
#include "output/BurstText.h"
#include "output/DecisionFile.h"
#include "output/OrderedOutput.h"
#include "output/ProfileFile.h"
#include "output/StateReport.h"
#include "output/Summary.h"
#include "process/image/Real.h"
#include "process/merge/Merging.h"
#include "process/ranks/PageCost.h"
#include "replay/Replay.h"
#include "support/Error.h"
#include "support/Number.h"

#include <algorithm>
#include <fcntl.h>
#include <fmt/format.h>
#include <optional>
#include <string>
#include <unistd.h>

namespace gnomon::launch {
namespace {

/// What is asked of the ranks while they are there: with the machine they go (docs/adr/0032).
struct Findings {
  output::Summary summary;
  std::string leaks, collMessages;
  process::burst::Profile profile = {}; ///< where one is to be written
};

/// What the summary is made of; alone in this file because a crash reports from a signal handler.
struct Reporting {
  const Options *options = nullptr;
  const process::World *world = nullptr;
  output::OrderedOutput *output = nullptr;
  Outputs *outputs = nullptr;
  double startedAtWallSeconds = 0;
  /// What is said about the run, once its ranks are over: the MPI state may be gone.
  std::optional<Findings> findings;
};
Reporting reporting;

output::PolledTime polledTime() {
  constexpr double MuchSeconds = 1e-6;
  const models::ProtocolCosts &costs = reporting.world->protocol;
  output::PolledTime polls;
  polls.costMuch = mpi::runtime().settings.pollsGrow() || costs.testSeconds() >= MuchSeconds ||
                   costs.iprobeSeconds() >= MuchSeconds;
  for (const auto &rank : reporting.world->ranks) {
    const double seconds = rank->mpi ? mpi::state(*rank).polledSeconds : 0;
    polls.allRanksSeconds += seconds;
    if (seconds <= polls.seconds)
      continue;
    polls.seconds = seconds;
    polls.rank = rank->number;
  }
  return polls;
}

output::Summary summarize(const process::Outcome &outcome, int exitCode) {
  const p2p::Statistics &traffic = mpi::runtime().fabric.statistics();
  output::Summary summary;
  summary.simulatedSeconds = outcome.endedAt.seconds;
  summary.ranks = static_cast<uint32_t>(reporting.world->ranks.size());
  summary.messages = traffic.messages;
  summary.bytes = traffic.bytes;
  summary.wallSeconds = process::wallSeconds() - reporting.startedAtWallSeconds;
  summary.cpuSeconds = process::processCpuSeconds();
  summary.pages = process::pageFigures();
  summary.cores = process::coreFigures();
  summary.equalWork = process::equalWorkFigures();
  summary.exitCode = exitCode;
  summary.complete = outcome.kind == process::Outcome::Kind::Finished;
  summary.bursts = process::burst::report();
  summary.merged = process::merge::report();
  summary.peakResidentBytes =
      process::peakResidentBytes(summary.bursts.folding.residentBytes +
                                 (summary.merged ? summary.merged->figures.residentBytes : 0));
  summary.polls = polledTime();
  if (const replay::Replay *replay = replay::Replay::running())
    summary.actions = {replay->played(), replay->total()};
  return summary;
}

Findings find(const process::Outcome &outcome, int exitCode) {
  Findings found{.summary = summarize(outcome, exitCode), .leaks = {}, .collMessages = {}};
  if (found.summary.complete && !mpi::runtime().settings.checks.quiet)
    found.leaks = mpi::leakText();
  if (!reporting.options->collMessages.empty())
    found.collMessages = collectiveMessages(found.summary.complete);
  if (reporting.outputs->recordProfile)
    found.profile = process::burst::recordedProfile();
  return found;
}

/// Finishes every file that was asked for; whether that went well.
bool writeOutputs(const Findings &found, const output::Summary &summary) {
  const Outputs &outputs = *reporting.outputs;
  bool written = true;
  auto check = [&](const std::string &error) {
    if (!error.empty())
      process::printError(fmt::format("gnomon: error: {}\n", error));
    written &= error.empty();
  };
  const std::string bursts = reporting.options->bursts.empty()
                                 ? std::string()
                                 : output::burstTable(summary.bursts, summary.complete);
  if (outputs.bursts)
    check(outputs.bursts->finish(bursts));
  else
    process::printError(bursts);
  auto writeWhole = [&](const std::unique_ptr<output::OutputFile> &file, auto text) {
    if (file && summary.complete)
      check(file->finish(text()));
    else if (file)
      process::printError(
          fmt::format("gnomon: note: {} is not written: the run was cut short\n", file->path()));
  };
  writeWhole(outputs.recordProfile, [&] { return output::profileJson(found.profile); });
  writeWhole(outputs.recordDecisions,
             [] { return output::decisionText(process::burst::recordedDecisions()); });
  if (outputs.json)
    check(outputs.json->finish(output::summaryJson(summary)));
  if (outputs.collMessages)
    check(outputs.collMessages->finish(found.collMessages));
  if (outputs.commTrace)
    check(outputs.commTrace->finish(summary.complete));
  if (outputs.trace)
    check(finishTrace(*outputs.trace, summary.complete));
  return written;
}

/// Prints the summary and writes the files; returns the process's exit code.
int publish(const process::Outcome &outcome, int exitCode) {
  const Options &options = *reporting.options;
  if (!options.launched)
    return exitCode;
  const Findings found = reporting.findings ? *reporting.findings : find(outcome, exitCode);
  output::Summary summary = found.summary;
  summary.complete &= outcome.kind == process::Outcome::Kind::Finished;
  if (auto &decisions = summary.bursts.decisions;
      !summary.complete && decisions.kind == process::burst::DecisionReport::Kind::Recorded)
    decisions.learning.reset(); // nothing is written
  summary.exitCode = exitCode;
  if (!options.quiet)
    process::printError(output::summaryLine(summary));
  if (summary.complete && !found.leaks.empty())
    process::printError("gnomon: note: " + found.leaks + "\n");
  return writeOutputs(found, summary) || exitCode ? exitCode : static_cast<int>(ExitCode::NoOutput);
}

void publishInterrupted(const process::Outcome &outcome) { publish(outcome, outcome.exitCode); }

} // namespace

void occupyStandardStreams() {
  for (int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (fcntl(stream, F_GETFD) < 0) // to read from, where one writes: that fails, as it would
      GNOMON_REAL(open)("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

std::unique_ptr<process::OutputSink> makeOutput(const Options &options, kernel::Engine &engine) {
  if (!options.launched)
    return nullptr;
  auto output = std::make_unique<output::OrderedOutput>(engine);
  reporting.output = output.get();
  return output;
}

void startReporting(const Options &options, process::World &world, Outputs &outputs) {
  reporting.outputs = &outputs;
  reporting.options = &options;
  reporting.world = &world;
  reporting.startedAtWallSeconds = process::wallSeconds();
  process::setStateReporter(output::stateReport);
  process::setFinisher(publishInterrupted);
}

namespace {

/// "rank 3", "ranks 3, 4": those that run on \p host; empty when there are none.
std::string ranksOn(platform::HostIndex host) {
  constexpr size_t Most = 8;
  std::vector<uint32_t> numbers;
  for (const auto &rank : reporting.world->ranks)
    if (!rank->finished && rank->host == host)
      numbers.push_back(rank->number);
  std::string text;
  for (size_t i = 0; i < std::min(numbers.size(), Most); ++i)
    text += fmt::format("{}{}", i ? ", " : numbers.size() > 1 ? "ranks " : "rank ", numbers[i]);
  return numbers.size() > Most ? text + ", …" : text;
}

std::string hostText(platform::HostIndex host) {
  const std::string ranks = ranksOn(host);
  return fmt::format("host '{}'{}", reporting.world->platform.hosts()[host].name.str(),
                     ranks.empty() ? "" : " (" + ranks + ")");
}

} // namespace

void reportFailure(const models::Failure &failure) {
  const bool host = failure.what == models::Failure::What::Host;
  if (host && ranksOn(failure.source).empty())
    return;
  const std::string thing =
      host ? hostText(failure.source) : fmt::format("link '{}'", failure.name);
  std::string text = fmt::format("gnomon: error: at {} s {} is off ({})",
                                 formatNumber(failure.date.seconds), thing, failure.cause);
  if (!host)
    text += fmt::format(", and a message of {} bytes from {} to {} needs it", failure.bytes,
                        hostText(failure.source), hostText(failure.destination));
  text += "; an MPI program cannot go on without it: keep it on in the platform's profile, or end "
          "the program before\n";
  process::abortWorld(static_cast<int>(ExitCode::MpiError),
                      [&] { return text + output::stateReport(*reporting.world); });
}

void limitSimulatedTime(const Options &options, kernel::Engine &engine) {
  if (options.limitTime <= 0)
    return;
  const auto reached = [](void *, uint64_t) {
    const std::string date = formatNumber(reporting.options->limitTime);
    process::abortWorld(static_cast<int>(ExitCode::NoProgress), [&] {
      return fmt::format(
          "gnomon: at {} s: the limit of {} s of simulated time (--limit-time) is reached\n{}",
          date, date, output::stateReport(*reporting.world));
    });
  };
  // In the background: it keeps no run going that has come to its end.
  engine.inBackground({options.limitTime}, {reached, nullptr, 0});
}

Ending conclude(const process::Outcome &outcome) {
  if (process::OutputSink *sink = process::outputSink())
    sink->flushAll();
  int exitCode = outcome.exitCode;
  if (outcome.kind == process::Outcome::Kind::Deadlock) {
    process::printError(output::deadlockReport(*reporting.world));
    if (exitCode == 0) // A rank that had ended with a code of its own comes first.
      exitCode = static_cast<int>(ExitCode::Deadlock);
  }
  if (outcome.kind == process::Outcome::Kind::Finished)
    if (std::string wrong = process::burst::decisionsEnded(); exitCode == 0 && !wrong.empty()) {
      process::printError(wrong);
      exitCode = static_cast<int>(ExitCode::BadInput);
    }
  if (reporting.output && !reporting.output->error().empty()) {
    // It may have been the last words that could not be written.
    if (!reporting.output->errorWasTold())
      process::printError(fmt::format("gnomon: {}\n", reporting.output->error()));
    if (exitCode == 0)
      exitCode = static_cast<int>(ExitCode::NoOutput);
  }
  reporting.findings = find(outcome, exitCode);
  process::merge::stop();
  mpi::tearDown();
  return {outcome, exitCode};
}

int report(const Ending &ending) {
  process::setFinisher(nullptr);
  return publish(ending.outcome, ending.exitCode);
}

} // namespace gnomon::launch
