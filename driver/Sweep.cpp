// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// `gnomon sweep`: many runs or replays, and one table. The options of run and replay are passed on;
/// what a run says of itself comes back as the JSON that it writes.
#include "Documents.h"
#include "Message.h"
#include "RunCommandLine.h"
#include "Subcommands.h"
#include "SweepCommandLine.h"
#include "SweepOrigin.h"
#include "SweepOutputs.h"
#include "SweepRuns.h"
#include "platform/FileText.h"
#include "support/Number.h"
#include "support/TemporaryFolder.h"
#include "sweep/Resume.h"
#include "sweep/Table.h"
#include "trace/Section.h"
#include "trace/TraceFile.h"
#include "traces/Formats.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sched.h>

namespace gnomon::driver {
namespace {

namespace fs = std::filesystem;

bool isTrace(const std::string &name) {
  if (traces::formatOf(name) != traces::Format::Gnomon || name.ends_with(".gtr"))
    return true;
  std::ifstream file(name, std::ios::binary);
  std::string head(trace::Magic.size(), '\0');
  file.read(head.data(), static_cast<std::streamsize>(head.size()));
  return file && head == trace::Magic;
}

/// A trace of another format once, not once for each replay; ours, as it is.
std::string asOurs(const std::string &name, const TemporaryFolder &folder) {
  if (traces::formatOf(name) == traces::Format::Gnomon)
    return name;
  const std::string file = folder.file("trace.gtr").string();
  trace::Conversion conversion;
  const std::string wrong =
      traces::convert({name, std::nullopt, ""}, {file, traces::Format::Gnomon}, conversion);
  if (!wrong.empty())
    fail("cannot convert '{}': {}", name, wrong);
  for (const auto &[what, times] : conversion.losses.times())
    note("{}: {} ({} times)", name, what, times);
  return file;
}

void write(const TemporaryFolder &folder, const fs::path &file, const std::string &text) {
  std::ofstream stream(file, std::ios::binary);
  stream << text;
  stream.close();
  if (!stream)
    fail("sweep: cannot write in {}", folder.path().string());
}

std::string valueOf(const RunCommandLine &line, RunOption option, const std::string &without) {
  for (const auto &[given, value] : line.values)
    if (given == option)
      return value;
  return without;
}

class Sweep {
public:
  explicit Sweep(SweepCommandLine line) : line_(std::move(line)) {
    table_.input = line_.program.front();
    table_.isTrace = isTrace(table_.input);
    table_.axes = line_.axes;
    choices_ = sweep::combinations(line_.axes);
    for (const sweep::Choice &choice : choices_) {
      table_.rows.push_back({sweep::valuesOf(line_.axes, choice), std::nullopt, std::nullopt, ""});
      const RunCommandLine run = parseRunCommandLine(wordsOf(choice), Launcher::Run);
      const std::string compute = valueOf(run, RunOption::compute, "measured");
      measures_ |= !table_.isTrace && compute == "measured";
      if (run.networks)
        fail("sweep: '--vary network': 'list' is for 'gnomon run'");
      if (!table_.isTrace && !run.has(RunOption::ranks))
        fail("sweep: '-n RANKS' is missing: '{}' is a program, and no trace", table_.input);
    }
    if (table_.isTrace) {
      line_.program.front() = asOurs(table_.input, folder_);
      ranks_ =
          trace::TraceFile(line_.program.front()).firstRanks(); // or says what is wrong with it
    }
    table_.origin = originOf(line_, table_.input);
    if (line_.resume)
      goOn();
  }

  /// Runs all combinations; 0, or the signal that cut it short.
  int run(SweepOutputs &outputs) {
    const auto begin = std::chrono::steady_clock::now();
    Batch batch;
    for (size_t job = 0; job < choices_.size(); ++job)
      if (!table_.rows[job].exitCode)
        batch.jobs.push_back(job);
    batch.atATime = table_.jobs = jobs();
    batch.quiet = line_.quiet;
    batch.words = [this](size_t job) { return command(job); };
    batch.ended = [&](size_t job, int code, const std::string &error) {
      finish(job, code, error);
      outputs.changed();
      return sweep::renderLine(table_.rows[job]);
    };
    batch.idle = [&] { return outputs.writeIfDue(table_); };
    const int signal = runBatch(batch);
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
    table_.wallSeconds = taken.count();
    return signal;
  }

  const sweep::Table &table() const { return table_; }

private:
  /// Takes over what the file of --json has; without such a file the sweep begins.
  void goOn() {
    std::error_code error;
    if (!fs::exists(line_.json, error) && !error)
      return;
    const size_t taken = sweep::resume(table_, platform::readText(line_.json), line_.json);
    if (!line_.quiet)
      note("{}: {} of {} combinations are known", line_.json, taken, table_.rows.size());
  }

  /// Options and program of a combination, without what is the sweep's own.
  std::vector<std::string> wordsOf(const sweep::Choice &choice,
                                   const std::vector<std::string> &more = {}) const {
    std::vector<std::string> words = line_.options;
    for (const std::string &word : sweep::wishesOf(line_.axes, choice).words)
      if (word != "--shadow=off")
        words.push_back(word == "--shadow=on" ? "--shadow" : word);
    words.insert(words.end(), more.begin(), more.end());
    words.emplace_back("--");
    words.insert(words.end(), line_.program.begin(), line_.program.end());
    return words;
  }

