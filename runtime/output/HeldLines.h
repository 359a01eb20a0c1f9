// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Lines that wait for their simulated date, in order of (date, order of writing), in bounded
/// memory.
///
/// A rank that computes for long and prints meanwhile may write more than fits into memory before
/// any of it is due. So this is a priority queue that sorts externally (Knuth, The Art of Computer
/// Programming 3, 5.4.1): what is held beyond a limit is written as one sorted run into a file
/// without a name, and the runs are merged as their lines come due. Cost of a line: O(log lines +
/// log runs), and once to the file and back when it was spilled; memory: the limit, and the first
/// line of each run with what was read ahead of it.
#pragma once

#include "support/Time.h"

#include <cstddef>
#include <cstdint>
#include <queue>
#include <string>
#include <string_view>
#include <vector>

namespace gnomon::output {

struct HeldLine {
  SimTime date;
  uint64_t order = 0;
  int descriptor = 1;
  std::string text;
  bool operator>(const HeldLine &other) const {
    return date != other.date ? date > other.date : order > other.order;
  }
};

class HeldLines {
public:
  static constexpr size_t DefaultLimitBytes = size_t{16} << 20;
  explicit HeldLines(size_t limitBytes = DefaultLimitBytes) : limitBytes_(limitBytes) {}
  ~HeldLines();
  HeldLines(const HeldLines &) = delete;
  HeldLines &operator=(const HeldLines &) = delete;

  bool empty() const { return memory_.empty() && heads_.empty(); }
  void push(HeldLine line);
  /// Of the next line; there is one.
  SimTime nextDate() const { return next().date; }
  HeldLine pop();

  /// Runs that are in the file.
  size_t runs() const { return heads_.size(); }

private:
  /// The first line of a run that was spilled, and where the rest of it is.
  struct Head {
    HeldLine line;
    size_t run = 0;
    bool operator>(const Head &other) const { return line > other.line; }
  };
  struct Run {
    uint64_t next = 0, end = 0; ///< in the file
    std::string ahead;          ///< read from before `next`, from `used` on not yet taken
    size_t used = 0;
  };
  template <class T> using Earliest = std::priority_queue<T, std::vector<T>, std::greater<>>;

  const HeldLine &next() const;
  bool firstIsInMemory() const;
  void spill();
  bool readHead(size_t run, HeldLine &line);
  std::string_view take(Run &run, size_t bytes);

  size_t limitBytes_, heldBytes_ = 0;
  Earliest<HeldLine> memory_;
  Earliest<Head> heads_;
  std::vector<Run> runs_;
  int file_ = -1;
  uint64_t fileBytes_ = 0;
  bool maySpill_ = true; ///< no longer once there was no room
};

} // namespace gnomon::output
