// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The standard descriptors 0, 1 and 2 of a launched rank, below and beside stdio: what is written
/// to 1 and 2 joins the rank's lines; dup2, close, fclose and freopen change them for this rank
/// alone.
#include "gnomon/Module.h"
#include "process/image/Modules.h"
#include "process/libc/Interpose.h"
#include "process/libc/OpenFiles.h"
#include "process/libc/Sockets.h"
#include "process/ranks/Streams.h"

#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <ios>
#include <map>
#include <poll.h>
#include <sys/uio.h>
#include <unistd.h>

namespace gnomon::process {
namespace {

bool isStandard(int descriptor) { return descriptor >= 0 && descriptor <= 2; }

/// The rank, when its standard descriptors are simulated.
Rank *capturedRank() {
  Rank *rank = callingRank();
  return rank && outputSink() ? rank : nullptr;
}

/// Descriptors made by dup(1) and the like, by which programs put their output back.
std::map<int, int> &savedStandards() {
  static auto *saved = new std::map<int, int>;
  return *saved;
}

void dropRedirection(LibcState &libc, size_t descriptor) {
  if (libc.redirected[descriptor] >= 0)
    GNOMON_REAL(close)(libc.redirected[descriptor]);
  libc.redirected[descriptor] = NotRedirected;
  libc.closed[descriptor] = false;
}

/// dup2(from, to) for a rank, `to` one of 0, 1, 2.
int redirect(Rank &rank, int from, int to) {
  if (from == to)
    return to;
  LibcState &libc = *rank.libc;
  drainShared(rank);
  int standard = isStandard(from) ? from : -1;
  if (auto saved = savedStandards().find(from); saved != savedStandards().end())
    standard = saved->second;
  int target = standard >= 0 && isStandard(from) ? libc.redirected[static_cast<size_t>(from)]
                                                 : NotRedirected;
  int copy = NotRedirected;
  if (standard < 0 || target >= 0) {
    copy = fcntl(target >= 0 ? target : from, F_DUPFD_CLOEXEC, 3);
    if (copy < 0)
      return -1;
  } else if (standard != to) {
    copy = aliasOf(standard);
  }
  dropRedirection(libc, static_cast<size_t>(to));
  libc.redirected[static_cast<size_t>(to)] = copy;
  return to;
}

/// Where read(0) of a rank really reads; -1: end of file.
int inputOf(const Rank &rank) {
  int redirected = rank.libc->redirected[0];
  if (redirected >= 0)
    return redirected;
  return rank.number == 0 ? STDIN_FILENO : -1;
}

bool isShared(FILE *file) { return file && (file == sharedOutput || file == sharedError); }
int descriptorOf(FILE *file) { return file == sharedOutput ? 1 : 2; }

/// What dup and its kin return.
int duplicated(int from, int to) {
  if (WrittenFiles *files = checkedFiles(); files && to >= 0)
    files->duplicated(from, to);
  return to;
}

/// A stream that is opened anew keeps libc's own functions.
FILE *noteReopened(FILE *opened, const char *path, const char *mode) {
  if (path)
    noteStream(opened, path, mode);
  WrittenFiles *files = checkedFiles();
  if (!files || !opened || !path)
    return opened;
  const int descriptor = GNOMON_REAL(fileno)(opened);
  if (*mode == 'r')
    files->checkRead(descriptor, FileUser::Program);
  if (*mode != 'r' || std::strchr(mode, '+'))
    files->opened(descriptor, Opened::ToWrite, FileUser::Program, path);
  return opened;
}

int printTo(Rank &rank, int descriptor, const char *format, va_list arguments) {
  char *text = nullptr;
  int length = vasprintf(&text, format, arguments);
  if (length >= 0)
    appendOutput(rank, descriptor, {text, static_cast<size_t>(length)});
  free(text);
  return length;
}

} // namespace
} // namespace gnomon::process

using namespace gnomon::process;

GNOMON_INTERPOSE ssize_t write(int descriptor, const void *data, size_t bytes) {
  if (descriptor == 1 || descriptor == 2)
    if (Rank *rank = capturedRank()) {
      if (rank->libc->closed[static_cast<size_t>(descriptor)]) {
        errno = EBADF;
        return -1;
      }
      appendOutput(*rank, descriptor, {static_cast<const char *>(data), bytes});
      return static_cast<ssize_t>(bytes);
    }
  noteWritten(descriptor);
  const ssize_t written = writeInPieces(descriptor, static_cast<const char *>(data), bytes,
                                        __builtin_return_address(0));
  descriptorsChanged();
  return written;
}

