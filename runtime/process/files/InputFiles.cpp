// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "process/files/InputFiles.h"

#include "process/image/Real.h"
#include "support/FileHash.h"

#include <algorithm>
#include <array>
#include <ctime>
#include <fcntl.h>
#include <filesystem>
#include <linux/magic.h>
#include <stdio_ext.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>
#include <unistd.h>

namespace gnomon::process {
namespace {

constexpr int64_t NanosecondsPerSecond = 1000000000;

/// Of a regular file.
std::optional<struct stat> statusOf(int descriptor) {
  struct stat status{};
  if (fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode))
    return std::nullopt;
  return status;
}

FileKey keyOf(const struct stat &status) { return {status.st_dev, status.st_ino}; }

FileContents contentsOf(int descriptor) {
  const std::optional<struct stat> status = statusOf(descriptor);
  return status ? FileContents{static_cast<uint64_t>(status->st_size), hashOfFile(descriptor)}
                : FileContents{};
}

/// What the system makes up when it is read.
bool isMadeUp(int descriptor) {
  struct statfs system{};
  return fstatfs(descriptor, &system) == 0 &&
         (system.f_type == PROC_SUPER_MAGIC || system.f_type == SYSFS_MAGIC ||
          system.f_type == DEBUGFS_MAGIC || system.f_type == TRACEFS_MAGIC);
}

std::string placeOf(int descriptor) {
  std::array<char, 4096> target;
  const std::string link = "/proc/self/fd/" + std::to_string(descriptor);
  const ssize_t length = readlink(link.c_str(), target.data(), target.size());
  return length > 0 ? std::string(target.data(), static_cast<size_t>(length)) : std::string();
}

std::string currentDirectory() {
  std::error_code failed;
  return std::filesystem::current_path(failed).string();
}

/// Files are dated by this clock, or by one that lags some milliseconds behind it: no date from before the start is
/// later than what this one said at the start.
int64_t now() {
  timespec time{};
  GNOMON_REAL(clock_gettime)(CLOCK_REALTIME, &time);
  return time.tv_sec * NanosecondsPerSecond + time.tv_nsec;
}

/// /dev/null, which holds nothing.
bool isNowhere(const struct stat &status) {
  return S_ISCHR(status.st_mode) && status.st_rdev == makedev(1, 3);
}

/// A descriptor that is closed again.
class Opening {
public:
  explicit Opening(const std::string &path)
      : descriptor_(GNOMON_REAL(open)(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)) {
  }
  ~Opening() {
    if (descriptor_ >= 0)
      syscall(SYS_close, descriptor_);
  }
  Opening(const Opening &) = delete;
  Opening &operator=(const Opening &) = delete;
  int descriptor() const { return descriptor_; }

private:
  int descriptor_;
};

} // namespace

std::optional<FileContents> contentsOf(const std::string &path, FileKey *key) {
  std::optional<Opening> opening;
  if (path != StandardInput)
    opening.emplace(path);
  const int descriptor = opening ? opening->descriptor() : STDIN_FILENO;
  const std::optional<struct stat> status = statusOf(descriptor);
  if (!status)
    return std::nullopt;
  if (key)
    *key = keyOf(*status);
  return contentsOf(descriptor);
}

InputFiles::InputFiles(Contents contents, std::function<void(const InputFile &)> found)
    : contents_(contents), found_(std::move(found)), directory_(currentDirectory()),
      startedAt_(now()) {
  struct stat status{};
  if (fstat(STDIN_FILENO, &status) != 0 || isNowhere(status))
    return;
  standard_ = keyOf(status);
  standardStream_ = stdin;
  if (S_ISREG(status.st_mode)) {
    // Out of the way of the program's own. It has the same place in the file, also when the program closes its own.
    constexpr int FarAway = 200;
    standardDescriptor_ = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, FarAway);
    standardAt_ = lseek(standardDescriptor_, 0, SEEK_CUR);
  }
}

InputFiles::~InputFiles() {
  if (standardDescriptor_ >= 0)
    syscall(SYS_close, standardDescriptor_);
}

/// A date to come is a wrong one, and says nothing.
bool InputFiles::changedSinceStart(int descriptor) const {
  struct statx status{};
  if (statx(descriptor, "", AT_EMPTY_PATH, STATX_MTIME | STATX_BTIME, &status) != 0)
    return false;
  const auto duringRun = [&](const statx_timestamp &date) {
    const int64_t at = date.tv_sec * NanosecondsPerSecond + date.tv_nsec;
    return at > startedAt_ && at <= now();
  };
  return (status.stx_mask & STATX_MTIME && duringRun(status.stx_mtime)) ||
         (status.stx_mask & STATX_BTIME && duringRun(status.stx_btime));
}

