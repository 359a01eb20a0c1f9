// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The overlay of scratch files. Without a directory of the user's each is a file without a name,
/// which the operating system takes away with the process.
#include "io/FileSystem.h"

#include "mpi.h"
#include "process/image/Real.h"
#include "process/ranks/WrittenFiles.h"

#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <linux/fs.h>
#include <map>
#include <sys/ioctl.h>
#include <unistd.h>

namespace gnomon::io {

namespace {

namespace fs = std::filesystem;

bool isThere(const std::string &path) { return access(path.c_str(), F_OK) == 0; }

/// A file in \p directory that has no name, or had one for a moment; -1 and errno.
int openNameless(const std::string &directory) {
  int descriptor = GNOMON_REAL(open)(directory.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (descriptor >= 0)
    return descriptor;
  std::string name = directory + "/gnomon-XXXXXX";
  descriptor = mkostemp(name.data(), O_CLOEXEC);
  if (descriptor >= 0)
    unlink(name.c_str());
  return descriptor;
}

/// All bytes of one real file into another, which is empty. False, and errno.
bool copyBytes(int from, int to) {
  if (ioctl(to, FICLONE, from) == 0)
    return true;
  off_t in = 0, out = 0;
  ssize_t copied;
  while ((copied = copy_file_range(from, &in, to, &out, size_t{1} << 30, 0)) > 0) {
  }
  if (copied == 0)
    return true;
  // Between file systems, or on one that cannot do it.
  std::unique_ptr<char[]> block(new char[size_t{1} << 20]);
  while ((copied = GNOMON_REAL(pread)(from, block.get(), size_t{1} << 20, in)) > 0) {
    if (GNOMON_REAL(pwrite)(to, block.get(), static_cast<size_t>(copied), in) != copied)
      return false;
    in += copied;
  }
  return copied == 0;
}

class ScratchFiles : public FileSystem {
public:
  explicit ScratchFiles(std::string directory) : directory_(std::move(directory)) {
    const char *temporary = std::getenv("TMPDIR");
    temporary_ = temporary && *temporary ? temporary : "/tmp";
  }

  Opening open(const std::string &path, int amode) override;
  Error remove(const std::string &path) override;

private:
  struct Entry {
    std::shared_ptr<StoredFile> file; ///< null: the program has deleted it
    bool own = false;                 ///< not the real file
  };

  std::string kept(const std::string &path) const { return directory_ + path; }
  bool keptThere(const std::string &path) const {
    return !directory_.empty() && isThere(kept(path));
  }
  Opening create(const std::string &path);
  Error copy(const std::string &path, Entry &entry);

  std::string directory_, temporary_;
  std::map<std::string, Entry> entries_; ///< by absolute path
};

/// A new empty scratch file.
FileSystem::Opening ScratchFiles::create(const std::string &path) {
  if (directory_.empty()) {
    const int descriptor = openNameless(temporary_);
    if (descriptor < 0)
      return {nullptr, errorOf(errno, temporary_)};
    return {std::make_shared<StoredFile>(descriptor, true), {}};
  }
  std::error_code failed;
  fs::create_directories(fs::path(kept(path)).parent_path(), failed);
  return openReal(kept(path), MPI_MODE_CREATE | MPI_MODE_RDWR);
}

/// Makes a scratch file of the real one that \p entry is, for all who have it open.
Error ScratchFiles::copy(const std::string &path, Entry &entry) {
  if (access(path.c_str(), W_OK) != 0)
    return errorOf(errno, path);
  Opening fresh = create(path);
  if (fresh.error)
    return fresh.error;
  if (!copyBytes(entry.file->descriptor(), fresh.file->descriptor()))
    return errorOf(errno, path);
  if (process::WrittenFiles *written = process::writtenFiles())
    written->copied(entry.file->descriptor(), fresh.file->descriptor());
  entry.file->replace(fcntl(fresh.file->descriptor(), F_DUPFD_CLOEXEC, 0));
  entry.own = true;
  return {};
}

FileSystem::Opening ScratchFiles::open(const std::string &path, int amode) {
  auto found = entries_.find(path);
  if (found == entries_.end() && keptThere(path)) {
    Opening opened = openReal(kept(path), MPI_MODE_RDWR);
    if (opened.error)
      return opened;
    found = entries_.insert({path, {opened.file, true}}).first;
  }
  if (found == entries_.end() && isThere(path)) {
    Opening opened = openReal(path, MPI_MODE_RDONLY);
    if (opened.error)
      return opened;
    found = entries_.insert({path, {opened.file, false}}).first;
  }
  if (found != entries_.end() && found->second.file) {
    if ((amode & MPI_MODE_CREATE) && (amode & MPI_MODE_EXCL))
      return {nullptr, errorOf(EEXIST, path)};
    if (!found->second.own && !(amode & MPI_MODE_RDONLY))
      if (Error error = copy(path, found->second))
        return {nullptr, error};
    return {found->second.file, {}};
  }
  if (!(amode & MPI_MODE_CREATE) || !isThere(fs::path(path).parent_path()))
    return {nullptr, errorOf(ENOENT, path)};
  if (access(fs::path(path).parent_path().c_str(), W_OK) != 0)
    return {nullptr, errorOf(errno, path)};
  Opening fresh = create(path);
  if (!fresh.error)
    entries_[path] = {fresh.file, true};
  return fresh;
}

Error ScratchFiles::remove(const std::string &path) {
  auto found = entries_.find(path);
  const bool deleted = found != entries_.end() && !found->second.file;
  const bool there = found != entries_.end() ? !deleted : keptThere(path) || isThere(path);
  if (!there)
    return errorOf(ENOENT, path);
  if (keptThere(path))
    unlink(kept(path).c_str());
  entries_[path] = {};
  return {};
}

} // namespace

std::unique_ptr<FileSystem> scratchFiles(std::string directory) {
  return std::make_unique<ScratchFiles>(std::move(directory));
}

} // namespace gnomon::io
