// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "launch/Tracing.h"

#include "api/RecordPolls.h"
#include "api/Recorder.h"
#include "gnomon/Module.h"
#include "process/image/Modules.h"
#include "process/image/Real.h"
#include "process/ranks/World.h"
#include "support/Error.h"
#include "support/Names.h"
#include "support/Number.h"
#include "trace/TraceFile.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <fmt/format.h>
#include <optional>
#include <unistd.h>

namespace gnomon::launch {
namespace {

class OutputTarget final : public trace::Target {
public:
  explicit OutputTarget(std::unique_ptr<output::OutputFile> file) : file_(std::move(file)) {}
  void write(std::string_view bytes) override { file_->write(bytes); }
  std::string finish() override { return file_->finish(); }

private:
  std::unique_ptr<output::OutputFile> file_;
};

/// Whether the first computation of the trace has instructions; where it has none, yes.
bool firstIsCounted(const trace::Source &trace) {
  for (uint32_t rank = 0; rank < trace.facts().ranks; ++rank) {
    const auto cursor = trace.open(rank);
    for (trace::Record record; cursor->next(record);)
      if (const trace::Function &function = trace.functions()[record.function];
          function.name == trace::ComputeFunction && record.values.size() > 1)
        return !std::isnan(std::bit_cast<double>(record.values[1]));
  }
  return true;
}

replay::Volumes volumesOf(const Options &options, const trace::Source &trace) {
  if (options.volumes == "instructions")
    return replay::Volumes::Instructions;
  if (options.volumes == "seconds")
    return replay::Volumes::Seconds;
  if (options.volumes != "auto")
    throw InputError("--volumes", 0,
                     fmt::format("'{}' is none of auto, instructions, seconds", options.volumes));
  return firstIsCounted(trace) ? replay::Volumes::Instructions : replay::Volumes::Seconds;
}

/// Of `lu.f:120=0.5`: the name, empty where there is none, and the factor.
std::pair<std::string, double> scalingOf(const char *option, const std::string &text) {
  const size_t equals = text.rfind('=');
  const std::string name = equals == std::string::npos ? "" : text.substr(0, equals);
  double factor = -1;
  try {
    factor = parseNumber(equals == std::string::npos ? text : text.substr(equals + 1));
  } catch (const NumberError &) {
    // told below
  }
  if (!(factor >= 0) || std::isinf(factor) || equals == 0)
    throw InputError(option, 0,
                     fmt::format("'{}' is neither a factor, 0 or more, nor NAME=FACTOR", text));
  return {name, factor};
}

/// By text of the trace; of several factors for a burst the last one counts.
std::vector<double> factorsOf(const Options &options, const trace::Source &trace) {
  std::vector<double> factors(trace.texts().size(), 1);
  for (const std::string &text : options.scaleCompute) {
    const auto [name, factor] = scalingOf("--scale-compute", text);
    bool found = name.empty();
    for (size_t i = 0; i < factors.size(); ++i)
      if (trace.texts()[i].starts_with(name)) {
        factors[i] = factor;
        found = true;
      }
    if (!found)
      throw InputError("--scale-compute", 0,
                       fmt::format("no burst of the trace has a name that begins with '{}'; gnomon "
                                   "trace info lists them",
                                   name));
  }
  return factors;
}

/// Whether calls of the function have buffers whose sizes the trace tells.
bool movesBytes(const trace::Function &function) {
  return std::any_of(function.fields.begin(), function.fields.end(),
                     [](const trace::Field &field) { return field.kind == trace::Kind::Count; });
}

/// The number of the function that --scale-bytes names.
size_t scaledFunction(const std::vector<trace::Function> &functions, const std::string &name) {
  std::vector<std::string_view> known;
  for (const trace::Function &function : functions)
    known.push_back(function.name);
  const auto found = std::find(known.begin(), known.end(), name);
  if (found == known.end())
    throw InputError("--scale-bytes", 0,
                     fmt::format("the trace has no calls of '{}'{}; gnomon trace info lists what "
                                 "it has",
                                 name, didYouMean(name, known)));
  const auto number = static_cast<size_t>(found - known.begin());
  if (name.starts_with("MPI_File_"))
    throw InputError("--scale-bytes", 0,
                     fmt::format("'{}': accesses to files are not scaled, for their places would "
                                 "not fit any more",
                                 name));
  if (!movesBytes(functions[number]))
    throw InputError("--scale-bytes", 0, fmt::format("calls of '{}' move no bytes", name));
  return number;
}

/// By function of the trace; of several factors for a function the last one counts.
std::vector<double> byteFactorsOf(const Options &options, const trace::Source &trace) {
  std::vector<double> factors(trace.functions().size(), 1);
  for (const std::string &text : options.scaleBytes) {
    const auto [name, factor] = scalingOf("--scale-bytes", text);
    if (name.empty())
      std::fill(factors.begin(), factors.end(), factor);
    else
      // A function whose calls have several forms stands there for each of them.
      for (size_t i = scaledFunction(trace.functions(), name); i < factors.size(); ++i)
        if (trace.functions()[i].name == name)
          factors[i] = factor;
  }
  return factors;
}

/// The main of a replay's ranks.
int playMain(int, char **, char **) { return replay::playRank(); }

} // namespace

void registerPlayer(gnomon_module &player) {
  player.main = playMain;
  process::addModule(player);
}

std::unique_ptr<trace::TraceWriter> openTrace(std::unique_ptr<output::OutputFile> file,
                                              size_t ranks) {
  const std::string path = file->path();
  return std::make_unique<trace::TraceWriter>(std::make_unique<OutputTarget>(std::move(file)), path,
                                              static_cast<uint32_t>(ranks));
}

std::string finishTrace(trace::TraceWriter &writer, bool complete) {
  trace::Facts facts;
  facts.origin = "gnomon run";
  facts.complete = complete;
  if (api::Recorder *recorder = api::Recorder::running())
    recorder->finish();
  if (api::RecordPolls *polls = api::RecordPolls::running())
    polls->finish();
  const process::Settings &settings = process::settings();
  facts.ranks = static_cast<uint32_t>(settings.hosts.size());
  facts.program = shellText({settings.argv, settings.argv + settings.argc});
  if (settings.compute == process::ComputeMode::Measured ||
      settings.compute == process::ComputeMode::Profile)
    facts.secondsPerFlop = 1 / process::flopsPerCost();
  return writer.finish(facts);
}

std::unique_ptr<replay::Replay> openReplay(const Options &options) {
  if (options.replayed.empty())
    return nullptr;
  auto trace = std::make_unique<trace::TraceFile>(options.replayed);
  const replay::Volumes volumes = volumesOf(options, *trace);
  if (!trace->facts().complete && !options.quiet)
    process::printError(
        "gnomon: note: the recorded run was cut short: ranks of the replay end, or wait "
        "for ever where their records end\n");
  uint64_t actions = 0;
  for (uint32_t rank = 0; rank < trace->facts().ranks; ++rank)
    actions += trace->records(rank);
  auto replay = std::make_unique<replay::Replay>(options.replayed, std::move(trace), volumes);
  std::optional<replay::ProgressLine> line;
  if (!options.quiet && GNOMON_REAL(isatty)(STDERR_FILENO))
    line.emplace(actions, process::wallSeconds());
  replay->countTo(actions, line);
  if (!options.scaleCompute.empty())
    replay->scale(factorsOf(options, replay->trace()));
  if (!options.scaleBytes.empty())
    replay->scaleBytes(byteFactorsOf(options, replay->trace()));
  return replay;
}

} // namespace gnomon::launch
