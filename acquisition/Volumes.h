// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What a rank of a real run computes between two calls of MPI.
///
/// The best of three sources that there is: counters that the program was built with
/// (`gnomon --trace-flag`), the processor's count of user instructions (perf_event_open), the CPU
/// time of the thread. It is read when the program calls MPI and again when it gets back: what MPI
/// and the tracer do between the two is not counted.
#pragma once

namespace gnomon::acquisition {

/// NaN: not known.
struct Volume {
  double instructions, seconds;
};

class Meter {
public:
  /// Chooses the source; what was computed since the process began is the first volume.
  void choose();
  /// The program has called MPI: what the thread computed since it got back from MPI.
  Volume entered();
  /// The program goes on.
  void left();
  /// As a reader of the trace may be told: "counters of the program", …
  const char *source() const;

private:
  enum class Source { Counters, Processor, ThreadClock };
  double read() const;

  Source source_ = Source::ThreadClock;
  double counted_ = 0; ///< by the program's counters, which all threads share, when one left MPI
};

} // namespace gnomon::acquisition
