// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The graph of a rank's operations, and the sequence that is made of it.
#pragma once

#include "trace-formats/Calls.h"
#include "trace-formats/Requests.h"

#include <set>
#include <unordered_map>

namespace gnomon::trace::goal {

struct Operation {
  enum class What : uint8_t { Calc, Send, Receive } what = What::Calc;
  int64_t amount = 0; ///< nanoseconds, bytes
  int64_t peer = 0, tag = 0;
  uint64_t line = 0;
};

/// Chooses the order: whatever can start without waiting starts, messages first; when nothing can,
/// what the first operation in the text waits for is waited for. Costs O((V+E) log V).
class Schedule {
public:
  uint32_t add(const Operation &operation);
  /// \p then starts after \p first has finished, or (\p startOnly) started.
  void depend(uint32_t then, uint32_t first, bool startOnly);

  /// Appends the sequence to the sink. Gives the line of an operation that requires itself, in the
  /// end; 0: there is none.
  uint64_t write(uint32_t rank, CallSink &sink);

private:
  struct Edge {
    uint32_t to;
    bool startOnly;
  };
  struct State {
    std::vector<Edge> successors;
    std::vector<uint32_t> required; ///< must have finished
    uint32_t unstarted = 0;         ///< operations before it that have not started
    uint32_t unfinished = 0;        ///< of required, those not known to have finished
    int64_t slot = 0;
    bool finished = false;
  };

  void ready(uint32_t node);
  void begin(uint32_t node);
  void finish(uint32_t node);
  void wait(const std::vector<uint32_t> &nodes);
  void message(uint32_t node, bool blocking);
  void release();

  std::vector<Operation> operations_;
  std::vector<State> states_;
  std::set<uint32_t> messages_, calcs_, waiting_; ///< that may start; that may after a wait
  static constexpr uint32_t None = UINT32_MAX;
  uint32_t held_ = None; ///< a message that has started last: blocking if it is waited for at once
  std::set<uint32_t> open_;
  Slots slots_;
  uint32_t rank_ = 0;
  CallSink *sink_ = nullptr;
};

} // namespace gnomon::trace::goal