std::string InputFiles::nameOf(int descriptor, const std::string &path) const {
  if (path.starts_with('/') || (!path.empty() && currentDirectory() == directory_))
    return path;
  const std::string place = placeOf(descriptor);
  const std::string inside = directory_.ends_with('/') ? directory_ : directory_ + "/";
  return place.starts_with(inside) ? place.substr(inside.size()) : place;
}

void InputFiles::opened(uint32_t rank, int descriptor, FileAccess access, const std::string &path) {
  const std::optional<struct stat> status = statusOf(descriptor);
  if (!status)
    return;
  const FileKey key = keyOf(*status);
  if (path.starts_with("/dev/")) {
    standardRead_ |= key == standard_;
    return;
  }
  if (isMadeUp(descriptor))
    return;
  auto [place, isNew] = entries_.try_emplace(key, Entry{State::Opened, {}, {}});
  Entry &entry = place->second;
  if (isNew) {
    ++open_;
    entry.file.path = nameOf(descriptor, path);
    entry.file.key = key;
    entry.place = placeOf(descriptor);
    if (changedSinceStart(descriptor))
      noteWritten(descriptor);
  }
  if (entry.state == State::Written)
    return;
  if (access != FileAccess::Write)
    entry.file.ranks.insert(rank);
  if (access == FileAccess::Read && entry.state == State::Opened)
    becomesInput(entry, descriptor);
  else if (access == FileAccess::Write && entry.state == State::Opened)
    noteWritten(descriptor);
}

void InputFiles::becomesInput(Entry &entry, int descriptor) {
  --open_;
  entry.state = State::Input;
  if (contents_ == Contents::Hashed)
    entry.file.contents = contentsOf(descriptor);
  if (found_)
    found_(entry.file);
}

void InputFiles::noteRead(int descriptor) {
  struct stat any{};
  if (descriptor == STDIN_FILENO && fstat(descriptor, &any) == 0)
    standardRead_ |= keyOf(any) == standard_;
  const std::optional<struct stat> status = statusOf(descriptor);
  if (!status)
    return;
  auto found = entries_.find(keyOf(*status));
  if (found != entries_.end() && found->second.state == State::Opened)
    becomesInput(found->second, descriptor);
}

void InputFiles::noteWritten(int descriptor) {
  const std::optional<struct stat> status = statusOf(descriptor);
  if (!status)
    return;
  auto found = entries_.find(keyOf(*status));
  if (found == entries_.end() || found->second.state != State::Opened)
    return;
  found->second.state = State::Written;
  --open_;
}

/// The library reads it inside itself. What it has read of a file shows in the descriptor's place; that it has read of
/// something else, in the buffer that it took for it.
bool InputFiles::standardWasRead() const {
  if (standardRead_ || !standardStream_)
    return standardRead_;
  return standardAt_ >= 0 ? lseek(standardDescriptor_, 0, SEEK_CUR) != standardAt_
                          : __fbufsize(standardStream_) > 0;
}

void InputFiles::standardInput(std::vector<InputFile> &files) const {
  if (!standardWasRead())
    return;
  InputFile file{StandardInput, standard_, {}, {0}};
  if (contents_ == Contents::Hashed && standardAt_ >= 0)
    file.contents = contentsOf(standardDescriptor_);
  files.push_back(std::move(file));
}

std::vector<InputFile> InputFiles::all() {
  std::vector<InputFile> files;
  for (auto &[key, entry] : entries_) {
    if (entry.state == State::Opened) {
      const Opening again(entry.place);
      const std::optional<struct stat> status = statusOf(again.descriptor());
      if (!status || keyOf(*status) != key || changedSinceStart(again.descriptor()))
        continue;
      if (contents_ == Contents::Hashed)
        entry.file.contents = contentsOf(again.descriptor());
    }
    if (entry.state != State::Written)
      files.push_back(entry.file);
  }
  standardInput(files);
  std::sort(files.begin(), files.end(), [](const InputFile &a, const InputFile &b) {
    return std::tie(a.path, a.key) < std::tie(b.path, b.key);
  });
  return files;
}

} // namespace gnomon::process
