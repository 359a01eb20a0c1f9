// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A launched rank's signal handlers are a table of its own: signals between the ranks' code and
/// itself never reach the kernel. Faults come through room process's handlers, which look here
/// first. A program that runs alone keeps the real functions.
#include "process/libc/Interpose.h"
#include "process/ranks/Crash.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

namespace gnomon::process {
namespace {

Rank *simulatedRank() {
  Rank *rank = callingRank();
  return rank && settings().launched ? rank : nullptr;
}

SignalTable &tableOf(Rank &rank) {
  if (!rank.libc->signals)
    rank.libc->signals = std::make_unique<SignalTable>();
  return *rank.libc->signals;
}

bool badSignal(int signal) {
  return signal < 1 || signal > 64 || signal == SIGKILL || signal == SIGSTOP;
}

/// Signals that the kernel sends because of what the process does: the real action must follow. That
/// of SIGPIPE is the runtime's in a launched run (Crash.cpp), which asks the rank's.
bool comesFromKernel(int signal) {
  return signal == SIGCHLD || (signal == SIGPIPE && !settings().launched);
}

sighandler_t setHandler(Rank &rank, int signal, sighandler_t handler, int flags) {
  if (badSignal(signal)) {
    errno = EINVAL;
    return SIG_ERR;
  }
  struct sigaction &action = tableOf(rank).actions[static_cast<size_t>(signal)];
  sighandler_t old = action.sa_handler;
  action = {};
  action.sa_handler = handler;
  action.sa_flags = flags;
  if (comesFromKernel(signal))
    GNOMON_REAL(signal)(signal, handler);
  return old;
}

/// Simulated seconds until the rank's alarm; 0 when there is none.
double untilAlarm(const SignalTable &table) {
  return table.alarmEvent ? std::max(0.0, table.alarmAt - world().engine.now()) : 0;
}

void ring(void *object, uint64_t) {
  auto &rank = *static_cast<Rank *>(object);
  SignalTable &table = tableOf(rank);
  table.alarmEvent = 0;
  if (!rank.finished)
    rank.alarmPending = true; // delivered when the rank comes out of the runtime
}

} // namespace

double secondsUntilAlarm(const Rank &rank) {
  const SignalTable *table = rank.libc->signals.get();
  return table && table->alarmEvent ? untilAlarm(*table) : __builtin_huge_val();
}

namespace {

/// Replaces the rank's alarm; 0 seconds: none. Gives the seconds that were left of the old one.
double setAlarm(Rank &rank, double seconds) {
  SignalTable &table = tableOf(rank);
  enterRuntime(rank);
  double left = untilAlarm(table);
  if (table.alarmEvent)
    world().engine.cancel(table.alarmEvent);
  table.alarmEvent = 0;
  if (seconds > 0) {
    table.alarmAt = world().engine.now() + seconds;
    table.alarmEvent = world().engine.at(table.alarmAt, {ring, &rank, 0});
  }
  leaveRuntime(rank);
  return left;
}

} // namespace
} // namespace gnomon::process

using namespace gnomon::process;

GNOMON_INTERPOSE sighandler_t signal(int number, sighandler_t handler) noexcept {
  Rank *rank = simulatedRank();
  return rank ? setHandler(*rank, number, handler, SA_RESTART)
              : GNOMON_REAL(signal)(number, handler);
}

extern "C" sighandler_t bsd_signal(int number, sighandler_t handler) noexcept;
GNOMON_INTERPOSE sighandler_t bsd_signal(int number, sighandler_t handler) noexcept {
  return signal(number, handler);
}

// What signal() is for programs compiled as strict ISO C: the handler is good for once.
GNOMON_INTERPOSE sighandler_t __sysv_signal(int number, sighandler_t handler) noexcept {
  Rank *rank = simulatedRank();
  return rank ? setHandler(*rank, number, handler, static_cast<int>(SA_RESETHAND))
              : GNOMON_REAL(__sysv_signal)(number, handler);
}

GNOMON_INTERPOSE int sigaction(int number, const struct sigaction *action,
                               struct sigaction *old) noexcept {
  Rank *rank = simulatedRank();
  if (!rank)
    return GNOMON_REAL(sigaction)(number, action, old);
  if (badSignal(number)) {
    errno = EINVAL;
    return -1;
  }
  struct sigaction &entry = tableOf(*rank).actions[static_cast<size_t>(number)];
  struct sigaction before = entry;
  if (action) {
    entry = *action;
    if (comesFromKernel(number))
      GNOMON_REAL(sigaction)(number, action, nullptr);
  }
  if (old)
    *old = before;
  return 0;
}

GNOMON_INTERPOSE int raise(int number) noexcept {
  Rank *rank = simulatedRank();
  if (!rank)
    return GNOMON_REAL(raise)(number);
  if (number < 0 || number > 64) {
    errno = EINVAL;
    return -1;
  }
  if (number)
    deliverSignal(*rank, number);
  return 0;
}

GNOMON_INTERPOSE int kill(pid_t pid, int number) noexcept {
  Rank *rank = simulatedRank();
  if (!rank)
    return GNOMON_REAL(kill)(pid, number);
  auto base = static_cast<pid_t>(simulation()->pidBase);
  auto own = base + static_cast<pid_t>(rank->number);
  if (pid == own || pid == 0)
    return raise(number);
  if (pid < base || pid >= base + static_cast<pid_t>(world().ranks.size()))
    return GNOMON_REAL(kill)(pid, number);
  if (number == 0)
    return 0;
  warnOnce(*rank, "kill", "signals from one rank to another are not simulated");
  errno = EPERM;
  return -1;
}

GNOMON_INTERPOSE unsigned alarm(unsigned seconds) noexcept {
  Rank *rank = simulatedRank();
  return rank ? static_cast<unsigned>(std::ceil(setAlarm(*rank, seconds)))
              : GNOMON_REAL(alarm)(seconds);
}

GNOMON_INTERPOSE int setitimer(__itimer_which_t which, const itimerval *value,
                               itimerval *old) noexcept {
  Rank *rank = simulatedRank();
  if (!rank || which != ITIMER_REAL || !value)
    return GNOMON_REAL(setitimer)(which, value, old);
  if (value->it_interval.tv_sec || value->it_interval.tv_usec)
    warnOnce(*rank, "setitimer", "only the first expiry of an interval timer is simulated");
  double left = setAlarm(*rank, static_cast<double>(value->it_value.tv_sec) +
                                    1e-6 * static_cast<double>(value->it_value.tv_usec));
  if (old) {
    *old = {};
    old->it_value.tv_sec = static_cast<time_t>(left);
    old->it_value.tv_usec = static_cast<suseconds_t>((left - std::floor(left)) * 1e6);
  }
  return 0;
}

GNOMON_INTERPOSE int pause() {
  Rank *rank = simulatedRank();
  if (!rank)
    return GNOMON_REAL(pause)();
  SignalTable &table = tableOf(*rank);
  const void *caller = __builtin_return_address(0);
  if (table.alarmEvent) {
    simulateSleep(*rank, untilAlarm(table), "pause", caller);
  } else {
    rank->call = {"pause", caller};
    enterRuntime(*rank);
    rank->describeWait = [](const Rank &, const void *) {
      return std::string("waits for a signal that nobody sends");
    };
    world().engine.park();
  }
  errno = EINTR;
  return -1;
}
