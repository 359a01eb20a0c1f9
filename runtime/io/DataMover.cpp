// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "io/DataMover.h"

#include "process/files/InputFiles.h"
#include "process/image/Real.h"
#include "process/ranks/WrittenFiles.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <unistd.h>

namespace gnomon::io {

namespace {

/// A window has at most this many bytes, and no gap longer than a page: reading it costs less than
/// a system call.
constexpr int64_t MostWindowBytes = int64_t{1} << 20, MostGapBytes = 4096;
/// Runs from here on are moved by themselves.
constexpr int64_t LongRunBytes = int64_t{1} << 16;
/// What one call is asked for; Linux moves no more than 2 GiB less a page.
constexpr int64_t MostCallBytes = int64_t{1} << 30;

/// The runs of an access, touching ones joined.
class Runs {
public:
  Runs(const FileMap &map, int64_t position, char *data, int64_t bytes)
      : cursor_(map, position), data_(data), left_(bytes) {
    next();
  }
  bool done() const { return current_.bytes == 0; }
  const Run &current() const { return current_; }
  void next() {
    current_ = {left_ > 0 ? cursor_.offset() : 0, 0, data_};
    while (left_ > 0 && cursor_.offset() == current_.offset + current_.bytes) {
      const int64_t bytes = std::min(left_, cursor_.available());
      cursor_.advance(bytes);
      current_.bytes += bytes;
      if (data_)
        data_ += bytes;
      left_ -= bytes;
    }
  }

private:
  FileCursor cursor_;
  char *data_;
  int64_t left_;
  Run current_{};
};

/// Bytes read up to the end of the file, or -1 and errno.
int64_t readAt(int descriptor, char *data, int64_t bytes, int64_t offset) {
  int64_t done = 0;
  while (done < bytes) {
    const ssize_t moved = GNOMON_REAL(pread)(
        descriptor, data + done, static_cast<size_t>(std::min(bytes - done, MostCallBytes)),
        offset + done);
    if (moved < 0 && errno == EINTR)
      continue;
    if (moved < 0)
      return -1;
    if (moved == 0)
      break;
    done += moved;
  }
  return done;
}

/// Whether all was written; else errno.
bool writeAt(int descriptor, const char *data, int64_t bytes, int64_t offset) {
  for (int64_t done = 0; done < bytes;) {
    const ssize_t moved = GNOMON_REAL(pwrite)(
        descriptor, data + done, static_cast<size_t>(std::min(bytes - done, MostCallBytes)),
        offset + done);
    if (moved < 0 && errno == EINTR)
      continue;
    if (moved <= 0)
      return false;
    done += moved;
  }
  return true;
}

/// Short runs that ascend and lie close together; at least one run.
std::vector<Run> takeWindow(Runs &runs) {
  std::vector<Run> window{runs.current()};
  runs.next();
  while (!runs.done() && window.back().bytes < LongRunBytes) {
    const Run &last = window.back(), &next = runs.current();
    const int64_t gap = next.offset - (last.offset + last.bytes);
    if (next.bytes >= LongRunBytes || gap < 0 || gap > MostGapBytes ||
        next.offset + next.bytes - window.front().offset > MostWindowBytes)
      break;
    window.push_back(next);
    runs.next();
  }
  return window;
}

int64_t spanOf(const std::vector<Run> &window) {
  return window.back().offset + window.back().bytes - window.front().offset;
}

bool writeEach(const StoredFile &file, const std::vector<Run> &window) {
  return std::all_of(window.begin(), window.end(), [&](const Run &run) {
    return writeAt(file.descriptor(), run.data, run.bytes, run.offset);
  });
}

bool writeWindow(const StoredFile &file, const std::vector<Run> &window,
                 std::vector<char> &buffer) {
  if (window.size() == 1 || !file.readable())
    return writeEach(file, window);
  const int64_t start = window.front().offset, span = spanOf(window);
  buffer.resize(static_cast<size_t>(span));
  const int64_t there = readAt(file.descriptor(), buffer.data(), span, start);
  if (there < 0)
    return false;
  std::memset(buffer.data() + there, 0, static_cast<size_t>(span - there));
  for (const Run &run : window)
    std::memcpy(buffer.data() + (run.offset - start), run.data, static_cast<size_t>(run.bytes));
  return writeAt(file.descriptor(), buffer.data(), span, start);
}

/// The bytes of the window's first runs that the file has, or -1 and errno.
int64_t readWindow(const StoredFile &file, const std::vector<Run> &window,
                   std::vector<char> &buffer) {
  const int64_t start = window.front().offset, span = spanOf(window);
  if (window.size() == 1)
    return readAt(file.descriptor(), window.front().data, span, start);
  buffer.resize(static_cast<size_t>(span));
  const int64_t there = readAt(file.descriptor(), buffer.data(), span, start);
  int64_t bytes = there < 0 ? -1 : 0;
  for (const Run &run : window) {
    const int64_t part = std::min(run.bytes, there - (run.offset - start));
    if (part <= 0)
      break;
    std::memcpy(run.data, buffer.data() + (run.offset - start), static_cast<size_t>(part));
    bytes += part;
  }
  return bytes;
}

int64_t bytesOf(const std::vector<Run> &window) {
  int64_t bytes = 0;
  for (const Run &run : window)
    bytes += run.bytes;
  return bytes;
}

/// The same for files without data: runs are visited, and the file gets longer.
MoveResult writeNothing(StoredFile &file, const FileMap &map, int64_t position, int64_t bytes,
                        const RunVisitor &visit) {
  MoveResult result;
  for (Runs runs(map, position, nullptr, bytes); !runs.done(); runs.next()) {
    const Run &run = runs.current();
    file.reach(run.offset + run.bytes);
    visit(run.offset, run.bytes);
    result.bytes += run.bytes;
  }
  return result;
}

MoveResult readNothing(const StoredFile &file, const FileMap &map, int64_t position, int64_t bytes,
                       const RunVisitor &visit) {
  MoveResult result;
  for (Runs runs(map, position, nullptr, bytes); !runs.done(); runs.next()) {
    const Run &run = runs.current();
    const int64_t there = std::clamp<int64_t>(file.bytes() - run.offset, 0, run.bytes);
    if (there > 0)
      visit(run.offset, there);
    result.bytes += there;
    if (there < run.bytes)
      break;
  }
  return result;
}

} // namespace

MoveResult writeThrough(StoredFile &file, const FileMap &map, int64_t position, const char *data,
                        int64_t bytes, const RunVisitor &visit) {
  if (!file.hasData())
    return writeNothing(file, map, position, bytes, visit);
  if (process::WrittenFiles *files = process::writtenFiles())
    files->written(file.descriptor());
  if (process::InputFiles *inputs = process::inputFiles())
    inputs->written(file.descriptor());
  MoveResult result;
  std::vector<char> buffer;
  for (Runs runs(map, position, const_cast<char *>(data), bytes); !runs.done();) {
    const std::vector<Run> window = takeWindow(runs);
    if (!writeWindow(file, window, buffer)) {
      result.systemError = errno;
      return result;
    }
    for (const Run &run : window)
      visit(run.offset, run.bytes);
    result.bytes += bytesOf(window);
  }
  return result;
}

MoveResult readThrough(const StoredFile &file, const FileMap &map, int64_t position, char *data,
                       int64_t bytes, const RunVisitor &visit) {
  if (!file.hasData())
    return readNothing(file, map, position, bytes, visit);
  if (const process::WrittenFiles *files = process::writtenFiles())
    files->checkRead(file.descriptor(), process::FileUser::Mpi);
  if (process::InputFiles *inputs = process::inputFiles())
    inputs->read(file.descriptor());
  MoveResult result;
  std::vector<char> buffer;
  for (Runs runs(map, position, data, bytes); !runs.done();) {
    const std::vector<Run> window = takeWindow(runs);
    const int64_t there = readWindow(file, window, buffer);
    if (there < 0) {
      result.systemError = errno;
      return result;
    }
    int64_t left = there;
    for (const Run &run : window) {
      if (left <= 0)
        break;
      visit(run.offset, std::min(run.bytes, left));
      left -= run.bytes;
    }
    result.bytes += there;
    if (there < bytesOf(window))
      break;
  }
  return result;
}

} // namespace gnomon::io
