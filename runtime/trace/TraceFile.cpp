// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// By system calls, since libgnomon's own functions belong to the ranks.
#include "trace/TraceFile.h"

#include "support/Error.h"
#include "support/FileHash.h"
#include "trace/FileCursor.h"
#include "trace/Section.h"
#include "trace/Wire.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <mutex>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <utility>

namespace gnomon::trace {

TraceFile::TraceFile(std::string path) : path_(std::move(path)) {
  try {
    openFile();
    readHead();
    readEnd();
  } catch (...) {
    if (descriptor_ >= 0)
      syscall(SYS_close, descriptor_);
    throw;
  }
}

TraceFile::~TraceFile() { syscall(SYS_close, descriptor_); }

void TraceFile::refused(const std::string &what) const { throw InputError(path_, 0, what); }

void TraceFile::damaged(uint64_t place, const std::string &what) const {
  refused(fmt::format("byte {}: {}; the file is damaged: copy or record it again", place, what));
}

void TraceFile::openFile() {
  constexpr int Flags = O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK;
  descriptor_ = static_cast<int>(syscall(SYS_openat, AT_FDCWD, path_.c_str(), Flags, 0));
  struct stat status{};
  if (descriptor_ < 0 || fstat(descriptor_, &status) != 0)
    refused(std::strerror(errno));
  if (!S_ISREG(status.st_mode))
    refused("is no file that can be read at any place: write what comes from a pipe to a file");
  bytes_ = static_cast<uint64_t>(status.st_size);
}

std::string TraceFile::read(uint64_t place, uint64_t bytes) const {
  std::string text(bytes, '\0');
  size_t got = 0;
  while (got < bytes) {
    const long part =
        syscall(SYS_pread64, descriptor_, text.data() + got, bytes - got, place + got);
    if (part < 0 && errno == EINTR)
      continue;
    if (part < 0)
      refused(fmt::format("byte {}: {}", place + got, std::strerror(errno)));
    if (part == 0)
      refused(fmt::format("byte {}: the file became shorter while it was read", place + got));
    got += static_cast<size_t>(part);
  }
  return text;
}

void TraceFile::readHead() {
  const std::string head = read(0, std::min<uint64_t>(bytes_, FileHeadBytes));
  if (!head.starts_with(std::string_view(Magic).substr(0, head.size())) || head.empty())
    refused("is no trace of Gnomon; SimGrid's, Dimemas' and GOAL's are converted by 'gnomon trace "
            "convert'");
  if (head.size() < FileHeadBytes)
    refused(fmt::format("byte {}: the recording was cut short: record it again", bytes_));
  Bytes in(std::string_view(head).substr(Magic.size()));
  const auto version = in.fixed<uint32_t>();
  if (version < OldestVersion || version > FormatVersion)
    refused(fmt::format(
        "byte {}: is a trace of version {}, and this program reads versions {} to {}: use "
        "the Gnomon that wrote it, or a newer one",
        Magic.size(), version, OldestVersion, FormatVersion));
  worldRanks_ = in.fixed<uint32_t>();
}

template <class Parse>
auto TraceFile::readSection(const Reference &place, const SectionHead &head, Parse parse) const {
  try {
    return parse(decompressor_.open(read(place.place, place.bytes), head));
  } catch (const Damage &damage) {
    damaged(place.place, damage.what());
  }
}

/// The trailer, and what it leads to.
void TraceFile::readEnd() {
  if (bytes_ < FileHeadBytes + 2 * SectionHeadBytes + TrailerBytes)
    refused(fmt::format("byte {}: the recording was cut short: record it again", bytes_));
  const uint64_t end = bytes_ - TrailerBytes;
  const std::string trailer = read(end, TrailerBytes);
  if (!trailer.ends_with(EndMagic))
    refused(
        fmt::format("byte {}: the recording was cut short, or the file damaged, for its last bytes "
                    "are missing: record it again",
                    bytes_));
  Bytes in(trailer);
  const auto hash = in.fixed<uint64_t>();
  const auto tables = in.fixed<uint64_t>(), index = in.fixed<uint64_t>();
  const auto bytes = in.fixed<uint64_t>();
  if (!isHash(hash, read(0, FileHeadBytes) + trailer.substr(sizeof hash)))
    damaged(end, "the checksum of the file's first and last bytes differs");
  if (bytes != bytes_)
    damaged(end, fmt::format("the file had {} bytes when it was written, and now has {}", bytes,
                             bytes_));
  if (tables < FileHeadBytes || tables > index || index > end ||
      index - tables < SectionHeadBytes || end - index < SectionHeadBytes)
    damaged(end, "the places of the tables are impossible");
  tables_ = readSection({.place = tables, .bytes = index - tables, .records = 0},
                        {.kind = SectionKind::Tables},
                        [&](const std::string &text) { return parseTables(text, path_); });
  index_ = readSection({.place = index, .bytes = end - index, .records = 0},
                       {.kind = SectionKind::Index},
                       [&](const std::string &text) { return parseIndex(text, tables); });
  if (index_.size() != tables_.facts.ranks)
    damaged(index, fmt::format("the index has {} ranks, and the tables {}", index_.size(),
                               tables_.facts.ranks));
}

std::vector<Reference> TraceFile::page(const Reference &place) const {
  const std::lock_guard lock(lock_);
  return readSection(place, {.kind = SectionKind::Page, .records = place.records},
                     [&](const std::string &text) {
                       std::vector<Reference> blocks = parsePage(text, place.place);
                       uint64_t records = 0;
                       for (const Reference &block : blocks)
                         records += block.records;
                       if (records != place.records)
                         throw Damage("a page of the index has fewer records than it says");
                       return blocks;
                     });
}

TraceFile::BlockPointer TraceFile::block(const Reference &place) const {
  const std::lock_guard lock(lock_);
  std::weak_ptr<const Block> &known = blocks_[place.place];
  if (BlockPointer block = known.lock()) {
    if (block->records != place.records)
      damaged(place.place, "the index says different things of a block");
    return block;
  }
  auto block = readSection(
      place, {.kind = SectionKind::Block, .records = place.records}, [&](const std::string &text) {
        auto decoded = std::make_shared<const Block>(decodeBlock(text, tables_.schema));
        if (decoded->records != place.records)
          throw Damage("a block has other records than it says");
        return decoded;
      });
  known = block;
  constexpr size_t MostRecentBytes = size_t{1} << 20;
  if (block->memory() <= MostRecentBytes)
    recent_[nextRecent_++ % RecentBlocks] = block;
  if (blocks_.size() > swept_) { // Those that nobody has any more are forgotten from time to time.
    std::erase_if(blocks_, [](const auto &entry) { return entry.second.expired(); });
    swept_ = std::max<size_t>(64, 2 * blocks_.size());
  }
  return block;
}

void TraceFile::checkRank(uint32_t rank) const {
  if (rank >= index_.size())
    refused(fmt::format("there is no rank {}: the trace has {} ranks", rank, index_.size()));
}

uint64_t TraceFile::records(uint32_t rank) const {
  checkRank(rank);
  return index_[rank].records();
}

std::unique_ptr<Cursor> TraceFile::open(uint32_t rank, uint64_t first) const {
  return std::make_unique<FileCursor>(*this, rank, first);
}

} // namespace gnomon::trace
