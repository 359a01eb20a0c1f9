// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// `gnomon trace`: the command line of the room traces/.
#include "Documents.h"
#include "Message.h"
#include "Subcommands.h"
#include "support/Names.h"
#include "support/Number.h"
#include "trace-formats/LineReader.h"
#include "trace-formats/RecordView.h"
#include "traces/Compare.h"
#include "traces/Formats.h"
#include "traces/Merge.h"
#include "traces/Slice.h"
#include "traces/Statistics.h"

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <map>
#include <set>
#include <unistd.h>

namespace gnomon::driver {
namespace {

struct TraceOption {
  std::string_view name, commands;
  bool isSwitch;
};

const TraceOption options[] = {
#define GNOMON_TRACE_COMMAND(name, arguments, help)
#define GNOMON_TRACE_OPTION(name, commands, metavariable, help)                                    \
  {name, commands, std::string_view(metavariable).empty()},
#include "TraceOptions.def"
#undef GNOMON_TRACE_COMMAND
#undef GNOMON_TRACE_OPTION
};

std::vector<std::string_view> commandNames() {
  return {
#define GNOMON_TRACE_COMMAND(name, arguments, help) #name,
#define GNOMON_TRACE_OPTION(name, commands, metavariable, help)
#include "TraceOptions.def"
#undef GNOMON_TRACE_COMMAND
#undef GNOMON_TRACE_OPTION
  };
}

bool takes(const TraceOption &option, std::string_view command) {
  std::vector<std::string_view> commands;
  trace::splitWords(option.commands, commands);
  return std::find(commands.begin(), commands.end(), command) != commands.end();
}

/// A command with its options, checked against the table.
class TraceCommandLine {
public:
  TraceCommandLine(std::string command, const Arguments &arguments) : command_(std::move(command)) {
    bool optionsEnded = false;
    for (size_t at = 1; at < arguments.size(); ++at) {
      const std::string &argument = arguments[at];
      if (optionsEnded || argument.size() < 2 || argument[0] != '-')
        files_.push_back(argument);
      else if (argument == "--")
        optionsEnded = true;
      else
        take(arguments, at);
    }
  }

  bool has(std::string_view option) const { return values_.contains(std::string(option)); }
  const std::string &value(std::string_view option) const {
    return values_.at(std::string(option));
  }
  /// The value as a number; \p without where the option is not given.
  uint64_t number(std::string_view option, uint64_t without) const {
    if (!has(option))
      return without;
    int64_t number = 0;
    if (!trace::readInteger(value(option), 0, INT64_MAX, number))
      fail("trace {}: {}: '{}' is no number", command_, option, value(option));
    return static_cast<uint64_t>(number);
  }

  /// The files, of which there must be so many.
  const std::vector<std::string> &files(size_t count) const {
    if (files_.size() != count)
      fail("trace {}: {} file{} expected, and {} given; see 'gnomon trace --help'", command_, count,
           count == 1 ? " is" : "s are", files_.size());
    return files_;
  }
  const std::vector<std::string> &files() const { return files_; }

  traces::Input input(const std::string &path) const {
    traces::Input input{path, {}, has("--reader") ? value("--reader") : ""};
    if (has("--from"))
      input.format = traces::formatNamed(value("--from"));
    if (has("--from") && has("--reader"))
      fail("trace {}: --from and --reader exclude each other", command_);
    return input;
  }

private:
  void take(const Arguments &arguments, size_t &at) {
    const std::string &argument = arguments[at];
    const size_t equals = std::min(argument.find('='), argument.size());
    const std::string given = argument.substr(0, equals);
    const std::string name = given == "-h" ? "--help" : given == "-o" ? "--output" : given;
    std::vector<std::string_view> known;
    for (const TraceOption &option : options) {
      if (!takes(option, command_))
        continue;
      known.push_back(option.name);
      if (option.name != name)
        continue;
      if (option.isSwitch && equals < argument.size())
        fail("trace {}: '{}' takes no value", command_, name);
      if (!option.isSwitch && equals == argument.size() && at + 1 == arguments.size())
        fail("trace {}: '{}' needs a value", command_, name);
      values_[name] = option.isSwitch            ? ""
                      : equals < argument.size() ? argument.substr(equals + 1)
                                                 : arguments[++at];
      return;
    }
    fail("trace {}: unknown option '{}'{}", command_, given, didYouMean(given, known));
  }

