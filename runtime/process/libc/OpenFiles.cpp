// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Functions that open files, and reads at a place. They do what libc's do; where reading a written
/// file is to be noticed (WrittenFiles.h), they say what has been opened. What libc reads for a
/// stream it reads by itself: such streams get functions of their own, which ask before they read.
#include "process/libc/OpenFiles.h"
#include "process/libc/Interpose.h"

#include <cerrno>
#include <cstdarg>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <map>
#include <string_view>
#include <unistd.h>

namespace gnomon::process {

WrittenFiles *checkedFiles() { return callingRank() ? writtenFiles() : nullptr; }
InputFiles *notedInputs() { return callingRank() ? inputFiles() : nullptr; }

void noteRead(int descriptor) {
  if (WrittenFiles *files = checkedFiles())
    files->checkRead(descriptor, FileUser::Program);
  if (InputFiles *inputs = notedInputs())
    inputs->read(descriptor);
}

void noteWritten(int descriptor) {
  if (WrittenFiles *files = checkedFiles())
    files->written(descriptor);
  if (InputFiles *inputs = notedInputs())
    inputs->written(descriptor);
}

bool isOfProgram(const void *caller) {
  if (inFlaggedModule(caller))
    return true;
  Dl_info info;
  if (!dladdr(caller, &info) || !info.dli_fname)
    return false;
  const std::string_view file = info.dli_fname;
  return file.find("libstdc++") != file.npos || file.find("libc++") != file.npos;
}

namespace {

/// Of streams whose reads are seen. They are few: input files.
std::map<FILE *, int> &seenStreams() {
  static auto *streams = new std::map<FILE *, int>;
  return *streams;
}

int descriptorOf(void *cookie) { return static_cast<int>(reinterpret_cast<intptr_t>(cookie)); }

ssize_t readSeen(void *cookie, char *data, size_t bytes) {
  if (WrittenFiles *files = checkedFiles())
    files->checkRead(descriptorOf(cookie), FileUser::Program);
  return GNOMON_REAL(read)(descriptorOf(cookie), data, bytes);
}

/// Of a stream for both.
ssize_t writeSeen(void *cookie, const char *data, size_t bytes) {
  const ssize_t written = GNOMON_REAL(write)(descriptorOf(cookie), data, bytes);
  return written < 0 ? 0 : written; // what fopencookie takes for an error
}

/// Where a written file ends depends on what was written.
int seekSeen(void *cookie, off64_t *offset, int whence) {
  if (whence == SEEK_END)
    if (WrittenFiles *files = checkedFiles())
      files->checkRead(descriptorOf(cookie), FileUser::Program);
  *offset = lseek64(descriptorOf(cookie), *offset, whence);
  return *offset < 0 ? -1 : 0;
}

int closeSeen(void *cookie) {
  if (WrittenFiles *files = checkedFiles())
    files->closed(descriptorOf(cookie));
  return GNOMON_REAL(close)(descriptorOf(cookie));
}

void noteInput(int descriptor, FileAccess access, const char *path) {
  const int before = errno;
  if (InputFiles *inputs = descriptor >= 0 ? notedInputs() : nullptr)
    inputs->opened(callingRank()->number, descriptor, access, path);
  errno = before;
}

FileAccess accessBy(int flags) {
  if ((flags & O_ACCMODE) == O_RDONLY)
    return FileAccess::Read;
  return (flags & O_ACCMODE) == O_RDWR && !(flags & O_TRUNC) ? FileAccess::Both : FileAccess::Write;
}

/// The program, or a library, has opened \p descriptor to be written, by \p flags (as open's).
void noteOpenedToWrite(int descriptor, int flags, const char *path, const void *caller) {
  if (descriptor < 0 || (flags & O_ACCMODE) == O_RDONLY)
    return;
  WrittenFiles *files = checkedFiles();
  if (!files)
    return;
  const int before = errno;
  const bool both = (flags & O_ACCMODE) == O_RDWR && !(flags & (O_TRUNC | O_EXCL));
  if (isOfProgram(caller))
    files->opened(descriptor, both ? Opened::ForBoth : Opened::ToWrite, FileUser::Program, path);
  else if (flags & O_TRUNC)
    files->rewritten(descriptor);
  errno = before;
}

/// The same, whatever it was opened for.
void noteOpened(int descriptor, int flags, const char *path, const void *caller) {
  if (!(flags & O_PATH))
    noteInput(descriptor, accessBy(flags), path);
  noteOpenedToWrite(descriptor, flags, path, caller);
}

/// \p path is seen from \p folder. Where that is another one than the rank's, the path says nothing to others.
void noteOpenedAt(int folder, int descriptor, int flags, const char *path, const void *caller) {
  if (!(flags & O_PATH))
    noteInput(descriptor, accessBy(flags), folder == AT_FDCWD || *path == '/' ? path : "");
  noteOpenedToWrite(descriptor, flags, path, caller);
}

bool isRead(const char *mode) { return *mode == 'r' || std::strchr(mode, '+'); }

/// What says whether it is written.
int flagsOf(const char *mode) {
  const bool written = *mode != 'r' || std::strchr(mode, '+');
  return (written ? O_WRONLY : O_RDONLY) | (*mode == 'w' ? O_TRUNC : 0);
}

/// \p opened once more, by functions that see what is read; null when there is no memory.
FILE *withSeenReads(FILE *opened, const char *mode) {
  const int descriptor = fcntl(GNOMON_REAL(fileno)(opened), F_DUPFD_CLOEXEC, 3);
  if (descriptor < 0)
    return nullptr;
  FILE *seen = fopencookie(reinterpret_cast<void *>(static_cast<intptr_t>(descriptor)), mode,
                           {readSeen, writeSeen, seekSeen, closeSeen});
  if (!seen) {
    GNOMON_REAL(close)(descriptor);
    return nullptr;
  }
  // What it has written could still be in its buffer, to be read from there.
  if (std::strchr(mode, '+'))
    GNOMON_REAL(setvbuf)(seen, nullptr, _IONBF, 0);
  seenStreams()[seen] = descriptor;
  return seen;
}

bool isRegular(FILE *file) {
  struct stat status{};
  return fstat(GNOMON_REAL(fileno)(file), &status) == 0 && S_ISREG(status.st_mode);
}

} // namespace

/// What libc reads and writes for a stream later, nobody sees.
void noteStream(FILE *opened, const char *path, const char *mode) {
  const bool reads = *mode == 'r' || (*mode == 'a' && std::strchr(mode, '+'));
  if (opened)
    noteInput(GNOMON_REAL(fileno)(opened), reads ? FileAccess::Read : FileAccess::Write, path);
}

FILE *seenStream(FILE *opened, const char *path, const char *mode, const void *caller) {
  noteStream(opened, path, mode);
  if (!opened || !checkedFiles())
    return opened;
  const int flags = flagsOf(mode);
  // C++'s streams read by read().
  if (isRead(mode) && isRegular(opened) && (inFlaggedModule(caller) || !isOfProgram(caller)))
    if (FILE *seen = withSeenReads(opened, mode)) {
      GNOMON_REAL(fclose)(opened);
      noteOpenedToWrite(seenDescriptor(seen), flags, path, caller);
      return seen;
    }
  noteOpenedToWrite(GNOMON_REAL(fileno)(opened), flags, path, caller);
  return opened;
}

int seenDescriptor(FILE *file) {
  const auto &streams = seenStreams();
  if (streams.empty() || !onSimulationThread())
    return -1;
  auto found = streams.find(file);
  return found == streams.end() ? -1 : found->second;
}

void forgetStream(FILE *file) {
  if (InputFiles *inputs = notedInputs())
    inputs->closing(file);
  if (onSimulationThread())
    seenStreams().erase(file);
  if (WrittenFiles *files = checkedFiles(); files && file && !files->empty())
    files->closed(GNOMON_REAL(fileno)(file));
}

} // namespace gnomon::process

