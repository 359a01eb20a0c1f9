// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The end of a rank: what would end the process ends the rank; the others go on. Handlers that the
/// program's own code registers while a rank runs are the rank's; those of libraries that all ranks
/// share stay the process's.
#include "process/image/Modules.h"
#include "process/libc/Interpose.h"
#include "process/ranks/Crash.h"
#include "process/ranks/Streams.h"

#include <csignal>
#include <cstdlib>
#include <unistd.h>

namespace gnomon::process {
namespace {

/// The rank whose handler list a registration from the file with handle \p dso goes to. A program
/// that is not position-independent has the handle null.
Rank *registering(void *dso) {
  Rank *rank = callingRank();
  return rank && (!dso || inFlaggedModule(dso)) ? rank : nullptr;
}

using Handler = void (*)();

} // namespace
} // namespace gnomon::process

using namespace gnomon::process;

extern "C" {
int __cxa_atexit(void (*function)(void *), void *argument, void *dso) noexcept;
int __cxa_at_quick_exit(void (*function)(void *), void *dso) noexcept;
int __cxa_thread_atexit(void (*function)(void *), void *argument, void *dso) noexcept;
int __cxa_thread_atexit_impl(void (*function)(void *), void *argument, void *dso) noexcept;
}

GNOMON_INTERPOSE void exit(int code) noexcept {
  if (callingRank())
    exitRank(code, true);
  GNOMON_REAL(exit)(code);
  __builtin_unreachable();
}

GNOMON_INTERPOSE void _exit(int code) {
  if (callingRank())
    exitRank(code, false);
  leaveProcess(code);
}

GNOMON_INTERPOSE void _Exit(int code) noexcept {
  if (callingRank())
    exitRank(code, false);
  leaveProcess(code);
}

GNOMON_INTERPOSE void quick_exit(int code) noexcept {
  Rank *rank = callingRank();
  if (!rank) {
    GNOMON_REAL(quick_exit)(code);
    __builtin_unreachable();
  }
  std::vector<ExitHandler> &handlers = rank->libc->handlers->atQuickExit;
  while (!handlers.empty()) {
    ExitHandler handler = handlers.back();
    handlers.pop_back();
    reinterpret_cast<void (*)(void *)>(handler.function)(handler.argument);
  }
  exitRank(code, false);
}

GNOMON_INTERPOSE void abort() noexcept {
  if (Rank *rank = callingRank()) {
    drainShared(*rank);
    deliverSignal(*rank, SIGABRT);
    // The handler returned: the default action follows all the same.
    if (rank->libc->signals)
      rank->libc->signals->actions[SIGABRT].sa_handler = SIG_DFL;
    deliverSignal(*rank, SIGABRT);
  }
  GNOMON_REAL(abort)();
  __builtin_unreachable();
}

GNOMON_INTERPOSE int __cxa_atexit(void (*function)(void *), void *argument, void *dso) noexcept {
  Rank *rank = registering(dso);
  if (!rank)
    return GNOMON_REAL(__cxa_atexit)(function, argument, dso);
  rank->libc->handlers->atExit.push_back(
      {ExitHandler::Kind::WithArgument, reinterpret_cast<Handler>(function), argument});
  return 0;
}

GNOMON_INTERPOSE int on_exit(void (*function)(int, void *), void *argument) noexcept {
  Rank *rank = callingRank();
  if (!rank)
    return GNOMON_REAL(on_exit)(function, argument);
  rank->libc->handlers->atExit.push_back(
      {ExitHandler::Kind::OnExit, reinterpret_cast<Handler>(function), argument});
  return 0;
}

GNOMON_INTERPOSE int __cxa_at_quick_exit(void (*function)(void *), void *dso) noexcept {
  Rank *rank = registering(dso);
  if (!rank)
    return GNOMON_REAL(__cxa_at_quick_exit)(function, dso);
  rank->libc->handlers->atQuickExit.push_back(
      {ExitHandler::Kind::WithArgument, reinterpret_cast<Handler>(function), nullptr});
  return 0;
}

// A thread_local variable of a rank lives as long as the rank.
GNOMON_INTERPOSE int __cxa_thread_atexit(void (*function)(void *), void *argument,
                                         void *dso) noexcept {
  Rank *rank = registering(dso);
  if (!rank)
    return GNOMON_REAL(__cxa_thread_atexit)(function, argument, dso);
  rank->libc->handlers->ofThread.push_back(
      {ExitHandler::Kind::WithArgument, reinterpret_cast<Handler>(function), argument});
  return 0;
}

GNOMON_INTERPOSE int __cxa_thread_atexit_impl(void (*function)(void *), void *argument,
                                              void *dso) noexcept {
  Rank *rank = registering(dso);
  if (!rank)
    return GNOMON_REAL(__cxa_thread_atexit_impl)(function, argument, dso);
  rank->libc->handlers->ofThread.push_back(
      {ExitHandler::Kind::WithArgument, reinterpret_cast<Handler>(function), argument});
  return 0;
}