  std::string command_;
  std::map<std::string, std::string> values_;
  std::vector<std::string> files_;
};

/// How far a conversion is, on a line of a terminal that it leaves empty.
class ProgressLine {
public:
  trace::Progress progress() {
    if (isatty(STDERR_FILENO) == 0)
      return {};
    return [this](uint64_t done, uint64_t total) { show(done, total); };
  }
  ~ProgressLine() {
    if (shown_)
      std::fprintf(stderr, "\r\033[K");
  }

private:
  void show(uint64_t done, uint64_t total) {
    const auto now = std::chrono::steady_clock::now();
    if (now - last_ < std::chrono::milliseconds(200) || total == 0)
      return;
    last_ = now;
    shown_ = true;
    std::fprintf(stderr, "\rgnomon trace: %3d %%",
                 static_cast<int>(100.0 * static_cast<double>(done) / static_cast<double>(total)));
  }
  std::chrono::steady_clock::time_point last_; ///< long ago: the first is shown at once
  bool shown_ = false;
};

/// What a conversion left out or changed, a note each.
void tell(const trace::Losses &losses) {
  for (const auto &[what, times] : losses.times())
    note("{}{}", what, times > 1 ? fmt::format(" ({} times)", times) : "");
}

/// The exit code of what has been written.
int written(const std::string &wrong, const trace::Conversion &conversion) {
  if (wrong.empty()) {
    tell(conversion.losses);
    return static_cast<int>(ExitCode::Success);
  }
  fmt::print(stderr, "gnomon: error: {}\n", wrong);
  return static_cast<int>(ExitCode::NoOutput);
}

void printRecords(const trace::Source &source, const TraceCommandLine &line) {
  const uint64_t rank = line.number("--rank", 0), first = line.number("--first", 0);
  if (rank >= source.facts().ranks)
    fail("trace info: there is no rank {}: the trace has {}", rank, source.facts().ranks);
  const std::unique_ptr<trace::Cursor> cursor =
      traces::openAt(source, static_cast<uint32_t>(rank), first);
  uint64_t left = line.number("--count", UINT64_MAX);
  trace::RecordView view;
  trace::Record record;
  for (uint64_t number = first; left > 0 && cursor->next(record); ++number, --left)
    if (view.set(source.functions()[record.function], record))
      fmt::print("{}: {}\n", number, recordText(source, view));
}

int traceInfo(const TraceCommandLine &line) {
  const std::string &path = line.files(1)[0];
  ProgressLine progress;
  trace::Conversion conversion{{}, progress.progress()};
  const std::unique_ptr<trace::Source> source = traces::open(line.input(path), conversion);
  if (line.has("--rank")) {
    printRecords(*source, line);
    return 0;
  }
  if (line.has("--first") || line.has("--count"))
    fail("trace info: --first and --count are for --rank");
  const traces::Statistics statistics = traces::statisticsOf(*source, conversion.progress);
  std::error_code error;
  const bool isOurs =
      !line.has("--reader") &&
      line.input(path).format.value_or(traces::formatOf(path)) == traces::Format::Gnomon;
  const uint64_t bytes = isOurs ? std::filesystem::file_size(path, error) : 0;
  const auto render = line.has("--json") ? traces::statisticsJson : traces::statisticsText;
  std::fputs(render(statistics, *source, path, error ? 0 : bytes).c_str(), stdout);
  tell(conversion.losses);
  return 0;
}

int traceConvert(const TraceCommandLine &line) {
  const std::vector<std::string> &files = line.files(2);
  traces::Output output{
      files[1], {}, 0, line.has("--expand-collectives"), line.has("--single-file")};
  if (line.has("--to"))
    output.format = traces::formatNamed(line.value("--to"));
  if (line.has("--rate")) {
    try {
      output.flopsPerSecond = parseQuantity(line.value("--rate"), Unit::FlopsPerSecond).value;
    } catch (const NumberError &error) {
      fail("trace convert: --rate: {}", error.what());
    }
  }
  ProgressLine progress;
  trace::Conversion conversion{{}, progress.progress()};
  const std::string wrong = traces::convert(line.input(files[0]), output, conversion);
  return written(wrong, conversion);
}

int traceMerge(const TraceCommandLine &line) {
  if (!line.has("--output"))
    fail("trace merge: '--output OUT' is missing");
  if (line.files().empty())
    fail("trace merge: no traces; see 'gnomon trace --help'");
  ProgressLine progress;
  trace::Conversion conversion{{}, progress.progress()};
  return written(traces::merge(line.files(), line.value("--output"), conversion), conversion);
}

int traceSlice(const TraceCommandLine &line) {
  const std::vector<std::string> &files = line.files(2);
  if (!line.has("--ranks") && !line.has("--calls"))
    fail("trace slice: what is to be kept? '--ranks 0-7,12', '--calls A..B'");
  ProgressLine progress;
  trace::Conversion conversion{{}, progress.progress()};
  const std::unique_ptr<trace::Source> source = traces::open(line.input(files[0]), conversion);
  traces::Cut cut;
  cut.dropUnmatched = line.has("--drop-unmatched");
  const uint32_t ranks = source->facts().ranks;
  cut.ranks = traces::ranksOf(
      line.has("--ranks") ? line.value("--ranks") : fmt::format("0-{}", ranks - 1), ranks);
  if (line.has("--calls"))
    traces::callsOf(line.value("--calls"), cut);
  return written(traces::slice(*source, files[0], cut, files[1], conversion), conversion);
}

int traceCompare(const TraceCommandLine &line) {
  const std::vector<std::string> &files = line.files(2);
  ProgressLine progress;
  trace::Conversion conversion{{}, progress.progress()};
  const std::unique_ptr<trace::Source> first = traces::open(line.input(files[0]), conversion);
  const std::unique_ptr<trace::Source> second = traces::open(line.input(files[1]), conversion);
  const std::optional<traces::Difference> difference =
      traces::firstDifference(*first, *second, !line.has("--no-volumes"));
  if (!difference)
    return 0;
  fmt::print("{} differ: {}\n< {}\n> {}\n", fmt::join(files, " "), difference->place,
             difference->first, difference->second);
  return 1;
}

} // namespace

int traceCommand(const Arguments &arguments) {
  const std::string command = arguments.empty() ? "" : arguments[0];
  if (command == "--help" || command == "-h")
    return printTraceHelp();
  static constexpr std::pair<std::string_view, int (*)(const TraceCommandLine &)> functions[] = {
      {"info", traceInfo},
      {"convert", traceConvert},
      {"merge", traceMerge},
      {"slice", traceSlice},
      {"cmp", traceCompare}};
  for (const auto &[name, function] : functions) {
    if (name != command)
      continue;
    const TraceCommandLine line(command, arguments);
    return line.has("--help") ? printTraceHelp() : function(line);
  }
  if (command.empty())
    fail("trace: a command is missing: {}", fmt::join(commandNames(), ", "));
  fail("trace: there is no command '{}'{}", command, didYouMean(command, commandNames()));
}

} // namespace gnomon::driver