using namespace gnomon::process;

GNOMON_INTERPOSE FILE *fopen(const char *path, const char *mode) {
  return seenStream(GNOMON_REAL(fopen)(path, mode), path, mode, __builtin_return_address(0));
}

GNOMON_INTERPOSE FILE *fopen64(const char *path, const char *mode) {
  return seenStream(GNOMON_REAL(fopen64)(path, mode), path, mode, __builtin_return_address(0));
}

/// The third argument of open is there when the file may be made.
static mode_t permissionsOf(int flags, va_list &rest) {
  return (flags & (O_CREAT | __O_TMPFILE)) ? va_arg(rest, mode_t) : 0;
}

GNOMON_INTERPOSE int open(const char *path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  const mode_t permissions = permissionsOf(flags, rest);
  va_end(rest);
  const int descriptor = GNOMON_REAL(open)(path, flags, permissions);
  noteOpened(descriptor, flags, path, __builtin_return_address(0));
  return descriptor;
}

GNOMON_INTERPOSE int open64(const char *path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  const mode_t permissions = permissionsOf(flags, rest);
  va_end(rest);
  const int descriptor = GNOMON_REAL(open64)(path, flags, permissions);
  noteOpened(descriptor, flags, path, __builtin_return_address(0));
  return descriptor;
}