  uint32_t jobs() const {
    cpu_set_t cores;
    CPU_ZERO(&cores);
    const bool known = sched_getaffinity(0, sizeof cores, &cores) == 0;
    const uint32_t wanted = line_.jobs != 0 ? line_.jobs
                            : known         ? static_cast<uint32_t>(CPU_COUNT(&cores))
                                            : 1;
    if (!measures_ || wanted == 1)
      return wanted;
    note("one run at a time: runs beside each other would slow down what --compute=measured "
         "measures; --compute=counted, profile=FILE and none have no such limit");
    return 1;
  }

  fs::path summary(size_t job) const { return folder_.file(fmt::format("{}.json", job)); }
  fs::path variant(size_t job) const { return folder_.file(fmt::format("{}.xml", job)); }

  /// Of the child; writes the platform that it needs.
  std::vector<std::string> command(size_t job) const {
    const sweep::Scale scale = sweep::wishesOf(line_.axes, choices_[job]).scale;
    std::vector<std::string> more{"-q", "--json=" + summary(job).string()};
    if (scale.changes())
      addVariant(job, scale, more);
    std::vector<std::string> words = wordsOf(choices_[job], more);
    words.insert(words.begin(), table_.isTrace ? "replay" : "run");
    return words;
  }

  void addVariant(size_t job, const sweep::Scale &scale, std::vector<std::string> &words) const {
    const RunCommandLine run = parseRunCommandLine(wordsOf(choices_[job]), Launcher::Run);
    std::string platform = valueOf(run, RunOption::platform, "");
    if (platform.empty())
      platform = defaultPlatform(run, words);
    if (sweep::isOneLine(platform)) {
      words.push_back("--platform=" + sweep::scaledLine(platform, scale));
    } else {
      write(folder_, variant(job), sweep::scaledXml(platform::readText(platform), platform, scale));
      words.push_back("--platform=" + variant(job).string());
    }
    // A rate is the first host's: without this, faster hosts would compute as before.
    const std::string rate = valueOf(run, RunOption::instructionRate, "auto");
    if (scale.speed != 1 && rate != "auto")
      words.push_back(
          fmt::format("--instruction-rate={}f",
                      formatNumber(parseQuantity(rate, Unit::FlopsPerSecond).value * scale.speed)));
  }

  /// The default platform as one line, and what makes a run on it compute as on the default one.
  std::string defaultPlatform(const RunCommandLine &run, std::vector<std::string> &words) const {
    uint64_t hosts = ranks_;
    if (!table_.isTrace)
      hosts = parseInteger(valueOf(run, RunOption::ranks, "1"));
    for (const RunCommandLine::Companion &companion : run.companions)
      hosts += parseInteger(companion.ranks);
    hosts = std::max<uint64_t>(hosts, parseInteger(valueOf(run, RunOption::universe, "0")));
    std::string speed = valueOf(run, RunOption::hostSpeed, "auto");
    if (speed == "auto") {
      speed = "10Gf";
      if (!table_.isTrace)
        words.push_back("--host-speed=" + speed);
    }
    return sweep::defaultLine(std::to_string(hosts), speed);
  }

  void finish(size_t job, int code, std::string error) {
    sweep::Row &row = table_.rows[job];
    row.exitCode = code;
    if (code == 0 && !(row.result = readSummary(job)))
      error = "wrote no summary: it is of another version, or left the simulation (exec)";
    // In its own words, but of the platform that the user knows.
    const std::string own = variant(job).string();
    for (size_t at = error.find(own); at != std::string::npos; at = error.find(own))
      error.replace(at, own.size(), platformName(job));
    row.error = code != 0 && error.empty() ? fmt::format("ended with exit code {}", code) : error;
    std::error_code ignored;
    fs::remove(summary(job), ignored);
    fs::remove(variant(job), ignored);
  }

  std::string platformName(size_t job) const {
    const RunCommandLine run = parseRunCommandLine(wordsOf(choices_[job]), Launcher::Run);
    return valueOf(run, RunOption::platform, "default");
  }

  /// Nothing: there is none.
  std::optional<sweep::Row::Result> readSummary(size_t job) const {
    std::ifstream file(summary(job));
    const nlohmann::json json = nlohmann::json::parse(file, nullptr, false);
    if (!json.is_object())
      return std::nullopt;
    return sweep::Row::Result{json.value("simulated_time", 0.0), json.value("ranks", uint64_t{0}),
                              json.value("messages", uint64_t{0}),
                              json.value("bytes", uint64_t{0})};
  }

  SweepCommandLine line_;
  TemporaryFolder folder_;
  sweep::Table table_;
  std::vector<sweep::Choice> choices_;
  uint64_t ranks_ = 0; ///< of the trace
  bool measures_ = false;
};

} // namespace

int sweepCommand(const Arguments &arguments) {
  const SweepCommandLine line = parseSweepCommandLine(arguments);
  if (line.help)
    return printSweepHelp();
  SweepOutputs outputs(line);
  Sweep sweep(line);
  const int signal = sweep.run(outputs);
  const sweep::Table &table = sweep.table();
  std::fputs(sweep::renderText(table).c_str(), stdout);
  if (!outputs.finish(table))
    return static_cast<int>(ExitCode::NoOutput);
  if (!table.complete() && !line.json.empty() && !line.quiet)
    note("'{}' has what is known: the same command with --resume goes on with it", line.json);
  if (signal != 0)
    return 128 + signal;
  return table.allSucceeded() ? static_cast<int>(ExitCode::Success) : 1;
}

} // namespace gnomon::driver
