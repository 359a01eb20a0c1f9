// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "trace-formats/dimemas/Reader.h"

#include "trace-formats/dimemas/Records.h"

#include <fmt/format.h>
#include <functional>

namespace gnomon::trace::dimemas {
namespace {

/// How often progress is told, in lines.
constexpr uint64_t Often = 1 << 16;

/// From the first line on: header and definitions, then each record.
class Reading {
public:
  Reading(LineReader &reader, Conversion &conversion) : reader_(reader), conversion_(conversion) {}

  /// The header with the definitions behind it.
  Header definitions() {
    reader_.rewind();
    Header header = readHeader(reader_);
    while (next() && fields_[0] == "d")
      readDefinition(reader_, fields_, header);
    if (!header.communicators.contains(0)) { // what messages name that have no communicator
      Communicator &all = header.communicators[0];
      for (uint32_t task = 0; task < header.tasks; ++task)
        all.tasks.push_back(task);
    }
    return header;
  }

  /// All records behind the definitions.
  void records(const Header &header, const std::function<void(const Line &)> &take) {
    uint32_t offsets = 0;
    definitions();
    for (bool more = !fields_.empty(); more; more = next()) {
      if (fields_[0] == "s") {
        ++offsets;
        continue;
      }
      if (offsets > 0)
        reader_.fail("a record behind the offsets");
      take(readLine(reader_, fields_, header));
      if (conversion_.progress && reader_.line() % Often == 0)
        conversion_.progress(done_ + reader_.bytesRead(), 2 * reader_.bytes());
    }
    if (header.hasOffsets && offsets != header.tasks)
      reader_.fail(fmt::format("{} lines of offsets for {} tasks: the trace is cut short", offsets,
                               header.tasks));
    done_ += reader_.bytes();
  }

private:
  /// The next line that is not empty, taken apart; false, and no fields, at the end.
  bool next() {
    for (std::string_view line; reader_.next(line);) {
      if (line.find_first_not_of(" \t") == std::string_view::npos || line[0] == '#')
        continue;
      splitFields(line, fields_);
      return true;
    }
    fields_.clear();
    return false;
  }

  LineReader &reader_;
  Conversion &conversion_;
  std::vector<std::string_view> fields_;
  uint64_t done_ = 0;
};

/// Rows for the communicators: that of all tasks and those of one are there already.
void declare(Header &header, Sink &sink) {
  for (auto &[id, communicator] : header.communicators) {
    if (communicator.rankOf.empty() && communicator.size() == header.tasks)
      communicator.row = World;
    else if (communicator.size() == 1)
      communicator.row = Self;
    else
      communicator.row = sink.communicator({communicator.tasks, {}});
  }
}

} // namespace

void read(const std::string &path, const OpenSink &open, Conversion &conversion) {
  LineReader reader(path);
  Reading reading(reader, conversion);
  Header header = reading.definitions();
  Roots roots;
  constexpr int64_t Global = 10;
  reading.records(header, [&](const Line &line) {
    if (line.operation == Global)
      roots.see(line, header);
  });
  roots.again();
  Facts facts;
  facts.ranks = header.tasks;
  facts.program = header.program;
  facts.origin = "gnomon trace convert (Dimemas)";
  Sink &sink = open(facts);
  declare(header, sink);
  Records records(sink, header, roots, conversion.losses);
  reading.records(header, [&](const Line &line) { records.take(line); });
  records.finish();
}

} // namespace gnomon::trace::dimemas
