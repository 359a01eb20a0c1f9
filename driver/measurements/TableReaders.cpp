// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Reads what other benchmarks print. Their outputs are for people, and launchers write between the
/// lines: text is passed over outside of tables, and inside of one each line must be a row.
///
///   OSU     "# OSU MPI Latency Test", then rows: bytes, us of half a round trip
///           "# OSU MPI Bandwidth Test" and "Bi-Directional": bytes, 10^6 bytes/s (of both
///           directions together)
///   IMB     "# Benchmarking PingPong", then rows: bytes, repetitions, us of half a round trip
///           "# Benchmarking Sendrecv": bytes, repetitions, us: least, most, mean
///   SKaMPI  'begin result "Pingpong_Send_Recv"', then rows: "count= 1", bytes, us of a round trip
///   pairs   bytes, seconds of half a round trip, as affine/fit reads them (docs/models.md)
#include "measurements/Readers.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <optional>

namespace gnomon::measurements {
namespace {

constexpr double Microsecond = 1e-6, Megabyte = 1e6;
constexpr double MostMicroseconds = MostSeconds * 1e6, MostMegabytes = 1e12;

bool anyHas(Lines lines, std::string_view part) {
  return std::ranges::any_of(
      lines, [part](const Line &line) { return line.text.find(part) != std::string_view::npos; });
}

bool beginsWithDigit(std::string_view text) {
  return !text.empty() && std::isdigit(static_cast<unsigned char>(text.front())) != 0;
}

/// A table of which one experiment is read, or none.
class Table {
public:
  explicit Table(Collector &collector) : collector_(collector) {}

  /// A table of \p experiment begins; nothing: of what is not read, \p title.
  void begin(std::optional<Experiment> experiment, std::string_view title) {
    experiment_ = experiment;
    ranks_ = 2;
    inside_ = false;
    if (!experiment)
      collector_.note("the table " + inQuotes(title) + " is passed over");
  }
  void end() { inside_ = false; }
  void setRanks(uint64_t ranks) { ranks_ = static_cast<uint32_t>(ranks); }
  bool isOf(Experiment experiment) const { return experiment_ == experiment; }

