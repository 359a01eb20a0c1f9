// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The ranks' standard output and error, in the order of (simulated date, order of writing).
///
/// A rank may write ahead of the engine: its line is dated now + the running burst, and another
/// rank, played later, may write something dated earlier. So a line is held until the engine's date
/// has reached its own: from then on nothing earlier can come (HeldLines). Cost: O(log h) per line, h
/// lines held; a line that is due at once costs a copy.
///
/// What is due is collected and written when 64 KiB have come together, at every line to a terminal
/// or to the standard error, and about once a second.
#pragma once

#include "kernel/Engine.h"
#include "output/HeldLines.h"
#include "process/ranks/World.h"

#include <pthread.h>
#include <string>

namespace gnomon::output {

class OrderedOutput : public process::OutputSink {
public:
  /// Writes to \p outputDescriptor and \p errorDescriptor.
  explicit OrderedOutput(kernel::Engine &engine, int outputDescriptor = 1, int errorDescriptor = 2);

  void write(SimTime date, int descriptor, std::string_view text) override;
  void flushAll() override;
  void flushDue() override;

  /// What went wrong in writing ("cannot write standard output: No space left on device"); empty:
  /// nothing.
  const std::string &error() const { return error_; }
  /// Whether the run was ended for it, with a message.
  bool errorWasTold() const { return stopped_; }

private:
  class Lock;

  void emit(int descriptor, std::string_view text);
  void releaseUntil(SimTime date);
  void release(uint64_t);
  void releaseAt(SimTime date);
  void flushBuffer();
  /// Ends the run when writing has failed; without the lock.
  void stopOnError();

  kernel::Engine &engine_;
  int descriptors_[3];
  bool terminal_;
  pthread_mutex_t mutex_ = PTHREAD_MUTEX_INITIALIZER; ///< the watchdog's thread flushes too
  HeldLines held_;
  SimTime nextRelease_ = Never; ///< of the earliest event that looks at them
  uint64_t order_ = 0;
  std::string buffer_; ///< due, for bufferDescriptor_
  int bufferDescriptor_ = 1;
  std::string error_;
  bool stopped_ = false;
};

} // namespace gnomon::output
