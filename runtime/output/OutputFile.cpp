// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// By system calls where libgnomon's own functions belong to the ranks.
#include "output/OutputFile.h"

#include "process/image/Real.h"
#include "support/Error.h"
#include "support/Write.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <utility>
#include <vector>
#include <zstd.h>

namespace gnomon::output {
namespace {

constexpr int FolderFlags = O_PATH | O_DIRECTORY | O_CLOEXEC;
constexpr int NewFlags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;

bool closeDescriptor(int &descriptor) {
  return descriptor < 0 || syscall(SYS_close, std::exchange(descriptor, -1)) == 0;
}

/// A name that nobody can guess.
std::string secretName() {
  std::array<unsigned char, 12> bytes{};
  if (getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
    return {}; // no name: whoever uses it fails
  std::string name = ".gnomon-";
  for (unsigned char byte : bytes)
    name += fmt::format("{:02x}", byte);
  return name;
}

/// Where the part of \p path behind the last slash lies.
std::string folderOf(const std::string &path) {
  const size_t slash = path.rfind('/');
  return slash == std::string::npos ? "." : path.substr(0, slash + 1);
}

std::string descriptorPath(int descriptor) { return fmt::format("/proc/self/fd/{}", descriptor); }

/// A nameless file that can be given a name; -1 where there is none.
int openLinkable(const std::string &folder) {
  const int descriptor = GNOMON_REAL(open)(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0666);
  if (descriptor < 0 || access(descriptorPath(descriptor).c_str(), F_OK) == 0)
    return descriptor;
  syscall(SYS_close, descriptor); // no /proc, through which it would get its name
  errno = EOPNOTSUPP;
  return -1;
}

} // namespace

/// A zstd stream and the buffer that it writes to.
struct OutputFile::Compressor {
  ZSTD_CCtx *context = ZSTD_createCCtx();
  std::vector<char> buffer = std::vector<char>(ZSTD_CStreamOutSize());
  ~Compressor() { ZSTD_freeCCtx(context); }

