// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "process/ranks/WrittenFiles.h"

#include "gnomon/NameCommands.h"
#include "process/image/Modules.h"
#include "process/image/Real.h"
#include "process/image/Symbolizer.h"
#include "process/ranks/Simulation.h"
#include "support/Error.h"

#include <algorithm>
#include <ctime>
#include <execinfo.h>
#include <fmt/format.h>
#include <optional>
#include <unistd.h>
#include <utility>

namespace gnomon::process {
namespace {

bool anySkipped() { return simulation()->skipping && simulation()->skipping->anySkipped(); }

/// Regular files, and pipes that have a name. What is written to a device nobody reads.
bool holdsData(const struct stat &status) {
  return S_ISREG(status.st_mode) || S_ISFIFO(status.st_mode);
}

std::optional<struct stat> statusOf(int descriptor) {
  struct stat status{};
  if (fstat(descriptor, &status) != 0 || !holdsData(status))
    return std::nullopt;
  return status;
}

/// Return addresses in the program, innermost first: Fortran's runtime is part of it, so that the
/// first need not be the user's code.
std::vector<const void *> placesNow() {
  constexpr size_t Most = 16;
  std::array<void *, 48> frames;
  const int count = backtrace(frames.data(), static_cast<int>(frames.size()));
  std::vector<const void *> places;
  for (int i = 0; i < count && places.size() < Most; ++i)
    if (inFlaggedModule(frames[static_cast<size_t>(i)]))
      places.push_back(frames[static_cast<size_t>(i)]);
  return places;
}

/// Whether all that the code at \p address writes is right: its module counts on nothing.
bool isAllRight(const void *address) {
  const gnomon_module *module = moduleAt(address);
  return !module || !(module->flags & simulation()->modulesThatCheckFiles());
}

/// "opened at a.c:12 in main": the first place that has a line.
std::string placeText(const char *what, const std::vector<const void *> &places) {
  std::vector<CodeAddress> addresses;
  addresses.reserve(places.size());
  for (const void *place : places)
    addresses.push_back({place, true});
  const std::vector<std::string> texts = describe(addresses);
  if (texts.empty())
    return {};
  auto found = std::find_if(texts.begin(), texts.end(), [](const std::string &text) {
    return !text.starts_with("an unknown line") && text.find(" in ") != text.npos;
  });
  return fmt::format("  {} at {}\n", what, found == texts.end() ? texts.front() : *found);
}

std::string readerPlace() {
  const Rank *rank = currentRank();
  if (rank && rank->call.function)
    return fmt::format("  read by {} at {}\n", rank->call.function,
                       describe(rank->call.returnAddress));
  return placeText("read", placesNow());
}

/// Whether the shell does nothing for it but commands of names, one behind the other, whose output nobody keeps.
bool looksAtNamesOnly(std::string_view command) {
  std::string plain(command);
  for (const std::string_view ending :
       {"2>&1", "2> /dev/null", "2>/dev/null", "> /dev/null", ">/dev/null"})
    for (size_t at; (at = plain.find(ending)) != plain.npos;)
      plain.replace(at, ending.size(), " ");
  if (plain.find_first_of("<>$`(){}\\!#") != plain.npos)
    return false;
  constexpr std::string_view Blanks = " \t";
  for (size_t begin = 0; begin < plain.size();) {
    const size_t end = std::min(plain.find_first_of(";&|\n", begin), plain.size());
    const std::string_view one = std::string_view(plain).substr(begin, end - begin);
    if (const size_t word = one.find_first_not_of(Blanks);
        word != one.npos && !beginsWithNameCommand(one.substr(word)))
      return false;
    begin = end + 1;
  }
  return true;
}

/// Whether the shell may leave something running: a & that is no part of && or of a redirection.
bool runsInBackground(std::string_view command) {
  for (size_t at = 0; (at = command.find('&', at)) != command.npos; ++at) {
    if (at + 1 < command.size() && command[at + 1] == '&')
      ++at; // both
    else if (at == 0 || command[at - 1] != '>')
      return true;
  }
  return false;
}

} // namespace

WrittenFiles *writtenFiles() {
  Simulation *running = simulation();
  return running && running->checksFiles() ? &running->files : nullptr;
}

void WrittenFiles::opened(int descriptor, Opened how, FileUser by, const std::string &path) {
  closed(descriptor); // by a way that was not seen
  const std::optional<struct stat> status = statusOf(descriptor);
  if (!status)
    return;
  const Rank *rank = currentRank();
  std::vector<const void *> places;
  if (by == FileUser::Program)
    places = placesNow();
  else if (rank && rank->call.returnAddress)
    places = {rank->call.returnAddress};
  if (!places.empty() && isAllRight(places.front()))
    return;
  const Key key{status->st_dev, status->st_ino, by};
  const bool isWatched = watched_.contains({key.device, key.inode});
  Entry &entry = entries_[key];
  entry.path = path;
  entry.rank = rank ? nameOf(*rank) : std::string();
  entry.places = std::move(places);
  ++entry.open;
  entry.openToWrite += how == Opened::ToWrite;
  descriptors_.insert_or_assign(descriptor, Descriptor{key, how});
  if (isWatched)
    holdBack(&entry);
}

void WrittenFiles::duplicated(int from, int to) {
  if (from == to)
    return;
  closed(to);
  auto found = descriptors_.find(from);
  if (found == descriptors_.end())
    return;
  Entry &entry = entries_[found->second.key];
  ++entry.open;
  entry.openToWrite += found->second.how == Opened::ToWrite;
  descriptors_.insert_or_assign(to, found->second);
}

void WrittenFiles::noteWritten(int descriptor) {
  if (auto found = descriptors_.find(descriptor); found != descriptors_.end() && anySkipped())
    entries_[found->second.key].doubtful = true;
}

void WrittenFiles::closed(int descriptor) {
  auto found = descriptors_.find(descriptor);
  if (found == descriptors_.end())
    return;
  auto entry = entries_.find(found->second.key);
  if (found->second.how == Opened::ToWrite) {
    entry->second.doubtful |= anySkipped();
    --entry->second.openToWrite;
  }
  descriptors_.erase(found);
  if (--entry->second.open == 0 && !entry->second.doubtful)
    entries_.erase(entry);
}

void WrittenFiles::copied(int from, int to) {
  const std::optional<struct stat> source = statusOf(from), target = statusOf(to);
  if (!source || !target)
    return;
  for (FileUser by : {FileUser::Program, FileUser::Mpi}) {
    auto entry = entries_.find({source->st_dev, source->st_ino, by});
    if (entry == entries_.end() || !isDoubtful(entry->second))
      continue;
    Entry copy = entry->second;
    copy.doubtful = true;
    copy.open = copy.openToWrite = 0;
    entries_.insert_or_assign({target->st_dev, target->st_ino, by}, std::move(copy));
  }
}

void WrittenFiles::rewritten(int descriptor) {
  const std::optional<struct stat> status = statusOf(descriptor);
  if (!status)
    return;
  for (FileUser by : {FileUser::Program, FileUser::Mpi})
    if (auto entry = entries_.find({status->st_dev, status->st_ino, by}); entry != entries_.end()) {
      entry->second.doubtful = false;
      if (entry->second.open == 0)
        entries_.erase(entry);
    }
}

void WrittenFiles::checkRead(int descriptor, FileUser by) const {
  if (empty() && !command_)
    return;
  const std::optional<struct stat> status = statusOf(descriptor);
  if (!status)
    return;
  // What MPI wrote and reads is right, whenever that was.
  if (by != FileUser::Mpi || !entries_.contains({status->st_dev, status->st_ino, by}))
    checkCopied(descriptor, *status);
  for (FileUser writer : {FileUser::Program, FileUser::Mpi}) {
    if (writer == FileUser::Mpi && by == FileUser::Mpi)
      continue;
    auto entry = entries_.find({status->st_dev, status->st_ino, writer});
    if (entry != entries_.end() && isDoubtful(entry->second))
      endAtRead(entry->second);
  }
}

void WrittenFiles::runs(const char *command) {
  const bool asks = std::exchange(asksCommand_, false);
  if (empty() || !command || looksAtNamesOnly(command))
    return;
  const auto doubtful =
      std::ranges::find_if(entries_, [](const auto &entry) { return isDoubtful(entry.second); });
  const bool now = doubtful != entries_.end();
  if (asks && now)
    end(doubtful->second,
        fmt::format("looks at the result of the command \"{}\", which may read", command),
        placeText("run", placesNow()));
  if (command_ || !(now || runsInBackground(command))) // then it may read later
    return;
  const Rank *rank = currentRank();
  command_ = {rank ? nameOf(*rank) : "a rank", placesNow(), {}};
  GNOMON_REAL(clock_gettime)(CLOCK_REALTIME_COARSE, &command_->at); // what files' times are by
}

/// Of a file that is about to be read.
void WrittenFiles::checkCopied(int descriptor, const struct stat &status) const {
  const auto changed = std::pair(status.st_ctim.tv_sec, status.st_ctim.tv_nsec);
  if (!command_ || !anySkipped() || changed < std::pair(command_->at.tv_sec, command_->at.tv_nsec))
    return;
  std::array<char, 4096> path{};
  const ssize_t length =
      readlink(fmt::format("/proc/self/fd/{}", descriptor).c_str(), path.data(), path.size());
  Entry copy;
  copy.path = length > 0 ? std::string(path.data(), static_cast<size_t>(length)) : "a file";
  copy.rank = "a command of " + command_->rank;
  copy.deed = "run";
  copy.places = command_->places;
  endAtRead(copy);
}

std::optional<WrittenFiles::FileId> WrittenFiles::fileOf(uint32_t what, int64_t of) const {
  struct stat status{};
  bool found = false;
  if (what == GNOMON_READS_DESCRIPTOR)
    found = fstat(static_cast<int>(of), &status) == 0;
  else if (what == GNOMON_READS_PATH && of)
    found = ::stat(reinterpret_cast<const char *>(of), &status) == 0;
  return found ? std::optional(FileId(status.st_dev, status.st_ino)) : std::nullopt;
}

void WrittenFiles::mayReadBack(uint32_t what, int64_t of) {
  const bool fromNowOn = what & GNOMON_READS_FROM_NOW_ON;
  what &= ~static_cast<uint32_t>(GNOMON_READS_FROM_NOW_ON);
  if (what == GNOMON_READS_COMMAND) {
    asksCommand_ = true;
    return;
  }
  if (what == GNOMON_READS_ANY) {
    if (fromNowOn)
      holdBack(nullptr);
    else
      for (const auto &[key, entry] : entries_)
        if (isDoubtful(entry))
          end(entry, "may read", placeText("read", placesNow()));
    return;
  }
  const std::optional<FileId> file = fileOf(what, of);
  if (!file)
    return;
  for (FileUser by : {FileUser::Program, FileUser::Mpi})
    if (auto found = entries_.find({file->first, file->second, by}); found != entries_.end()) {
      if (isDoubtful(found->second))
        end(found->second, "may read", placeText("read", placesNow()));
      if (fromNowOn)
        holdBack(&found->second);
    }
  if (fromNowOn)
    watched_.insert(*file);
}

/// What is written from now on may be read by ways that no call shows. Null: any file.
void WrittenFiles::holdBack(const Entry *entry) {
  if (heldBack_)
    return;
  if (anySkipped()) {
    Entry any;
    any.path = "any file";
    end(entry ? *entry : any, "may read", placeText("read", placesNow()));
  }
  heldBack_ = true;
  simulation()->skipping->executeAll();
  printError(
      fmt::format("gnomon: warning: {} may read back what the program writes{}: nothing is "
                  "skipped. If that decides nothing about "
                  "communication, link the program again with a file of GNOMON_BURSTS that says "
                  "files=unread; else with files=needed, "
                  "so that decisions skip what rests on no such file (docs/overrides.md)\n{}",
                  currentRank() ? nameOf(*currentRank()) : "a rank",
                  entry ? " to " + entry->path : "", placeText("read", placesNow())));
}

void WrittenFiles::unit(const Rank &rank, int number, UnitUse use) {
  const std::pair key{rank.number, number};
  auto found = units_.find(key);
  if (use == UnitUse::Write) {
    if (found == units_.end() && anySkipped())
      units_[key] = {.path = fmt::format("unit {}", number),
                     .rank = nameOf(rank),
                     .deed = "written",
                     .places = placesNow()};
  } else if (found != units_.end()) {
    if (use == UnitUse::Read)
      endAtRead(found->second);
    units_.erase(found);
  }
}

bool WrittenFiles::isDoubtful(const Entry &entry) {
  return entry.doubtful || (entry.openToWrite > 0 && anySkipped());
}

void WrittenFiles::endAtRead(const Entry &entry) const { end(entry, "reads", readerPlace()); }

void WrittenFiles::end(const Entry &entry, const std::string &deed,
                       const std::string &place) const {
  abortWorld(static_cast<int>(ExitCode::BadInput), [&] {
    const Rank *rank = currentRank();
    return fmt::format(
        "gnomon: error: {} {} {}, which {} has written since computations were skipped\n"
        "{}{}"
        "  what it holds may be wrong. If what is read decides about communication, link the "
        "program again with a\n"
        "  file of GNOMON_BURSTS that says files=needed; if it decides nothing, files=unread "
        "(docs/overrides.md).\n"
        "  A run without --shadow is exact",
        rank ? nameOf(*rank) : "a rank", deed, entry.path,
        entry.rank.empty() ? "a rank" : entry.rank, placeText(entry.deed, entry.places), place);
  });
}

} // namespace gnomon::process