GNOMON_INTERPOSE ssize_t writev(int descriptor, const iovec *parts, int count) {
  Rank *rank = descriptor == 1 || descriptor == 2 ? capturedRank() : nullptr;
  if (!rank) {
    parkUntilReady(descriptor, POLLOUT, "writev", __builtin_return_address(0));
    noteWritten(descriptor);
    const ssize_t written = GNOMON_REAL(writev)(descriptor, parts, count);
    descriptorsChanged();
    return written;
  }
  ssize_t total = 0;
  for (int i = 0; i < count; ++i) {
    appendOutput(*rank, descriptor,
                 {static_cast<const char *>(parts[i].iov_base), parts[i].iov_len});
    total += static_cast<ssize_t>(parts[i].iov_len);
  }
  return total;
}

GNOMON_INTERPOSE ssize_t read(int descriptor, void *data, size_t bytes) {
  if (descriptor != 0) {
    parkUntilReady(descriptor, POLLIN, "read", __builtin_return_address(0));
    noteRead(descriptor);
    const ssize_t got = GNOMON_REAL(read)(descriptor, data, bytes);
    descriptorsChanged();
    return got;
  }
  Rank *rank = capturedRank();
  int from = rank ? inputOf(*rank) : descriptor;
  if (InputFiles *inputs = rank ? notedInputs() : nullptr; inputs && from >= 0)
    inputs->read(from);
  return from < 0 ? 0 : GNOMON_REAL(read)(from, data, bytes);
}

GNOMON_INTERPOSE int vdprintf(int descriptor, const char *format, va_list arguments) {
  Rank *rank = descriptor == 1 || descriptor == 2 ? capturedRank() : nullptr;
  if (rank)
    return printTo(*rank, descriptor, format, arguments);
  noteWritten(descriptor);
  return GNOMON_REAL(vdprintf)(descriptor, format, arguments);
}

GNOMON_INTERPOSE int dprintf(int descriptor, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int length = vdprintf(descriptor, format, arguments);
  va_end(arguments);
  return length;
}

// What _FORTIFY_SOURCE makes of read, dprintf and vdprintf. The buffers' sizes were checked by the
// compiler where it could; libc's own check remains where the call goes on.
extern "C" ssize_t __read_chk(int descriptor, void *data, size_t bytes, size_t size);
extern "C" int __vdprintf_chk(int descriptor, int flag, const char *format, va_list arguments);
extern "C" int __dprintf_chk(int descriptor, int flag, const char *format, ...);

GNOMON_INTERPOSE ssize_t __read_chk(int descriptor, void *data, size_t bytes, size_t size) {
  return bytes <= size ? read(descriptor, data, bytes)
                       : GNOMON_REAL(__read_chk)(descriptor, data, bytes, size);
}

GNOMON_INTERPOSE int __vdprintf_chk(int descriptor, int, const char *format, va_list arguments) {
  return vdprintf(descriptor, format, arguments);
}

GNOMON_INTERPOSE int __dprintf_chk(int descriptor, int, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int length = vdprintf(descriptor, format, arguments);
  va_end(arguments);
  return length;
}

GNOMON_INTERPOSE int dup(int descriptor) noexcept {
  Rank *rank = isStandard(descriptor) ? capturedRank() : nullptr;
  if (!rank)
    return duplicated(descriptor, GNOMON_REAL(dup)(descriptor));
  int redirected = rank->libc->redirected[static_cast<size_t>(descriptor)];
  int copy = GNOMON_REAL(dup)(redirected >= 0 ? redirected : descriptor);
  if (copy >= 0 && redirected < 0)
    savedStandards()[copy] = descriptor;
  return copy;
}

GNOMON_INTERPOSE int dup2(int from, int to) noexcept {
  Rank *rank = isStandard(to) ? capturedRank() : nullptr;
  return rank ? redirect(*rank, from, to) : duplicated(from, GNOMON_REAL(dup2)(from, to));
}

GNOMON_INTERPOSE int dup3(int from, int to, int flags) noexcept {
  Rank *rank = isStandard(to) ? capturedRank() : nullptr;
  return rank ? redirect(*rank, from, to) : duplicated(from, GNOMON_REAL(dup3)(from, to, flags));
}

