// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Who and where a rank is: process id, host name, current directory.
#include "process/libc/Interpose.h"
#include "process/ranks/SwitchHook.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

using namespace gnomon::process;

namespace {

/// The rank, when it runs on a simulated host.
Rank *simulatedRank() {
  Rank *rank = callingRank();
  return rank && settings().launched ? rank : nullptr;
}

std::string hostName(const Rank &rank) { return world().platform.hosts()[rank.host].name; }

} // namespace

GNOMON_INTERPOSE pid_t getpid() noexcept {
  if (Rank *rank = simulatedRank())
    return static_cast<pid_t>(simulation()->pidBase + rank->number);
  return static_cast<pid_t>(syscall(SYS_getpid));
}

GNOMON_INTERPOSE int gethostname(char *name, size_t bytes) noexcept {
  Rank *rank = simulatedRank();
  if (!rank)
    return GNOMON_REAL(gethostname)(name, bytes);
  const std::string host = hostName(*rank);
  size_t copied = std::min(bytes, host.size() + 1);
  std::memcpy(name, host.c_str(), copied);
  if (copied > host.size())
    return 0;
  errno = ENAMETOOLONG;
  return -1;
}

// What _FORTIFY_SOURCE makes of it.
extern "C" int __gethostname_chk(char *name, size_t bytes, size_t size) noexcept;
GNOMON_INTERPOSE int __gethostname_chk(char *name, size_t bytes, size_t size) noexcept {
  return bytes <= size ? gethostname(name, bytes)
                       : GNOMON_REAL(__gethostname_chk)(name, bytes, size);
}

GNOMON_INTERPOSE int uname(utsname *name) noexcept {
  int result = GNOMON_REAL(uname)(name);
  Rank *rank = simulatedRank();
  if (rank && result == 0) {
    const std::string host = hostName(*rank);
    size_t copied = std::min(sizeof name->nodename - 1, host.size());
    std::memcpy(name->nodename, host.data(), copied);
    name->nodename[copied] = '\0';
  }
  return result;
}

// getcwd stays libc's: the process is in the rank's directory while the rank runs.
GNOMON_INTERPOSE int chdir(const char *path) noexcept {
  Rank *rank = callingRank();
  if (!rank || alone())
    return GNOMON_REAL(chdir)(path);
  keepInitialDirectory();
  int result = GNOMON_REAL(chdir)(path);
  if (result == 0)
    rememberDirectory(*rank);
  return result;
}

GNOMON_INTERPOSE int fchdir(int descriptor) noexcept {
  Rank *rank = callingRank();
  if (!rank || alone())
    return GNOMON_REAL(fchdir)(descriptor);
  keepInitialDirectory();
  int result = GNOMON_REAL(fchdir)(descriptor);
  if (result == 0)
    rememberDirectory(*rank);
  return result;
}
