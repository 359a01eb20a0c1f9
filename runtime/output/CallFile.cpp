// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "output/CallFile.h"

#include "output/OutputFile.h"
#include "process/image/Real.h"
#include "support/Check.h"
#include "support/Error.h"
#include "support/Write.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fmt/format.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <utility>

namespace gnomon::output {
namespace {

/// Beside the file, where there is room for it; in /tmp when the file is a pipe or a device.
int openWorkingFile(const std::string &path) {
  const size_t slash = path.rfind('/');
  if (isSpecialFile(path))
    return openNameless("/tmp");
  return openNameless(slash == std::string::npos ? "." : path.substr(0, slash + 1));
}

} // namespace

size_t CallFile::chunkBytes(size_t ranks) {
  constexpr size_t AllChunks = size_t{64} << 20, Least = size_t{4} << 10, Most = size_t{64} << 10;
  return std::clamp(AllChunks / std::max<size_t>(ranks, 1), Least, Most);
}

CallFile::CallFile(std::string path, std::string headline, size_t ranks)
    : file_(std::move(path)), headline_(std::move(headline)), ranks_(ranks),
      chunk_(chunkBytes(ranks)), working_(openWorkingFile(file_.path())) {
  if (working_ < 0)
    throw InputError(file_.path(), 0, fmt::format("cannot be written: {}", std::strerror(errno)));
}

CallFile::~CallFile() { syscall(SYS_close, working_); }

void CallFile::fail(const std::string &what) {
  if (error_.empty())
    error_ = fmt::format("cannot write {}: {}", file_.path(), what);
}

void CallFile::spill(Lines &lines) {
  const std::string_view chunk = std::string_view(lines.open).substr(0, chunk_);
  if (!writeFullyAt(working_, chunk, workingBytes_))
    fail(std::strerror(errno));
  lines.chunks.push_back(workingBytes_);
  workingBytes_ += chunk_;
  lines.open.erase(0, chunk_);
}

/// Ranks that were started later (MPI_Comm_spawn) are met here first.
CallFile::Lines &CallFile::linesOf(uint32_t rank) {
  if (rank >= ranks_.size())
    ranks_.resize(rank + 1);
  return ranks_[rank];
}

uint64_t CallFile::append(uint32_t rank, std::string_view text) {
  Lines &lines = linesOf(rank);
  const uint64_t place = lines.chunks.size() * chunk_ + lines.open.size();
  lines.open += text;
  while (lines.open.size() >= chunk_)
    spill(lines);
  return place;
}

void CallFile::replace(uint32_t rank, uint64_t place, std::string_view text) {
  Lines &lines = linesOf(rank);
  while (!text.empty()) {
    const uint64_t index = place / chunk_, offset = place % chunk_;
    const std::string_view part = text.substr(0, std::min<uint64_t>(text.size(), chunk_ - offset));
    if (index == lines.chunks.size()) {
      CHECK(offset + part.size() <= lines.open.size(), "only what was written is replaced");
      lines.open.replace(offset, part.size(), part);
    } else if (!writeFullyAt(working_, part, lines.chunks[index] + offset)) {
      fail(std::strerror(errno));
    }
    place += part.size();
    text.remove_prefix(part.size());
  }
}

std::string CallFile::readChunk(uint64_t at) {
  std::string text(chunk_, '\0');
  if (GNOMON_REAL(pread)(working_, text.data(), chunk_, static_cast<off_t>(at)) !=
      static_cast<ssize_t>(chunk_))
    fail(std::strerror(errno));
  return text;
}

void CallFile::writeRanks(bool complete) {
  file_.write(headline_ + (complete ? "\n" : " INCOMPLETE\n"));
  for (size_t rank = 0; rank < ranks_.size(); ++rank) {
    file_.write(fmt::format("rank {}\n", rank));
    for (uint64_t at : ranks_[rank].chunks)
      file_.write(readChunk(at));
    file_.write(ranks_[rank].open);
  }
  if (!complete)
    file_.write("INCOMPLETE: the run was cut short\n");
}

std::string CallFile::finish(bool complete) {
  if (!error_.empty())
    return error_;
  writeRanks(complete);
  return error_.empty() ? file_.finish() : error_;
}

} // namespace gnomon::output