  /// Whether \p line is a row that is read. A line that is none ends the program's patience inside
  /// a table only.
  bool isRow(const Line &line) {
    if (!experiment_ || line.text.empty() || line.text.starts_with('#')) {
      end();
      return false;
    }
    if (beginsWithDigit(line.text))
      inside_ = true;
    else if (inside_)
      line.fail("expected a row of the table, found " + inQuotes(line.text));
    return inside_;
  }
  void add(const Line &line, uint64_t bytes, double seconds) {
    Sample sample;
    sample.key = {Place::Inter, *experiment_, ranks_};
    sample.bytes = bytes;
    sample.seconds = seconds;
    collector_.add(sample, *line.file);
  }

private:
  Collector &collector_;
  std::optional<Experiment> experiment_;
  uint32_t ranks_ = 2;
  bool inside_ = false;
};

std::vector<std::string_view> cells(const Line &line, size_t least) {
  std::vector<std::string_view> words = wordsOf(line.text);
  if (words.size() < least)
    line.fail(fmt::format("a row has {} columns or more, and this line {}", least, words.size()));
  return words;
}

std::optional<Experiment> osuExperiment(std::string_view title) {
  if (title.find("OSU MPI Latency Test") != std::string_view::npos)
    return Experiment::PingPong;
  if (title.find("OSU MPI Bandwidth Test") != std::string_view::npos)
    return Experiment::Stream;
  if (title.find("OSU MPI Bi-Directional Bandwidth Test") != std::string_view::npos)
    return Experiment::BidirectionalStream;
  return std::nullopt;
}

/// A rate becomes the time of one message. Of both directions, each has half the rate.
void osuRow(Table &table, const Line &line) {
  const std::vector<std::string_view> words = cells(line, 2);
  if (std::ranges::find(words, "Fail") != words.end())
    line.fail("the benchmark says that the data that it received were wrong ('Fail')");
  const uint64_t bytes = line.integer(words[0], "bytes", 0, MostBytes);
  if (table.isOf(Experiment::PingPong)) {
    table.add(line, bytes, line.real(words[1], "latency (us)", MostMicroseconds) * Microsecond);
    return;
  }
  const double rate = line.real(words[1], "bandwidth (MB/s)", MostMegabytes) * Megabyte;
  if (!(rate > 0))
    line.fail("a bandwidth of 0");
  const double directions = table.isOf(Experiment::BidirectionalStream) ? 2 : 1;
  table.add(line, bytes, directions * static_cast<double>(bytes) / rate);
}

std::optional<Experiment> imbExperiment(std::string_view name) {
  if (name == "PingPong")
    return Experiment::PingPong;
  if (name == "Sendrecv")
    return Experiment::Exchange;
  return std::nullopt;
}

/// What stands behind \p begin in a line of remarks; nothing: it does not begin so.
std::optional<std::string_view> behind(const Line &line, std::string_view begin) {
  if (!line.text.starts_with(begin))
    return std::nullopt;
  return trimmed(line.text.substr(begin.size()));
}

void imbRow(Table &table, const Line &line, size_t column) {
  const std::vector<std::string_view> words = cells(line, column + 1);
  const uint64_t bytes = line.integer(words[0], "bytes", 0, MostBytes);
  line.integer(words[1], "repetitions", 1, UINT64_MAX);
  table.add(line, bytes, line.real(words[column], "time (us)", MostMicroseconds) * Microsecond);
}

std::optional<Experiment> skampiExperiment(std::string_view name) {
  if (name.starts_with("Pingpong_Sendrecv"))
    return Experiment::Exchange;
  if (name.starts_with("Pingpong_") && name.find("probe") == std::string_view::npos)
    return Experiment::PingPong;
  return std::nullopt;
}

/// Parameters as "name= value", or "name=value", then bytes, us and their error.
void skampiRow(Table &table, const Line &line) {
  const std::vector<std::string_view> words = wordsOf(line.text);
  size_t at = 0;
  while (at < words.size() && words[at].find('=') != std::string_view::npos)
    at += words[at].ends_with('=') ? 2 : 1;
  if (at + 2 > words.size())
    line.fail("expected parameters ('count= 1'), bytes and microseconds, found " +
              inQuotes(line.text));
  const uint64_t bytes = line.integer(words[at], "bytes", 0, MostBytes);
  const double time = line.real(words[at + 1], "time (us)", MostMicroseconds) * Microsecond;
  table.add(line, bytes, table.isOf(Experiment::PingPong) ? time / 2 : time);
}

/// The name in `begin result "NAME"`, with or without a '#' in front; nothing: another line.
std::optional<std::string_view> skampiResult(const Line &line, std::string_view word) {
  std::string_view text = line.text;
  if (text.starts_with('#'))
    text = trimmed(text.substr(1));
  if (!text.starts_with(word))
    return std::nullopt;
  text = trimmed(text.substr(word.size()));
  if (text.size() < 2 || text.front() != '"' || text.back() != '"')
    return std::nullopt;
  return text.substr(1, text.size() - 2);
}

} // namespace

bool isOsu(Lines lines) { return anyHas(lines, "# OSU "); }

void readOsu(Lines lines, Collector &collector) {
  Table table(collector);
  for (const Line &line : lines) {
    if (line.text.starts_with("# OSU "))
      table.begin(osuExperiment(line.text), line.text);
    else if (table.isRow(line))
      osuRow(table, line);
  }
}

bool isImb(Lines lines) { return anyHas(lines, "# Benchmarking "); }

void readImb(Lines lines, Collector &collector) {
  Table table(collector);
  size_t column = 0; // of the time; 0: not known
  for (const Line &line : lines) {
    if (const auto name = behind(line, "# Benchmarking ")) {
      table.begin(imbExperiment(*name), *name);
      column = 0;
    } else if (const auto processes = behind(line, "# #processes =")) {
      table.setRanks(
          line.integer(processes->substr(0, processes->find(' ')), "#processes", 1, UINT32_MAX));
    } else if (line.text.starts_with("#bytes")) {
      const std::vector<std::string_view> heads = wordsOf(line.text);
      const auto found = std::ranges::find_if(
          heads, [](std::string_view head) { return head == "t[usec]" || head == "t_max[usec]"; });
      column = found == heads.end() ? 0 : static_cast<size_t>(found - heads.begin());
    } else if (table.isRow(line)) {
      if (column < 2)
        line.fail("a row without a head that names the column of the time, t[usec] or t_max[usec]");
      imbRow(table, line, column);
    }
  }
}

bool isSkampi(Lines lines) { return anyHas(lines, "begin result \""); }

void readSkampi(Lines lines, Collector &collector) {
  Table table(collector);
  std::string_view open; // the result that has begun
  bool reads = false;
  for (const Line &line : lines) {
    if (const auto name = skampiResult(line, "begin result")) {
      open = *name;
      reads = skampiExperiment(open).has_value();
      table.begin(skampiExperiment(open), open);
    } else if (skampiResult(line, "end result")) {
      open = {};
    } else if (!open.empty() && reads && !line.text.empty() && !line.text.starts_with('#')) {
      skampiRow(table, line);
    }
  }
  if (!open.empty())
    lines.back().fail("the file ends inside the result " + inQuotes(open) + ": it was cut off");
}

bool isPairs(Lines lines) {
  const auto first = std::ranges::find_if(
      lines, [](const Line &line) { return !line.text.empty() && !line.text.starts_with('#'); });
  return first != lines.end() && beginsWithDigit(first->text) && wordsOf(first->text).size() == 2;
}

void readPairs(Lines lines, Collector &collector) {
  Table table(collector);
  table.begin(Experiment::PingPong, "");
  for (const Line &line : lines) {
    if (line.text.empty() || line.text.starts_with('#'))
      continue;
    const std::vector<std::string_view> words = wordsOf(line.text);
    if (words.size() != 2)
      line.fail("expected BYTES SECONDS, found " + inQuotes(line.text));
    table.add(line, line.integer(words[0], "bytes", 0, MostBytes),
              line.real(words[1], "seconds", MostSeconds));
  }
}

} // namespace gnomon::measurements
