// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "trace-formats/dimemas/Header.h"

#include "trace-formats/Import.h"

#include <fmt/format.h>

namespace gnomon::trace::dimemas {
namespace {

/// Takes what stands before \p end off \p rest; false where there is no such character.
bool takeUntil(std::string_view &rest, char end, std::string_view &taken) {
  const size_t place = rest.find(end);
  if (place == std::string_view::npos)
    return false;
  taken = rest.substr(0, place);
  rest.remove_prefix(place + 1);
  return true;
}

/// "4(1,1,1,1)" of \p rest: the number of tasks, each with one thread.
uint32_t readTasks(const LineReader &reader, std::string_view rest) {
  std::string_view number, threads, thread;
  int64_t tasks = 0;
  if (!takeUntil(rest, '(', number) || !takeUntil(rest, ')', threads) ||
      !readInteger(number, 1, MostRanks, tasks))
    reader.fail("the first line has no number of tasks with the threads of each: 4(1,1,1,1)");
  int64_t count = 0;
  for (bool more = true; more; ++count) {
    int64_t value = 0;
    more = takeUntil(threads, ',', thread);
    if (!readInteger(more ? thread : threads, 1, MostRanks, value))
      reader.fail(fmt::format("{} is no number of threads", quoted(more ? thread : threads)));
    if (value != 1)
      reader.fail(
          fmt::format("task {} has {} threads: only tasks of one thread can be read (threads of "
                      "OpenMP and accelerators have no place in a trace of ranks)",
                      count, value));
  }
  if (count != tasks)
    reader.fail(fmt::format("{} tasks, and numbers of threads of {}", tasks, count));
  return static_cast<uint32_t>(tasks);
}

} // namespace

void splitFields(std::string_view line, std::vector<std::string_view> &fields) {
  fields.clear();
  for (std::string_view field; takeUntil(line, ':', field);)
    fields.push_back(field);
  while (!line.empty() && (line.back() == ' ' || line.back() == '\t'))
    line.remove_suffix(1);
  fields.push_back(line);
}

Header readHeader(LineReader &reader) {
  constexpr std::string_view Begin = "#DIMEMAS:\"";
  std::string_view line, program, offsets;
  if (!reader.next(line) || !line.starts_with(Begin))
    reader.fail("a trace of Dimemas begins with #DIMEMAS:\"name\":");
  line.remove_prefix(Begin.size());
  Header header;
  if (!takeUntil(line, '"', program) || !line.starts_with(':'))
    reader.fail("the name in the first line has no end");
  line.remove_prefix(1);
  if (!takeUntil(line, ':', offsets))
    reader.fail("the first line ends before its number of tasks");
  header.program = program;
  int64_t present = 0;
  if (!readInteger(offsets.substr(0, offsets.find(',')), 0, 1, present))
    reader.fail(
        fmt::format("{} does not say whether there are offsets: 0, or 1,PLACE", quoted(offsets)));
  header.hasOffsets = present == 1;
  header.tasks = readTasks(reader, line);
  return header;
}

void readDefinition(LineReader &reader, const std::vector<std::string_view> &fields,
                    Header &header) {
  if (fields.size() < 2 || fields[1] != "1") // files and windows, of which Dimemas reads nothing
    return;
  int64_t id = 0, count = 0;
  if (fields.size() < 4 || !readInteger(fields[2], 0, INT64_MAX, id) ||
      !readInteger(fields[3], 1, header.tasks, count))
    reader.fail("a communicator is d:1:number:tasks:task:task:…");
  if (fields.size() != 4 + static_cast<size_t>(count))
    reader.fail(fmt::format("communicator {} of {} tasks lists {}", id, count, fields.size() - 4));
  const auto [place, isNew] = header.communicators.try_emplace(id);
  if (!isNew)
    reader.fail(fmt::format("communicator {} is defined a second time", id));
  Communicator &communicator = place->second;
  bool same = true;
  for (size_t i = 4; i < fields.size(); ++i) {
    int64_t task = 0;
    if (!readInteger(fields[i], 0, int64_t{header.tasks} - 1, task))
      reader.fail(fmt::format("{} is no task: there are {}", quoted(fields[i]), header.tasks));
    same = same && task == static_cast<int64_t>(i - 4);
    communicator.tasks.push_back(static_cast<uint32_t>(task));
  }
  for (uint32_t rank = 0; !same && rank < communicator.size(); ++rank)
    if (!communicator.rankOf.try_emplace(communicator.tasks[rank], rank).second)
      reader.fail(fmt::format("communicator {} has task {} twice", id, communicator.tasks[rank]));
}

} // namespace gnomon::trace::dimemas
