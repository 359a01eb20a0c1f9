// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Which core the simulation's thread computes on. Cores of one machine are slow at other times
/// (CoreSpeed.h), and the kernel does not know of it: a virtual machine's neighbours are not its own
/// threads. A core that has been slow for a while is left for one that was faster when it was last
/// looked at, or that was not looked at lately. The thread is not bound to it: the kernel may move it
/// on, and others' threads beside it are the kernel's affair.
#pragma once

#include <cstdint>
#include <vector>

namespace gnomon::process {

struct Cores {
  /// The core that the thread runs on.
  uint32_t (*current)() = nullptr;
  /// Those that it may run on, ascending.
  std::vector<uint32_t> (*allowed)() = nullptr;
  /// It goes there, if it may.
  void (*move)(uint32_t core) = nullptr;
  /// CPU seconds that the thread has had, and seconds that have passed.
  double (*thread)() = nullptr;
  double (*wall)() = nullptr;
};

class CoreChoice {
public:
  /// φ beyond which a core is left.
  static constexpr double Slow = 1.12;
  /// A core is given so long before it is left, twice as long after each move that did not help.
  static constexpr double Patience = 20e-3, MostPatience = 1.0;
  /// What was seen of another core is believed for so long.
  static constexpr double Memory = 1.0;
  /// A core that the thread had for less than this share of the time is another program's.
  static constexpr double BusyShare = 0.8;

  void enable(const Cores &cores) { *this = CoreChoice(), cores_ = cores; }
  /// The core was found to be \p slowness times slower than at best. Returns whether the thread has
  /// moved.
  bool looked(double slowness);

private:
  struct Core {
    double slowness = 1; ///< mean of the latest looks, about 16
    double seenAt = -1;  ///< -1: never
    double busyUntil = 0;
  };
  Core &core(uint32_t number);
  void arrive(double wall);
  bool leaves(double wall);

  Cores cores_;
  std::vector<Core> seen_; ///< by number
  double arrivedAt_ = -1, threadThen_ = 0;
  double patience_ = Patience;
  uint32_t last_ = 0; ///< moved to
};

/// The machine's.
Cores machineCores();

} // namespace gnomon::process