// What _FORTIFY_SOURCE makes of open with two arguments.
extern "C" int __open_2(const char *path, int flags);
extern "C" int __open64_2(const char *path, int flags);

GNOMON_INTERPOSE int __open_2(const char *path, int flags) {
  const int descriptor = GNOMON_REAL(__open_2)(path, flags);
  noteOpened(descriptor, flags, path, __builtin_return_address(0));
  return descriptor;
}

GNOMON_INTERPOSE int __open64_2(const char *path, int flags) {
  const int descriptor = GNOMON_REAL(__open64_2)(path, flags);
  noteOpened(descriptor, flags, path, __builtin_return_address(0));
  return descriptor;
}

GNOMON_INTERPOSE int openat(int folder, const char *path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  const mode_t permissions = permissionsOf(flags, rest);
  va_end(rest);
  const int descriptor = GNOMON_REAL(openat)(folder, path, flags, permissions);
  noteOpenedAt(folder, descriptor, flags, path, __builtin_return_address(0));
  return descriptor;
}

GNOMON_INTERPOSE int openat64(int folder, const char *path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  const mode_t permissions = permissionsOf(flags, rest);
  va_end(rest);
  const int descriptor = GNOMON_REAL(openat64)(folder, path, flags, permissions);
  noteOpenedAt(folder, descriptor, flags, path, __builtin_return_address(0));
  return descriptor;
}

extern "C" int __openat_2(int folder, const char *path, int flags);
extern "C" int __openat64_2(int folder, const char *path, int flags);

GNOMON_INTERPOSE int __openat_2(int folder, const char *path, int flags) {
  const int descriptor = GNOMON_REAL(__openat_2)(folder, path, flags);
  noteOpenedAt(folder, descriptor, flags, path, __builtin_return_address(0));
  return descriptor;
}

GNOMON_INTERPOSE int __openat64_2(int folder, const char *path, int flags) {
  const int descriptor = GNOMON_REAL(__openat64_2)(folder, path, flags);
  noteOpenedAt(folder, descriptor, flags, path, __builtin_return_address(0));
  return descriptor;
}

GNOMON_INTERPOSE int creat(const char *path, mode_t permissions) {
  const int descriptor = GNOMON_REAL(creat)(path, permissions);
  noteOpened(descriptor, O_WRONLY | O_TRUNC, path, __builtin_return_address(0));
  return descriptor;
}

GNOMON_INTERPOSE int creat64(const char *path, mode_t permissions) {
  const int descriptor = GNOMON_REAL(creat64)(path, permissions);
  noteOpened(descriptor, O_WRONLY | O_TRUNC, path, __builtin_return_address(0));
  return descriptor;
}

GNOMON_INTERPOSE ssize_t pwrite(int descriptor, const void *data, size_t bytes, off_t offset) {
  noteWritten(descriptor);
  return GNOMON_REAL(pwrite)(descriptor, data, bytes, offset);
}

GNOMON_INTERPOSE ssize_t pwrite64(int descriptor, const void *data, size_t bytes, off64_t offset) {
  noteWritten(descriptor);
  return GNOMON_REAL(pwrite64)(descriptor, data, bytes, offset);
}

GNOMON_INTERPOSE int ftruncate(int descriptor, off_t bytes) noexcept {
  noteWritten(descriptor);
  return GNOMON_REAL(ftruncate)(descriptor, bytes);
}

GNOMON_INTERPOSE int ftruncate64(int descriptor, off64_t bytes) noexcept {
  noteWritten(descriptor);
  return GNOMON_REAL(ftruncate64)(descriptor, bytes);
}

GNOMON_INTERPOSE ssize_t pread(int descriptor, void *data, size_t bytes, off_t offset) {
  noteRead(descriptor);
  return GNOMON_REAL(pread)(descriptor, data, bytes, offset);
}

GNOMON_INTERPOSE ssize_t pread64(int descriptor, void *data, size_t bytes, off64_t offset) {
  noteRead(descriptor);
  return GNOMON_REAL(pread64)(descriptor, data, bytes, offset);
}
