// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// `gnomon trace`: the command line of the rooms traces/, slices/ and extrapolation/.
#include "Documents.h"
#include "Message.h"
#include "SubcommandLine.h"
#include "extrapolation/Extrapolate.h"
#include "slices/Slice.h"
#include "support/Names.h"
#include "support/Number.h"
#include "trace-formats/LineReader.h"
#include "trace-formats/RecordView.h"
#include "traces/Compare.h"
#include "traces/Formats.h"
#include "traces/Merge.h"
#include "traces/Statistics.h"

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <map>
#include <set>
#include <unistd.h>

namespace gnomon::driver {
namespace {

const SubcommandOption options[] = {
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

traces::Input inputOf(const SubcommandLine &line, const std::string &path) {
  traces::Input input{path, {}, line.value("--reader")};
  if (line.has("--from"))
    input.format = traces::formatNamed(line.value("--from"));
  if (line.has("--from") && line.has("--reader"))
    fail("{}: --from and --reader exclude each other", line.name());
  return input;
}

/// How far a conversion is, on a line of a terminal that it leaves empty.
class ProgressLine {
public:
  trace::Progress progress() {
    if (isatty(STDERR_FILENO) == 0)
      return {};
    return [this](uint64_t done, uint64_t total) { show(done, total); };
  }
  extrapolation::Trying trying() {
    if (isatty(STDERR_FILENO) == 0)
      return {};
    return [this](const std::string &rule, uint32_t rank, uint32_t ranks) {
      if (isDue())
        show(fmt::format("trying {}, rank {} of {}", rule, rank, ranks));
    };
  }
  ~ProgressLine() {
    if (shown_)
      std::fprintf(stderr, "\r\033[K");
  }

private:
  void show(uint64_t done, uint64_t total) {
    if (total > 0 && isDue())
      show(fmt::format("{:3} %", static_cast<int>(100.0 * static_cast<double>(done) /
                                                  static_cast<double>(total))));
  }
  void show(const std::string &text) {
    shown_ = true;
    fmt::print(stderr, "\r\033[Kgnomon trace: {}", text);
  }
  bool isDue() {
    const auto now = std::chrono::steady_clock::now();
    if (now - last_ < std::chrono::milliseconds(200))
      return false;
    last_ = now;
    return true;
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

void printRecords(const trace::Source &source, const SubcommandLine &line) {
  constexpr uint64_t Most = INT64_MAX;
  const uint64_t rank = line.count("--rank", 0, 0, Most), first = line.count("--first", 0, 0, Most);
  if (rank >= source.facts().ranks)
    fail("trace info: there is no rank {}: the trace has {}", rank, source.facts().ranks);
  const std::unique_ptr<trace::Cursor> cursor =
      traces::openAt(source, static_cast<uint32_t>(rank), first);
  uint64_t left = line.count("--count", Most, 0, Most);
  trace::RecordView view;
  trace::Record record;
  for (uint64_t number = first; left > 0 && cursor->next(record); ++number, --left)
    if (view.set(source.functions()[record.function], record))
      fmt::print("{}: {}\n", number, recordText(source, view));
}

int traceInfo(const SubcommandLine &line) {
  const std::string &path = line.files(1)[0];
  ProgressLine progress;
  trace::Conversion conversion{{}, progress.progress()};
  const std::unique_ptr<trace::Source> source = traces::open(inputOf(line, path), conversion);
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
      inputOf(line, path).format.value_or(traces::formatOf(path)) == traces::Format::Gnomon;
  const uint64_t bytes = isOurs ? std::filesystem::file_size(path, error) : 0;
  const auto render = line.has("--json") ? traces::statisticsJson : traces::statisticsText;
  std::fputs(render(statistics, *source, path, error ? 0 : bytes).c_str(), stdout);
  tell(conversion.losses);
  return 0;
}

int traceConvert(const SubcommandLine &line) {
  const std::vector<std::string> &files = line.files(2);
  traces::Output output{files[1],
                        {},
                        0,
                        line.has("--expand-collectives"),
                        line.has("--single-file"),
                        line.has("--blocking-collectives")};
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
  const std::string wrong = traces::convert(inputOf(line, files[0]), output, conversion);
  return written(wrong, conversion);
}

int traceMerge(const SubcommandLine &line) {
  if (!line.has("--output"))
    fail("trace merge: '--output OUT' is missing");
  if (line.files().empty())
    fail("trace merge: no traces; see 'gnomon trace --help'");
  ProgressLine progress;
  trace::Conversion conversion{{}, progress.progress()};
  return written(traces::merge(line.files(), line.value("--output"), conversion), conversion);
}

int traceSlice(const SubcommandLine &line) {
  const std::vector<std::string> &files = line.files(2);
  if (!line.has("--ranks") && !line.has("--calls") && !line.has("--volume"))
    fail("trace slice: what is to be kept? '--ranks 0-7,12', '--calls A..B', '--volume A..B'");
  if (line.has("--calls") && line.has("--volume"))
    fail("trace slice: --calls and --volume exclude each other");
  ProgressLine progress;
  trace::Conversion conversion{{}, progress.progress()};
  const std::unique_ptr<trace::Source> source = traces::open(inputOf(line, files[0]), conversion);
  slices::Cut cut;
  cut.dropUnmatched = line.has("--drop-unmatched");
  const uint32_t ranks = source->facts().ranks;
  cut.ranks = slices::ranksOf(
      line.has("--ranks") ? line.value("--ranks") : fmt::format("0-{}", ranks - 1), ranks);
  if (line.has("--calls"))
    slices::callsOf(line.value("--calls"), cut);
  if (line.has("--volume"))
    slices::volumesOf(line.value("--volume"), *source, files[0], cut);
  return written(slices::slice(*source, files[0], cut, files[1], conversion), conversion);
}

/// A grid of `--grid FROM:TO`, or of `--grid TO`.
std::optional<extrapolation::Grid> gridOf(const std::string &text) {
  std::optional<extrapolation::Grid> grid = patterns::gridNamed(text);
  if (!grid)
    fail(
        "trace extrapolate: --grid: '{}' is no grid: 8x8, or 4x4:8x8, which says that the recorded "
        "one is 4x4",
        text);
  return grid;
}

int traceExtrapolate(const SubcommandLine &line) {
  const std::vector<std::string> &files = line.files(2);
  if (!line.has("--ranks"))
    fail("trace extrapolate: to how many ranks? '--ranks N'");
  extrapolation::Request request;
  request.ranks = static_cast<uint32_t>(line.count("--ranks", 0, 2, trace::MostRanks));
  if (line.has("--grid")) {
    const std::string text = line.value("--grid");
    const size_t colon = text.find(':');
    request.to = gridOf(colon == std::string::npos ? text : text.substr(colon + 1));
    if (colon != std::string::npos)
      request.from = gridOf(text.substr(0, colon));
  }
  ProgressLine progress;
  trace::Conversion conversion{{}, progress.progress()};
  const std::unique_ptr<trace::Source> source = traces::open(inputOf(line, files[0]), conversion);
  std::unique_ptr<trace::Source> check;
  if (line.has("--check"))
    check = traces::open({line.value("--check"), {}, {}}, conversion);
  request.check = check.get();
  request.trying = progress.trying();
  request.checkPath = line.value("--check");
  const extrapolation::Result result =
      extrapolation::extrapolate(*source, files[0], request, files[1], conversion);
  note("{}: {}", files[0], result.found);
  return written(result.wrong, conversion);
}

int traceCompare(const SubcommandLine &line) {
  const std::vector<std::string> &files = line.files(2);
  ProgressLine progress;
  trace::Conversion conversion{{}, progress.progress()};
  const std::unique_ptr<trace::Source> first = traces::open(inputOf(line, files[0]), conversion);
  const std::unique_ptr<trace::Source> second = traces::open(inputOf(line, files[1]), conversion);
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
  static constexpr std::pair<std::string_view, int (*)(const SubcommandLine &)> functions[] = {
      {"info", traceInfo},   {"convert", traceConvert},         {"merge", traceMerge},
      {"slice", traceSlice}, {"extrapolate", traceExtrapolate}, {"cmp", traceCompare}};
  for (const auto &[name, function] : functions) {
    if (name != command)
      continue;
    const SubcommandLine line("trace", command, options,
                              Arguments(arguments.begin() + 1, arguments.end()));
    return line.has("--help") ? printTraceHelp() : function(line);
  }
  if (command.empty())
    fail("trace: a command is missing: {}", fmt::join(commandNames(), ", "));
  fail("trace: there is no command '{}'{}", command, didYouMean(command, commandNames()));
}

} // namespace gnomon::driver
