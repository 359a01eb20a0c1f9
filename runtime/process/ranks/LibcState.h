// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What libc and the language runtimes keep per process and a real run has per rank. Two kinds:
/// variables that compiled code or libc itself reads by name, which the switch hook saves and
/// restores (Swapped.h), and state that only functions reach, which libgnomon's own versions of
/// them (room libc) find here. Everything large is allocated when first needed: there may be tens
/// of thousands of ranks.
#pragma once

#include "support/Time.h"

#include <array>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ios>
#include <memory>
#include <string>
#include <vector>

namespace gnomon::process {

/// Format state of one standard C++ stream.
struct StreamState {
  std::ios_base::fmtflags flags = std::ios_base::skipws | std::ios_base::dec;
  std::streamsize width = 0;
  std::streamsize precision = 6;
  std::ios_base::iostate state = std::ios_base::goodbit;
  std::ios_base::iostate exceptions = std::ios_base::goodbit;
  char fill = ' ';
  std::streambuf *buffer = nullptr; ///< std::cout.rdbuf(nullptr) silences one rank, not all
};

/// Where getopt stands in the argument vector. Source of the semantics: the GNU C library's manual,
/// section "Parsing program options using getopt".
struct GetoptState {
  bool started = false;
  int unknown = 0;        ///< what optopt is set to after every call
  char *next = nullptr;   ///< the rest of a cluster of short options
  int firstNonOption = 0; ///< operands skipped so far: [firstNonOption, lastNonOption)
  int lastNonOption = 0;
  enum class Order : uint8_t { Permute, ReturnInOrder, RequireOrder } order = Order::Permute;
};

/// random(3)'s and drand48(3)'s generators.
struct RandomState {
  random_data data{};
  std::array<char, 128> table{};
  drand48_data data48{};
};

/// What a rank registered for its end.
struct ExitHandler {
  enum class Kind : uint8_t { Plain, WithArgument, OnExit } kind;
  void (*function)(); ///< cast to the kind's type
  void *argument;
};

struct SignalTable {
  std::array<struct sigaction, 65> actions{};
  uint64_t alarmEvent = 0; ///< kernel::EventId of a running alarm(2)
  SimTime alarmAt;
};

/// Collects what a rank writes to descriptor 1 or 2 into lines.
struct LineAssembly {
  std::string partial;
};

/// In the order in which they are run: those of thread_local variables, then the others; of quick_exit
/// its own alone.
struct ExitHandlers {
  std::vector<ExitHandler> ofThread, atExit, atQuickExit;
};

/// Made when it is first asked for: most ranks never do.
template <class T> class OnDemand {
public:
  T &operator*() {
    if (!made_)
      made_ = std::make_unique<T>();
    return *made_;
  }
  T *operator->() { return &**this; }
  /// Null before that.
  T *ifMade() const { return made_.get(); }

private:
  std::unique_ptr<T> made_;
};

struct LibcState {
  OnDemand<GetoptState> getopt;
  char *strtokNext = nullptr;
  std::unique_ptr<RandomState> random;
  std::unique_ptr<SignalTable> signals;
  OnDemand<ExitHandlers> handlers;
  bool exiting = false;

  OnDemand<std::array<LineAssembly, 2>> lines; ///< of descriptors 1 and 2
  std::array<int, 3> redirected{-1, -1, -1};   ///< by dup2: the descriptor that stands for 0, 1, 2
  std::array<bool, 3> closed{};                ///< by close or fclose
  char **ownEnvironment = nullptr;             ///< the array that setenv made for this rank
  size_t ownEnvironmentSlots = 0;

  std::unique_ptr<std::array<StreamState, 4>> streams; ///< cin, cout, cerr, clog
  std::unique_ptr<char[]> region; ///< OpenMP's, that the rank left in its middle (OpenMp.h)
  char **arguments = nullptr;     ///< this rank's argv
};

} // namespace gnomon::process