  /// Compresses \p text; \p end also ends the stream. \p put takes what comes out.
  template <class Put> void run(std::string_view text, bool end, Put put) {
    ZSTD_inBuffer in = {text.data(), text.size(), 0};
    size_t left = 1;
    while (end ? left != 0 : in.pos < in.size) {
      ZSTD_outBuffer out = {buffer.data(), buffer.size(), 0};
      left = ZSTD_compressStream2(context, &out, &in, end ? ZSTD_e_end : ZSTD_e_continue);
      put(std::string_view(buffer.data(), out.pos));
      if (ZSTD_isError(left)) // Only for want of memory: the file stays short, and nobody opens it.
        return;
    }
  }
};

bool isSpecialFile(const std::string &path) {
  struct stat status{};
  if (stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode))
    return true;
  // Names of open descriptors, whatever these are.
  const std::string plain = std::filesystem::path(path).lexically_normal().string();
  return plain == "/dev/stdout" || plain == "/dev/stderr" || plain.starts_with("/dev/fd/") ||
         plain.starts_with("/proc/");
}

int openNameless(const std::string &folder) {
  const int nameless = GNOMON_REAL(open)(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (nameless >= 0)
    return nameless;
  // Not every file system knows O_TMPFILE.
  std::string name = folder + "/.gnomon-XXXXXX";
  const int named = mkostemp(name.data(), O_CLOEXEC);
  if (named >= 0)
    unlink(name.c_str());
  return named;
}

OutputFile::OutputFile(std::string path, Naming naming)
    : path_(std::move(path)), name_(path_.substr(path_.rfind('/') + 1)), naming_(naming),
      special_(isSpecialFile(path_)) {
  struct stat status{};
  const std::string folder = folderOf(path_);
  bool good = true;
  if (special_) {
    good = access(path_.c_str(), W_OK) == 0;
  } else if (name_.empty() || (stat(path_.c_str(), &status) == 0 && S_ISDIR(status.st_mode))) {
    errno = EISDIR;
    good = false;
  } else {
    folder_ = GNOMON_REAL(open)(folder.c_str(), FolderFlags);
    descriptor_ = naming_ == Naming::Link ? openLinkable(folder) : -1;
    if (descriptor_ < 0) {
      naming_ = Naming::Copy;
      descriptor_ = openNameless(folder);
    }
    good = folder_ >= 0 && descriptor_ >= 0;
  }
  if (!good) {
    const int error = errno;
    closeDescriptor(folder_);
    closeDescriptor(descriptor_);
    throw InputError(path_, 0, fmt::format("cannot be written: {}", std::strerror(error)));
  }
  if (path_.ends_with(".zst"))
    compressor_ = std::make_unique<Compressor>();
}

OutputFile::~OutputFile() {
  closeDescriptor(descriptor_);
  closeDescriptor(folder_);
}

void OutputFile::fail() {
  if (error_.empty())
    error_ = fmt::format("cannot write {}: {}", path_, std::strerror(errno));
}

void OutputFile::openSpecial() {
  if (!special_ || descriptor_ >= 0 || !error_.empty())
    return;
  descriptor_ = GNOMON_REAL(open)(path_.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC | O_NOCTTY);
  if (descriptor_ < 0)
    fail();
}

void OutputFile::put(std::string_view bytes) {
  openSpecial();
  if (error_.empty() && !writeFully(descriptor_, bytes))
    fail();
}

void OutputFile::write(std::string_view text) {
  if (compressor_)
    compressor_->run(text, false, [this](std::string_view bytes) { put(bytes); });
  else
    put(text);
}

/// Puts \p temporary in the place of the old file.
bool OutputFile::replaceBy(const std::string &temporary) {
  if (renameat(folder_, temporary.c_str(), folder_, name_.c_str()) == 0)
    return true;
  const int error = errno;
  unlinkat(folder_, temporary.c_str(), 0);
  errno = error;
  return false;
}

/// Names the nameless file; by way of another name where there is an old one.
bool OutputFile::link() {
  const std::string source = descriptorPath(descriptor_);
  if (linkat(AT_FDCWD, source.c_str(), folder_, name_.c_str(), AT_SYMLINK_FOLLOW) == 0)
    return true;
  const std::string temporary = secretName();
  return errno == EEXIST &&
         linkat(AT_FDCWD, source.c_str(), folder_, temporary.c_str(), AT_SYMLINK_FOLLOW) == 0 &&
         replaceBy(temporary);
}

bool OutputFile::copy() {
  const std::string temporary = secretName();
  int target = GNOMON_REAL(openat)(folder_, temporary.c_str(), NewFlags, 0666);
  if (target < 0)
    return false;
  std::vector<char> buffer(size_t{1} << 16);
  off_t at = 0;
  ssize_t got = 0;
  bool good = true;
  while (good && (got = GNOMON_REAL(pread)(descriptor_, buffer.data(), buffer.size(), at)) > 0) {
    good = writeFully(target, {buffer.data(), static_cast<size_t>(got)});
    at += got;
  }
  int error = errno;
  good = good && got == 0;
  if (!closeDescriptor(target) && good) {
    error = errno;
    good = false;
  }
  if (good)
    return replaceBy(temporary);
  unlinkat(folder_, temporary.c_str(), 0);
  errno = error;
  return false;
}

std::string OutputFile::finish() {
  if (compressor_)
    compressor_->run({}, true, [this](std::string_view bytes) { put(bytes); });
  openSpecial();
  if (error_.empty() && !special_ && !(naming_ == Naming::Link && link()) && !copy())
    fail();
  if (!closeDescriptor(descriptor_))
    fail();
  return error_;
}

std::string OutputFile::finish(std::string_view text) {
  write(text);
  return finish();
}

} // namespace gnomon::output
