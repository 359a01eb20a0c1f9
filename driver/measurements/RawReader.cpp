// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Reads what `gnomon calibrate measure` wrote (docs/calibration-format.md).
#include "measurements/Readers.h"

#include <algorithm>
#include <fmt/format.h>

namespace gnomon::measurements {
namespace {

constexpr std::string_view Version = "gnomon-calibration", Header = "experiment,";
constexpr std::string_view Columns = "experiment,ranks,node,bytes,repetition,count,seconds,rank";
constexpr uint64_t MostRanks = uint64_t{1} << 32, MostCount = uint64_t{1} << 40;

/// A line `# key: value`; false: a remark without a key.
bool takeFact(const Line &line, std::string &key, std::string &value) {
  const std::string_view text = trimmed(line.text.substr(1));
  const size_t colon = text.find(':');
  if (colon == std::string_view::npos)
    return false;
  key = trimmed(text.substr(0, colon));
  value = trimmed(text.substr(colon + 1));
  return true;
}

class RawReader {
public:
  explicit RawReader(Collector &collector) : collector_(collector) {}

  void read(Lines lines) {
    for (const Line &line : lines) {
      if (line.text.starts_with('#'))
        remark(line);
      else if (!line.ended)
        collector_.note(fmt::format("{}:{}: the last line was cut off, and is passed over",
                                    *line.file, line.number));
      else if (!line.text.empty())
        row(line);
    }
    if (!versioned_)
      lines.front().fail("the line '# gnomon-calibration: 1' is missing");
    if (!complete_)
      collector_.note(*lines.front().file + ": there is no line '# complete': the measurement was "
                                            "ended early, and some points are less certain");
    for (const auto &[name, times] : unknown_)
      collector_.note(
          fmt::format("{}: {} samples of {} are passed over", *lines.front().file, times, name));
  }

private:
  void remark(const Line &line) {
    std::string key, value;
    const bool keyed = takeFact(line, key, value);
    complete_ |= trimmed(line.text.substr(1)).starts_with("complete");
    if (!keyed)
      return;
    if (key == Version) {
      if (value != "1")
        line.fail("the format is version " + inQuotes(value) + ", and 1 is what this Gnomon reads");
      versioned_ = true;
    }
    collector_.fact(key, value);
  }

  void row(const Line &line) {
    if (line.text.starts_with(Header)) {
      if (line.text != Columns)
        line.fail("expected the columns " + std::string(Columns));
      headed_ = true;
      return;
    }
    if (!headed_)
      line.fail("a sample before the line of columns, " + std::string(Columns));
    const std::vector<std::string_view> fields = fieldsOf(line.text, ',');
    if (fields.size() != 8)
      line.fail(fmt::format("a sample has 8 fields, and this line {}", fields.size()));
    Sample sample;
    const bool known = experimentNamed(fields[0], sample.key.experiment);
    sample.key.ranks = static_cast<uint32_t>(line.integer(fields[1], "ranks", 1, UINT32_MAX));
    if (fields[2] != "inter" && fields[2] != "intra")
      line.fail("node: expected inter or intra, found " + inQuotes(fields[2]));
    sample.key.place = fields[2] == "inter" ? Place::Inter : Place::Intra;
    sample.bytes = line.integer(fields[3], "bytes", 0, MostBytes);
    sample.repetition = line.integer(fields[4], "repetition", 0, UINT64_MAX - 1);
    sample.count = line.integer(fields[5], "count", 1, MostCount);
    sample.seconds = line.real(fields[6], "seconds", MostSeconds);
    sample.rank = line.integer(fields[7], "rank", 0, MostRanks);
    if (known)
      collector_.add(sample, *line.file);
    else
      ++unknown_[inQuotes(fields[0])];
  }

  Collector &collector_;
  std::map<std::string, uint64_t> unknown_;
  bool versioned_ = false, headed_ = false, complete_ = false;
};

} // namespace

bool isRaw(Lines lines) {
  return std::ranges::any_of(lines, [](const Line &line) {
    std::string key, value;
    return line.text.starts_with(Header) ||
           (line.text.starts_with('#') && takeFact(line, key, value) && key == Version);
  });
}

void readRaw(Lines lines, Collector &collector) { RawReader(collector).read(lines); }

} // namespace gnomon::measurements
