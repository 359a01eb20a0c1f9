// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "trace-formats/simgrid/Reader.h"

#include "support/Error.h"
#include "trace-formats/LineReader.h"
#include "trace-formats/simgrid/Actions.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>

namespace gnomon::trace::simgrid {
namespace {

/// How often progress is told, in lines.
constexpr uint64_t Often = 1 << 16;

/// The next line with an action; false at the end.
bool nextAction(LineReader &reader, std::vector<std::string_view> &words) {
  std::string_view line;
  while (reader.next(line)) {
    splitWords(line, words);
    if (!words.empty() && words[0][0] != '#')
      return true;
  }
  return false;
}

/// Whether the file has actions, and does not list files that have.
bool hasActions(const std::vector<std::string_view> &words) {
  return words.size() >= 2 && words[0].find_first_not_of("0123456789") == std::string_view::npos;
}

std::string pathOf(std::string_view name, const std::string &list) {
  const std::filesystem::path path(name);
  std::error_code error;
  if (path.is_absolute() || std::filesystem::exists(path, error))
    return path;
  return std::filesystem::path(list).parent_path() / path;
}

/// The files that the trace at \p path consists of: itself, or those that it lists.
std::vector<std::string> filesOf(const std::string &path) {
  LineReader reader(path);
  std::vector<std::string_view> words;
  if (!nextAction(reader, words))
    throw InputError(path, 0, "no action and no name of a file: this is no trace of SimGrid");
  if (hasActions(words))
    return {path};
  std::vector<std::string> files;
  reader.rewind();
  for (std::string_view line; reader.next(line);) {
    splitWords(line, words);
    if (words.empty() || words[0][0] == '#')
      continue;
    const char *first = words.front().data(), *end = words.back().data() + words.back().size();
    files.push_back(pathOf({first, static_cast<size_t>(end - first)}, path));
    std::error_code error;
    if (!std::filesystem::is_regular_file(files.back(), error))
      reader.fail(fmt::format("there is no file {}, and the line is no action", quoted(line)));
    if (files.size() > MostRanks)
      reader.fail(fmt::format("more than {} files", MostRanks));
  }
  return files;
}

/// Of a file with the actions of all ranks: one more than the highest.
uint32_t countRanks(LineReader &reader) {
  std::vector<std::string_view> words;
  int64_t ranks = 0;
  uint64_t highest = 0, actions = 0;
  for (; nextAction(reader, words); ++actions) {
    int64_t rank = 0;
    if (!readInteger(words[0], 0, int64_t{MostRanks} - 1, rank))
      reader.fail(
          fmt::format("{} is no rank: a line is 'rank action arguments'", quoted(words[0])));
    if (rank >= ranks) {
      ranks = rank + 1;
      highest = reader.line();
    }
  }
  if (2 * static_cast<uint64_t>(ranks) > actions) // each has 'init' and 'finalize'
    failAt(
        reader.path(), highest,
        fmt::format("rank {}, but the file has {} actions: each rank needs 'init' and 'finalize'",
                    ranks - 1, actions));
  reader.rewind();
  return static_cast<uint32_t>(ranks);
}

Facts factsOf(uint32_t ranks) {
  Facts facts;
  facts.ranks = ranks;
  facts.origin = "gnomon trace convert (SimGrid)";
  return facts;
}

class Reading {
public:
  explicit Reading(Conversion &conversion) : conversion_(conversion) {}

  void file(LineReader &reader, Actions &actions, const uint32_t *only) {
    while (nextAction(reader, words_)) {
      int64_t rank = 0;
      if (only && (!readInteger(words_[0], 0, MostRanks, rank) || rank != *only))
        reader.fail(fmt::format("{} in the file of rank {}", quoted(words_[0]), *only));
      actions.take(reader, words_);
      if (conversion_.progress && reader.line() % Often == 0)
        conversion_.progress(before_ + reader.bytesRead(), total_);
    }
    before_ += reader.bytes();
  }
  void total(uint64_t bytes) { total_ += bytes; }

private:
  Conversion &conversion_;
  std::vector<std::string_view> words_;
  uint64_t before_ = 0, total_ = 0;
};

void readShared(const std::string &path, const OpenSink &open, Conversion &conversion) {
  LineReader reader(path);
  const uint32_t ranks = countRanks(reader);
  Actions actions(open(factsOf(ranks)), ranks, conversion.losses);
  Reading reading(conversion);
  reading.total(reader.bytes());
  reading.file(reader, actions, nullptr);
  for (uint32_t rank = 0; rank < ranks; ++rank)
    actions.finish(rank, reader);
}

} // namespace

void read(const std::string &path, const OpenSink &open, Conversion &conversion) {
  const std::vector<std::string> files = filesOf(path);
  if (files.size() == 1)
    return readShared(files[0], open, conversion);
  const auto ranks = static_cast<uint32_t>(files.size());
  Actions actions(open(factsOf(ranks)), ranks, conversion.losses);
  Reading reading(conversion);
  for (const std::string &file : files)
    reading.total(LineReader(file).bytes());
  for (uint32_t rank = 0; rank < ranks; ++rank) {
    LineReader reader(files[rank]);
    reading.file(reader, actions, &rank);
    actions.finish(rank, reader);
  }
}

} // namespace gnomon::trace::simgrid