GNOMON_INTERPOSE int close(int descriptor) {
  Rank *rank = capturedRank();
  if (!rank)
    return GNOMON_REAL(close)(descriptor);
  if (!isStandard(descriptor)) {
    savedStandards().erase(descriptor);
    if (WrittenFiles *files = checkedFiles())
      files->closed(descriptor);
    const int result = GNOMON_REAL(close)(descriptor);
    descriptorsChanged();
    return result;
  }
  drainShared(*rank);
  auto index = static_cast<size_t>(descriptor);
  dropRedirection(*rank->libc, index);
  rank->libc->closed[index] = true;
  return 0;
}

// flang's runtime writes every record at once to a terminal, and only then: so it does to a rank's
// lines.
GNOMON_INTERPOSE int isatty(int descriptor) noexcept {
  Rank *rank = descriptor == 1 || descriptor == 2 ? capturedRank() : nullptr;
  if (!rank || !captured(*rank, descriptor))
    return GNOMON_REAL(isatty)(descriptor);
  if (anyModuleHas(GNOMON_MODULE_FORTRAN))
    return 1;
  errno = ENOTTY;
  return 0;
}

GNOMON_INTERPOSE int fileno(FILE *file) noexcept {
  if (isShared(file))
    return descriptorOf(file);
  const int seen = seenDescriptor(file);
  return seen >= 0 ? seen : GNOMON_REAL(fileno)(file);
}

GNOMON_INTERPOSE int fileno_unlocked(FILE *file) noexcept { return fileno(file); }

// The ranks share one FILE: its buffer is not theirs to change, and lines come out whole anyway.
GNOMON_INTERPOSE int setvbuf(FILE *file, char *buffer, int mode, size_t bytes) noexcept {
  return isShared(file) ? 0 : GNOMON_REAL(setvbuf)(file, buffer, mode, bytes);
}

GNOMON_INTERPOSE void setbuf(FILE *file, char *buffer) noexcept {
  if (!isShared(file))
    GNOMON_REAL(setbuf)(file, buffer);
}

GNOMON_INTERPOSE void setbuffer(FILE *file, char *buffer, size_t bytes) noexcept {
  if (!isShared(file))
    GNOMON_REAL(setbuffer)(file, buffer, bytes);
}

GNOMON_INTERPOSE void setlinebuf(FILE *file) noexcept {
  if (!isShared(file))
    GNOMON_REAL(setlinebuf)(file);
}

GNOMON_INTERPOSE int fclose(FILE *file) {
  if (!isShared(file)) {
    forgetStream(file);
    return GNOMON_REAL(fclose)(file);
  }
  return callingRank() ? close(descriptorOf(file)) : fflush(file);
}

/// The rank gets a FILE of its own in place of the shared one.
static FILE *reopen(FILE *opened, FILE *shared) {
  if (!opened)
    return nullptr;
  if (Rank *rank = callingRank())
    drainShared(*rank);
  (shared == sharedOutput ? stdout : stderr) = opened;
  return opened;
}

GNOMON_INTERPOSE FILE *freopen(const char *path, const char *mode, FILE *file) {
  if (isShared(file) && path)
    return reopen(noteReopened(GNOMON_REAL(fopen)(path, mode), path, mode), file);
  if (file == stdin && callingRank() && callingRank()->number != 0 && outputSink() && path) {
    FILE *opened = noteReopened(GNOMON_REAL(fopen)(path, mode), path, mode);
    if (opened)
      stdin = opened;
    return opened;
  }
  if (isShared(file))
    return file;
  forgetStream(file);
  return noteReopened(GNOMON_REAL(freopen)(path, mode, file), path, mode);
}

GNOMON_INTERPOSE FILE *freopen64(const char *path, const char *mode, FILE *file) {
  return freopen(path, mode, file);
}

// std::ios_base::sync_with_stdio(bool). std::cout stays on top of stdout: another buffer of its own
// would mix ranks.
extern "C" bool gnomonSyncWithStdio(bool sync) __asm__("_ZNSt8ios_base15sync_with_stdioEb");
GNOMON_INTERPOSE bool gnomonSyncWithStdio(bool sync) {
  if (outputSink())
    return true;
  static RealFunction<bool(bool)> real("_ZNSt8ios_base15sync_with_stdioEb");
  return real.get()(sync);
}
