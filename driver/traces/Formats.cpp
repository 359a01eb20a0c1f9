// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "traces/Formats.h"

#include "support/Error.h"
#include "support/Names.h"
#include "support/TemporaryFolder.h"
#include "trace-formats/Copy.h"
#include "trace-formats/UserReader.h"
#include "trace-formats/dimemas/Reader.h"
#include "trace-formats/goal/Reader.h"
#include "trace-formats/goal/Writer.h"
#include "trace-formats/simgrid/Reader.h"
#include "trace-formats/simgrid/Writer.h"
#include "trace/TraceFile.h"
#include "trace/TraceWriter.h"

#include <filesystem>
#include <fmt/format.h>

namespace gnomon::traces {
namespace {

constexpr std::string_view Names[] = {"gnomon", "simgrid", "goal", "dimemas"};

/// Reads a trace of another format.
void import(const Input &input, const trace::OpenSink &open, trace::Conversion &conversion) {
  if (!input.reader.empty())
    return trace::user::read(input.reader, input.path, open);
  switch (input.format.value_or(formatOf(input.path))) {
  case Format::Simgrid:
    return trace::simgrid::read(input.path, open, conversion);
  case Format::Goal:
    return trace::goal::read(input.path, open, conversion);
  case Format::Dimemas:
    return trace::dimemas::read(input.path, open, conversion);
  case Format::Gnomon:
    break;
  }
}

bool isOurs(const Input &input) {
  return input.reader.empty() && input.format.value_or(formatOf(input.path)) == Format::Gnomon;
}

/// Imports into a file of ours. What went wrong with it; empty on success.
std::string importTo(const Input &input, const std::string &path, trace::Conversion &conversion) {
  std::unique_ptr<trace::TraceWriter> writer;
  trace::Facts facts;
  import(
      input,
      [&](const trace::Facts &known) -> trace::Sink & {
        facts = known;
        writer = std::make_unique<trace::TraceWriter>(path, known.ranks);
        return *writer;
      },
      conversion);
  return writer->finish(facts);
}

std::string copy(const trace::Source &source, const std::string &path,
                 const trace::Conversion &conversion) {
  const trace::Facts &facts = source.facts();
  trace::TraceWriter writer(path, facts.ranks);
  trace::Copier copier(source, writer);
  for (uint32_t rank = 0; rank < facts.ranks; ++rank) {
    const std::unique_ptr<trace::Cursor> cursor = source.open(rank);
    for (trace::Record record; cursor->next(record);)
      copier.append(rank, record);
    if (conversion.progress)
      conversion.progress(rank + 1, facts.ranks);
  }
  return writer.finish(facts);
}

/// A file for each rank in a folder beside the list of them: what `smpirun -replay` takes.
std::string writeSimgridFiles(const trace::Source &source, const Input &input, const Output &output,
                              trace::Conversion &conversion) {
  std::error_code error;
  const std::filesystem::path folder = std::filesystem::absolute(output.path + ".ranks", error);
  std::filesystem::create_directories(folder, error);
  if (error)
    return fmt::format("cannot make {}: {}", folder.string(), error.message());
  const trace::simgrid::WriteOptions options{output.flopsPerSecond, output.blockCollectives};
  const trace::Groups groups(source);
  trace::FileTarget list(output.path);
  for (uint32_t rank = 0; rank < source.facts().ranks; ++rank) {
    const std::string path = folder / fmt::format("{}.txt", rank);
    trace::FileTarget target(path);
    trace::simgrid::writeRank(source, groups, input.path, rank, target, options, conversion.losses);
    if (std::string wrong = target.finish(); !wrong.empty())
      return wrong;
    list.write(path + "\n");
    if (conversion.progress)
      conversion.progress(rank + 1, source.facts().ranks);
  }
  return list.finish();
}

} // namespace

Format formatNamed(const std::string &name) {
  for (size_t i = 0; i < std::size(Names); ++i)
    if (name == Names[i])
      return static_cast<Format>(i);
  throw InputError("", 0,
                   fmt::format("trace: there is no format '{}': gnomon, simgrid, goal, dimemas{}",
                               name, didYouMean(name, Names)));
}

Format formatOf(const std::string &path) {
  const std::string ending = std::filesystem::path(path).extension();
  if (ending == ".goal")
    return Format::Goal;
  if (ending == ".dim")
    return Format::Dimemas;
  if (ending == ".txt" || ending == ".tit" || ending == ".idx")
    return Format::Simgrid;
  return Format::Gnomon;
}

std::unique_ptr<trace::Source> open(const Input &input, trace::Conversion &conversion) {
  if (isOurs(input))
    return std::make_unique<trace::TraceFile>(input.path);
  const TemporaryFolder folder;
  const std::string path = folder.file("imported");
  if (const std::string wrong = importTo(input, path, conversion); !wrong.empty())
    throw InputError(input.path, 0,
                     fmt::format("as a file in {}: {}", folder.path().string(), wrong));
  return std::make_unique<trace::TraceFile>(path); // which keeps it open
}

std::unique_ptr<trace::Cursor> openAt(const trace::Source &source, uint32_t rank, uint64_t first) {
  if (const auto *file = dynamic_cast<const trace::TraceFile *>(&source))
    return file->open(rank, std::min(first, file->records(rank)));
  std::unique_ptr<trace::Cursor> cursor = source.open(rank);
  trace::Record record;
  while (first-- > 0 && cursor->next(record))
    ;
  return cursor;
}

std::string convert(const Input &input, const Output &output, trace::Conversion &conversion) {
  const Format to = output.format.value_or(formatOf(output.path));
  if (to == Format::Gnomon && !isOurs(input))
    return importTo(input, output.path, conversion);
  if (to == Format::Dimemas)
    throw InputError(output.path, 0,
                     "traces of Dimemas are read and not written; write another format");
  const std::unique_ptr<trace::Source> source = open(input, conversion);
  if (to == Format::Gnomon)
    return copy(*source, output.path, conversion);
  if (to == Format::Simgrid && !output.singleFile)
    return writeSimgridFiles(*source, input, output, conversion);
  trace::FileTarget target(output.path);
  if (to == Format::Simgrid)
    trace::simgrid::write(*source, input.path, target,
                          {output.flopsPerSecond, output.blockCollectives}, conversion);
  else
    trace::goal::write(*source, input.path, target,
                       {output.flopsPerSecond, output.expandCollectives}, conversion);
  return target.finish();
}

} // namespace gnomon::traces
