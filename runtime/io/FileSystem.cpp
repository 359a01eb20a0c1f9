// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Real files, and the errors that the operating system gives.
#include "io/FileSystem.h"

#include "mpi.h"
#include "process/image/Real.h"
#include "process/ranks/WrittenFiles.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace gnomon::io {

static int classOf(int number) {
  switch (number) {
  case ENOENT:
    return MPI_ERR_NO_SUCH_FILE;
  case EEXIST:
    return MPI_ERR_FILE_EXISTS;
  case EACCES:
  case EPERM:
    return MPI_ERR_ACCESS;
  case EROFS:
    return MPI_ERR_READ_ONLY;
  case ENOSPC:
  case EFBIG:
    return MPI_ERR_NO_SPACE;
  case EDQUOT:
    return MPI_ERR_QUOTA;
  case ETXTBSY:
    return MPI_ERR_FILE_IN_USE;
  case EISDIR:
  case ENOTDIR:
  case ELOOP:
  case ENAMETOOLONG:
    return MPI_ERR_BAD_FILE;
  default:
    return MPI_ERR_IO;
  }
}

Error errorOf(int number, const std::string &path) {
  char text[128];
  return {classOf(number), path + ": " + strerror_r(number, text, sizeof text)};
}

/// What has been written lies in the file that is closed, too.
static void closeStored(int descriptor) {
  if (process::WrittenFiles *files = process::writtenFiles())
    files->closed(descriptor);
  GNOMON_REAL(close)(descriptor);
}

StoredFile::~StoredFile() {
  if (hasData())
    closeStored(descriptor_);
}

void StoredFile::replace(int descriptor) {
  closeStored(descriptor_);
  descriptor_ = descriptor;
}

int64_t StoredFile::bytes() const {
  if (!hasData())
    return bytes_;
  struct stat status{};
  return fstat(descriptor_, &status) == 0 ? status.st_size : 0;
}

Error StoredFile::resize(int64_t bytes, const std::string &path) {
  if (!hasData()) {
    bytes_ = bytes;
    return {};
  }
  return GNOMON_REAL(ftruncate)(descriptor_, bytes) == 0 ? Error{} : errorOf(errno, path);
}

FileSystem::Opening openReal(const std::string &path, int amode) {
  const bool writes = amode & (MPI_MODE_WRONLY | MPI_MODE_RDWR);
  int flags = O_CLOEXEC | (writes ? O_RDWR : O_RDONLY);
  if (amode & MPI_MODE_CREATE)
    flags |= O_CREAT | (amode & MPI_MODE_EXCL ? O_EXCL : 0);
  constexpr mode_t permissions = 0666; // less what the umask takes away
  int descriptor = GNOMON_REAL(open)(path.c_str(), flags, permissions);
  bool readable = true;
  if (descriptor < 0 && errno == EACCES && (amode & MPI_MODE_WRONLY)) {
    descriptor = GNOMON_REAL(open)(path.c_str(), (flags & ~O_ACCMODE) | O_WRONLY, permissions);
    readable = false;
  }
  if (descriptor < 0)
    return {nullptr, errorOf(errno, path)};
  auto file = std::make_shared<StoredFile>(descriptor, readable);
  struct stat status{};
  if (fstat(descriptor, &status) == 0 && S_ISDIR(status.st_mode))
    return {nullptr, errorOf(EISDIR, path)};
  return {std::move(file), {}};
}

namespace {

class RealFiles : public FileSystem {
  Opening open(const std::string &path, int amode) override { return openReal(path, amode); }
  Error remove(const std::string &path) override {
    return unlink(path.c_str()) == 0 ? Error{} : errorOf(errno, path);
  }
};

} // namespace

std::unique_ptr<FileSystem> realFiles() { return std::make_unique<RealFiles>(); }

} // namespace gnomon::io
