// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Signals. A fault in a rank's code is delivered to the rank's own handler when it has one; else
/// it ends the run with a message that names rank, simulated time and source line. The handlers run
/// on a stack of their own, so that a stack overflow can be told. Composing the message takes
/// memory and a child process, which a handler may not do in general: the memory comes from an arena
/// of its own (Emergency.h), and a timer ends the process with the right code should it get stuck.
#include "process/ranks/Crash.h"

#include "process/image/Modules.h"
#include "process/image/Real.h"
#include "process/image/Symbolizer.h"
#include "process/ranks/Emergency.h"
#include "process/ranks/Memory.h"
#include "process/ranks/Simulation.h"
#include "process/ranks/Streams.h"
#include "process/ranks/Touched.h"
#include "process/ranks/Watchdog.h"
#include "support/Write.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <cxxabi.h>
#include <dlfcn.h>
#include <exception>
#include <execinfo.h>
#include <fmt/format.h>
#include <new>
#include <span>
#include <string>
#include <sys/mman.h>
#include <sys/time.h>
#include <typeinfo>
#include <ucontext.h>
#include <utility>
#include <vector>

namespace gnomon::process {
namespace {

constexpr size_t HandlerStackBytes = 512 << 10;
/// How far below its stack a rank's access still counts as an overflow.
constexpr uintptr_t OverflowReach = 1 << 20;
constexpr int StuckSeconds = 10;
/// Of these, what the tools that tell lines may take.
constexpr double HelperSeconds = 5;

volatile int stuckCode = 139;
BufferNamer bufferNamer = nullptr;
std::string (*memoryUse)() = nullptr;
void **abortMessage = nullptr; ///< where the C library keeps its own; null: it does not say
/// Addresses that are let go of for a report, in whose want it may be: it starts a child process.
constexpr size_t SpareBytes = size_t{32} << 20;
void *spare = nullptr;
uintptr_t handlerStack = 0; ///< the lowest address of the handlers' stack; 0: there is none

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
  if (spare)
    munmap(std::exchange(spare, nullptr), SpareBytes);
  stuckCode = code;
  beginEnding(code);
  limitHelpers(wallSeconds() + HelperSeconds);
  enterEmergency();
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

/// Where the calls stand in the program's own code that led to the place, the innermost first; the place itself when there
/// are none.
std::vector<CodeAddress> callsIn(void *programCounter) {
  constexpr size_t Most = 16; // of flang's runtime, a few
  std::array<void *, 64> frames;
  int count = backtrace(frames.data(), static_cast<int>(frames.size()));
  int first = 0;
  for (int i = 0; i < count && programCounter; ++i)
    if (frames[static_cast<size_t>(i)] == programCounter)
      first = i;
  std::vector<CodeAddress> places;
  for (int i = first; i < count && places.size() < Most; ++i)
    if (inFlaggedModule(frames[static_cast<size_t>(i)]))
      places.push_back({frames[static_cast<size_t>(i)], true});
  if (places.empty())
    places.push_back({programCounter, false});
  return places;
}

/// Flang's runtime is linked into the program, but nothing that the user wrote.
bool isOfRuntime(const std::string &place) {
  return place.find(" in Fortran::") != std::string::npos ||
         place.find(" in _FortranA") != std::string::npos;
}

/// The innermost place that is the user's; \p programCounter when nothing better is known.
std::string userPlace(void *programCounter) {
  if (programCounter && inFlaggedModule(programCounter)) {
    const CodeAddress here{programCounter, false};
    if (std::string text = describe(std::span(&here, 1))[0]; !isOfRuntime(text))
      return text;
  }
  const std::vector<std::string> texts = describe(callsIn(programCounter));
  const auto found = std::find_if_not(texts.begin(), texts.end(), isOfRuntime);
  return found == texts.end() ? texts.front() : *found;
}

std::string placeOf(const Rank *rank, void *programCounter) {
  std::string text;
  if (rank && rank->call.function)
    text = std::string(", in ") + rank->call.function + " called at " +
           describe(rank->call.returnAddress);
  else
    text = ", at " + userPlace(programCounter);
  return text;
}

std::string bytesText(size_t bytes) {
  constexpr size_t MiB = size_t{1} << 20, KiB = size_t{1} << 10;
  return bytes >= MiB ? std::to_string(bytes / MiB) + " MiB" : std::to_string(bytes / KiB) + " KiB";
}

/// What a stack has, and four times as much for the next run; 64 MiB where it has had some already,
/// which few programs exceed. (A stack is up to some pages larger than was asked for.)
std::string stackAdvice(const kernel::StackRange &stack) {
  constexpr size_t MiB = size_t{1} << 20, Step = size_t{16} << 10;
  const size_t bytes = static_cast<size_t>(stack.high - stack.low) / Step * Step;
  size_t more = bytes < 8 * MiB ? 4 * bytes : bytes < 32 * MiB ? 64 * MiB : 4 * bytes;
  std::string text = bytesText(more);
  text.erase(text.find(' '), 1);
  return "a rank's stack has " + bytesText(bytes) + ": run with --stack-size=" + text;
}

/// Whose memory a fault was in, if not in that of the rank that runs.
struct Culprit {
  const Rank *rank = nullptr;
  const void *operation = nullptr; ///< of the rank's, that the runtime worked for
};

/// Whether the copy that faulted was writing.
bool wasWriting(const siginfo_t &info, void *context) {
  constexpr uintptr_t WriteAccess = 2;
  if (info.si_code != SI_KERNEL)
    return registerOf(context, REG_ERR) & WriteAccess;
  // An address that can be nobody's is not told by the processor: memmove's registers tell.
  auto isPossible = [](uintptr_t address) { return address >> 47 == 0; };
  return !isPossible(registerOf(context, REG_RDI)) || isPossible(registerOf(context, REG_RSI));
}

Culprit culpritOf(int signal, const siginfo_t &info, void *context) {
  const Touching *copy = Touching::present;
  if (!copy || (signal != SIGSEGV && signal != SIGBUS))
    return {};
  const bool wrote = wasWriting(info, context);
  const Rank &rank = *world().ranks[wrote ? copy->writes : copy->reads];
  // The rank's own call, on its own stack, is told as any other.
  if (&rank == currentRank() && world().engine.current() == rank.fiber)
    return {};
  return {&rank, wrote ? copy->receiving : copy->sending};
}

std::string bufferText(const Culprit &culprit) {
  const Rank &rank = *culprit.rank;
  if (std::string name = bufferNamer ? bufferNamer(rank, culprit.operation) : ""; !name.empty())
    return " in the buffer of " + name;
  if (rank.call.function)
    return std::string(" in a buffer of ") + rank.call.function + " called at " +
           describe(rank.call.returnAddress);
  return " in memory of its that an MPI operation uses";
}

bool onHandlerStack(void *context) {
  return handlerStack && registerOf(context, REG_RSP) - handlerStack < HandlerStackBytes;
}

/// The heap is all ranks': who damaged it is not known any more when that shows.
constexpr const char *DamagedHeap =
    ": the heap, which all ranks share, is damaged; a rank has written outside a block that it had "
    "allocated, or freed one twice: valgrind or -fsanitize=address under a real MPI finds the "
    "place";

/// What abort() was called for, as the C library keeps it for debuggers; null before, or where it keeps none.
const char *abortReason() {
  struct Message {
    unsigned bytes;
    char text[1];
  };
  return abortMessage && *abortMessage ? static_cast<const Message *>(*abortMessage)->text
                                       : nullptr;
}

/// Whether malloc or free found the damage, and not an assertion or a check of a buffer's length.
bool foundByHeap(int signal) {
  const char *reason = signal == SIGABRT ? abortReason() : nullptr;
  return reason && !std::strstr(reason, "Assertion") && !std::strstr(reason, "***");
}

std::string faultText(int signal, const siginfo_t &info, void *context, const Rank *rank,
                      const Culprit &culprit) {
  auto *counter = reinterpret_cast<void *>(registerOf(context, REG_RIP));
  auto address = reinterpret_cast<uintptr_t>(info.si_addr);
  const bool nested = onHandlerStack(context);
  if (rank && !nested && (signal == SIGSEGV || signal == SIGBUS) &&
      overflowed(*rank, registerOf(context, REG_RSP), address)) {
    return "stack overflow" + placeOf(rank, counter) + "; " + stackAdvice(rank->fiber->stack());
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
  if (simulation() && (simulation()->ended || foundByHeap(signal)))
    return text + (rank ? placeOf(rank, counter) : std::string()) + DamagedHeap;
  if (culprit.rank)
    return text + bufferText(culprit);
  return text + placeOf(rank, counter) + (nested ? ", in a signal handler of the program's" : "");
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

/// A fault while another is told: what the telling reads is damaged, so nothing of it is used.
[[noreturn]] void endUntold(int code) {
  for (const char *text :
       {"gnomon: aborted while a fault was told", DamagedHeap,
        "\ngnomon: INCOMPLETE: the run ended before anything else could be said\n"})
    (void)!GNOMON_REAL(write)(STDERR_FILENO, text, std::strlen(text));
  leaveProcess(code);
}

void onFault(int signal, siginfo_t *info, void *context) {
  static volatile sig_atomic_t depth = 0, told = 0, deciding = 0;
  if (deciding)
    endUntold(128 + signal);
  Rank *rank = currentRank();
  deciding = 1;
  const Culprit culprit = culpritOf(signal, *info, context);
  deciding = 0;
  // A fault in the handler itself is not the handler's: as in a process, it ends the run.
  if (rank && !culprit.rank && depth == 0 && !onHandlerStack(context) &&
      hasHandler(rankAction(*rank, signal))) {
    Touching::present = nullptr; // the handler may leave by a jump
    callHandler(*rank, signal, info, context);
    return;
  }
  int code = 128 + signal;
  depth = depth + 1;
  if (depth > 1) {
    if (!told)
      endUntold(code);
    leaveProcess(code);
  }
  guardReport(code);
  printError("gnomon: " + whereIs(culprit.rank ? culprit.rank : rank) + ": " +
             faultText(signal, *info, context, rank, culprit) + refusedText() + "\n");
  told = 1;
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
  guardReport(128 + SIGABRT); // there may be no memory left for its text
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
  if (Rank *rank = currentRank())
    drainShared(*rank);
  printError(text + placeOf(nullptr, nullptr) + refusedText() + "\n");
  endAtOnce(Outcome::Kind::Aborted, 128 + SIGABRT);
}

bool ignoredByDefault(int signal) {
  return signal == SIGCHLD || signal == SIGURG || signal == SIGWINCH || signal == SIGCONT ||
         signal == SIGSTOP || signal == SIGTSTP || signal == SIGTTIN || signal == SIGTTOU;
}

} // namespace

std::string whereNow() { return whereIs(currentRank()); }

std::string whereIs(const Rank *rank) {
  char text[96];
  const Simulation *running = simulation();
  if (!running || running->ended)
    return running ? "after the end" : "before the start";
  double date = rank && rank == currentRank() && rank->burst.runs()
                    ? dateOf(*const_cast<Rank *>(rank)).seconds
                    : running->world.engine.now().seconds;
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
  abortWorld(128 + signal, [signal] {
    return "gnomon: " + whereNow() + ": ended by signal " + std::to_string(signal) + " (" +
           strsignal(signal) + ")" + placeOf(nullptr, nullptr);
  });
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

void setBufferNamer(BufferNamer namer) { bufferNamer = namer; }
void setMemoryUse(std::string (*use)()) { memoryUse = use; }

namespace {

/// What the process may have, where that is less than the machine has.
std::string addressLimitText() {
  const uint64_t limit = addressLimit();
  if (limit == UINT64_MAX)
    return {};
  return fmt::format("; the process may have {:.3g} GB (ulimit -v)",
                     1e-9 * static_cast<double>(limit));
}

/// Whether the simulator's own code asks operator new, in a call of the program that counts as the program's time (what
/// its streams write). The asker is the next frame behind operator new that is no library's.
bool isAskedBySimulator() {
  std::array<void *, 64> frames;
  const int count = backtrace(frames.data(), static_cast<int>(frames.size()));
  Dl_info own{}, asker{};
  if (!dladdr(reinterpret_cast<void *>(isAskedBySimulator), &own))
    return false;
  auto isOwn = [&](void *frame) {
    return dladdr(frame, &asker) && asker.dli_fbase == own.dli_fbase;
  };
  int at = 0;
  while (at < count && isOwn(frames[static_cast<size_t>(at)]))
    ++at;
  for (; at < count; ++at) {
    void *frame = frames[static_cast<size_t>(at)];
    if (inFlaggedModule(frame))
      return false;
    if (isOwn(frame))
      return true;
  }
  return false;
}

/// operator new found no memory. In the program's code that is the program's error, which it may
/// catch; in the simulator's it is nothing that the program could have done.
void onNoMemory() {
  Rank *rank = currentRank();
  const bool inProgram = rank && rank->burst.runs() && rank->burst.inProgram();
  if (!onSimulationThread() || inEmergency.load() || (inProgram && !isAskedBySimulator()))
    throw std::bad_alloc();
  guardReport(128 + SIGABRT);
  std::string text = "gnomon: " + whereNow() + ": the simulator has no memory left";
  if (rank && rank->call.function)
    text += placeOf(rank, nullptr);
  if (memoryUse)
    text += memoryUse();
  printError(text + addressLimitText() + "\n");
  endAtOnce(Outcome::Kind::Aborted, 128 + SIGABRT);
}

} // namespace

void watchMemory(bool on) {
  std::set_new_handler(on ? onNoMemory : nullptr);
  if (!on || addressLimitText().empty())
    return;
  spare = mmap(nullptr, SpareBytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (spare == MAP_FAILED)
    spare = nullptr;
}

void reportOverflow(const Rank &rank, const kernel::Fiber &fiber) {
  constexpr int code = 128 + SIGSEGV;
  guardReport(code);
  const std::string call = rank.call.function ? placeOf(&rank, nullptr) : "";
  printError("gnomon: " + whereIs(&rank) + ": stack overflow, found when another rank's turn came" +
             call + "; " + stackAdvice(fiber.stack()) + "\n");
  endAtOnce(Outcome::Kind::Aborted, code);
}

void installCrashHandlers() {
  void *memory =
      mmap(nullptr, HandlerStackBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory != MAP_FAILED) {
    stack_t stack{memory, 0, HandlerStackBytes};
    sigaltstack(&stack, nullptr);
    handlerStack = reinterpret_cast<uintptr_t>(memory);
  }
  abortMessage = static_cast<void **>(dlvsym(RTLD_DEFAULT, "__abort_msg", "GLIBC_PRIVATE"));
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
