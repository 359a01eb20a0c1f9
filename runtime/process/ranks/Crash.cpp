// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Signals. A fault in a rank's code is delivered to the rank's own handler when it has one; else
/// it ends the run with a message that names rank, simulated time and source line. The handlers run
/// on a stack of their own, so that a stack overflow can be told. Composing the message takes
/// memory and a child process, which a handler may not do in general; a timer ends the process with
/// the right code should it get stuck.
#include "process/ranks/Crash.h"

#include "process/image/Modules.h"
#include "process/image/Real.h"
#include "process/image/Symbolizer.h"
#include "process/ranks/Simulation.h"
#include "process/ranks/Streams.h"
#include "process/ranks/Watchdog.h"
#include "support/Write.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <cxxabi.h>
#include <exception>
#include <execinfo.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <typeinfo>
#include <ucontext.h>

namespace gnomon::process {
namespace {

constexpr size_t HandlerStackBytes = 512 << 10;
/// How far below its stack a rank's access still counts as an overflow.
constexpr uintptr_t OverflowReach = 1 << 20;
constexpr int StuckSeconds = 10;
/// Of these, what the tools that tell lines may take.
constexpr double HelperSeconds = 5;

volatile int stuckCode = 139;

uintptr_t registerOf(void *context, int which) {
  return static_cast<uintptr_t>(static_cast<ucontext_t *>(context)->uc_mcontext.gregs[which]);
}

void installHandler(int signal, void (*handler)(int, siginfo_t *, void *), int flags) {
  struct sigaction action{};
  action.sa_sigaction = handler;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | flags;
  sigemptyset(&action.sa_mask);
  GNOMON_REAL(sigaction)(signal, &action, nullptr);
}

/// As nohup wants it.
void installUnlessIgnored(int signal, void (*handler)(int, siginfo_t *, void *), int flags) {
  struct sigaction old{};
  GNOMON_REAL(sigaction)(signal, nullptr, &old);
  if ((old.sa_flags & SA_SIGINFO) || old.sa_handler != SIG_IGN)
    installHandler(signal, handler, flags);
}

/// Ends the process with \p code if the report that now begins does not come to an end.
void guardReport(int code) {
  stuckCode = code;
  limitHelpers(wallSeconds() + HelperSeconds);
  installHandler(SIGALRM, [](int, siginfo_t *, void *) { leaveProcess(stuckCode); }, 0);
  sigset_t mask;
  sigemptyset(&mask);
  sigaddset(&mask, SIGALRM);
  pthread_sigmask(SIG_UNBLOCK, &mask, nullptr);
  itimerval limit{{0, 0}, {StuckSeconds, 0}};
  GNOMON_REAL(setitimer)(ITIMER_REAL, &limit, nullptr);
}

bool overflowed(const Rank &rank, uintptr_t stackPointer, uintptr_t address) {
  if (!rank.fiber)
    return false;
  auto low = reinterpret_cast<uintptr_t>(rank.fiber->stack().low);
  bool pointerOut = stackPointer < low + 256 && stackPointer + OverflowReach * 64 > low;
  return pointerOut || (address < low && address + OverflowReach >= low);
}

/// The innermost place in the program's own code; \p programCounter when nothing better is known.
CodeAddress userPlace(void *programCounter) {
  if (programCounter && inFlaggedModule(programCounter))
    return {programCounter, false};
  std::array<void *, 64> frames;
  int count = backtrace(frames.data(), static_cast<int>(frames.size()));
  int first = 0;
  for (int i = 0; i < count && programCounter; ++i)
    if (frames[static_cast<size_t>(i)] == programCounter)
      first = i;
  for (int i = first; i < count; ++i)
    if (inFlaggedModule(frames[static_cast<size_t>(i)]))
      return {frames[static_cast<size_t>(i)], true};
  return {programCounter, false};
}

std::string textOf(CodeAddress place) { return describe(std::span(&place, 1))[0]; }

std::string placeOf(const Rank *rank, void *programCounter) {
  std::string text;
  if (rank && rank->call.function)
    text = std::string(", in ") + rank->call.function + " called at " +
           describe(rank->call.returnAddress);
  else
    text = ", at " + textOf(userPlace(programCounter));
  return text;
}

std::string stackSizeText(const Rank &rank) {
  auto bytes = static_cast<size_t>(rank.fiber->stack().high - rank.fiber->stack().low);
  return std::to_string(bytes >> 20) + " MiB";
}

std::string faultText(int signal, const siginfo_t &info, void *context, const Rank *rank) {
  auto *counter = reinterpret_cast<void *>(registerOf(context, REG_RIP));
  auto address = reinterpret_cast<uintptr_t>(info.si_addr);
  if (rank && (signal == SIGSEGV || signal == SIGBUS) &&
      overflowed(*rank, registerOf(context, REG_RSP), address)) {
    size_t mib = static_cast<size_t>(rank->fiber->stack().high - rank->fiber->stack().low) >> 20;
    return "stack overflow" + placeOf(rank, counter) + "; a rank's stack has " +
           stackSizeText(*rank) +
           ": run with --stack-size=" + std::to_string(mib < 32 ? 64 : mib * 4) + "MiB";
  }
  char text[128];
  if (signal == SIGSEGV || signal == SIGBUS)
    std::snprintf(text, sizeof text, "%s (address %p)",
                  signal == SIGSEGV ? "segmentation fault" : "bus error", info.si_addr);
  else
    std::snprintf(text, sizeof text, "%s",
                  signal == SIGFPE   ? "arithmetic exception"
                  : signal == SIGILL ? "illegal instruction"
                                     : "aborted");
  return text + placeOf(rank, counter);
}

bool hasHandler(const struct sigaction *action) {
  return action && ((action->sa_flags & SA_SIGINFO) ||
                    (action->sa_handler != SIG_DFL && action->sa_handler != SIG_IGN));
}

void callHandler(Rank &rank, int signal, siginfo_t *info, void *context) {
  struct sigaction action = *rankAction(rank, signal);
  if (action.sa_flags & SA_RESETHAND)
    rank.libc->signals->actions[static_cast<size_t>(signal)].sa_handler = SIG_DFL;
  int saved = errno;
  if (action.sa_flags & SA_SIGINFO)
    action.sa_sigaction(signal, info, context);
  else
    action.sa_handler(signal);
  errno = saved;
}

void onFault(int signal, siginfo_t *info, void *context) {
  static volatile sig_atomic_t depth = 0;
  Rank *rank = currentRank();
  if (rank && depth == 0 && hasHandler(rankAction(*rank, signal))) {
    callHandler(*rank, signal, info, context);
    return;
  }
  int code = 128 + signal;
  depth = depth + 1;
  if (depth > 1)
    leaveProcess(code);
  guardReport(code);
  printError("gnomon: " + whereNow() + ": " + faultText(signal, *info, context, rank) + "\n");
  endAtOnce(Outcome::Kind::Aborted, code);
}

void onInterrupt(int signal, siginfo_t *, void *context) {
  stopInHandler(std::string("stopped by SIG") + sigabbrev_np(signal), 128 + signal, context);
}

/// A reader who has left, a limit on the size of files. What Gnomon itself could not write is told
/// where it is written; what a rank could not write is the rank's.
void onFailedWrite(int signal, siginfo_t *info, void *context) {
  if (writesItself())
    return;
  Rank *rank = currentRank();
  const struct sigaction *action = rank ? rankAction(*rank, signal) : nullptr;
  if (hasHandler(action))
    return callHandler(*rank, signal, info, context);
  if (action && action->sa_handler == SIG_IGN)
    return;
  stopInHandler("ended by signal " + std::to_string(signal) + " (" + strsignal(signal) + ")",
                128 + signal, context);
}

[[noreturn]] void onTerminate() {
  std::string text = "gnomon: " + whereNow() + ": ";
  if (const std::type_info *type = abi::__cxa_current_exception_type()) {
    int status = 0;
    char *name = abi::__cxa_demangle(type->name(), nullptr, nullptr, &status);
    text += std::string("uncaught exception of type ") + (name ? name : type->name());
    try {
      throw;
    } catch (const std::exception &error) {
      text += std::string(": ") + error.what();
    } catch (...) {
      // Nothing more is known of it.
    }
  } else {
    text += "std::terminate was called";
  }
  guardReport(128 + SIGABRT);
  if (Rank *rank = currentRank())
    drainShared(*rank);
  printError(text + placeOf(nullptr, nullptr) + "\n");
  endAtOnce(Outcome::Kind::Aborted, 128 + SIGABRT);
}

bool ignoredByDefault(int signal) {
  return signal == SIGCHLD || signal == SIGURG || signal == SIGWINCH || signal == SIGCONT ||
         signal == SIGSTOP || signal == SIGTSTP || signal == SIGTTIN || signal == SIGTTOU;
}

} // namespace

std::string whereNow() {
  char text[96];
  const Simulation *running = simulation();
  Rank *rank = currentRank();
  if (!running || running->ended)
    return running ? "after the end" : "before the start";
  double date =
      rank && rank->burst.runs() ? dateOf(*rank).seconds : running->world.engine.now().seconds;
  if (rank)
    std::snprintf(text, sizeof text, "%s at %.9g s", nameOf(*rank).c_str(), date);
  else
    std::snprintf(text, sizeof text, "at %.9g s", date);
  return text;
}

const struct sigaction *rankAction(const Rank &rank, int signal) {
  if (!rank.libc || !rank.libc->signals || signal < 1 || signal > 64)
    return nullptr;
  return &rank.libc->signals->actions[static_cast<size_t>(signal)];
}

void deliverSignal(Rank &rank, int signal) {
  const struct sigaction *action = rankAction(rank, signal);
  if (hasHandler(action)) {
    siginfo_t info{};
    info.si_signo = signal;
    info.si_code = SI_USER;
    callHandler(rank, signal, &info, nullptr);
    return;
  }
  bool ignored = action && action->sa_handler == SIG_IGN;
  if (ignored || (ignoredByDefault(signal) && signal != SIGSTOP))
    return;
  abortWorld(128 + signal, "gnomon: " + whereNow() + ": ended by signal " + std::to_string(signal) +
                               " (" + strsignal(signal) + ")" + placeOf(nullptr, nullptr));
}

void stopInHandler(const std::string &reason, int code, void *context) {
  guardReport(code);
  Rank *rank = currentRank();
  std::string text = "gnomon: " + whereNow() + ": " + reason;
  if (rank && context)
    text += placeOf(rank, reinterpret_cast<void *>(registerOf(context, REG_RIP)));
  printError(text + "\n");
  printState();
  endAtOnce(Outcome::Kind::Aborted, code);
}

void installCrashHandlers() {
  void *memory =
      mmap(nullptr, HandlerStackBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory != MAP_FAILED) {
    stack_t stack{memory, 0, HandlerStackBytes};
    sigaltstack(&stack, nullptr);
  }
  for (int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT})
    installHandler(signal, onFault, SA_NODEFER);
  std::set_terminate(onTerminate);
  if (!settings().launched)
    return;
  for (int signal : {SIGINT, SIGTERM, SIGHUP})
    installUnlessIgnored(signal, onInterrupt, 0);
  for (int signal : {SIGPIPE, SIGXFSZ})
    installUnlessIgnored(signal, onFailedWrite, SA_RESTART);
  installHandler(SIGUSR1, [](int, siginfo_t *, void *) { stateWanted.store(true); }, SA_RESTART);
}

} // namespace gnomon::process
