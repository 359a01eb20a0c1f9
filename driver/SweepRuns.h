// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Many runs of this program, some at a time: each a process of its own, without a shell, whose
/// standard output goes nowhere and whose stderr is looked through for what went wrong.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace gnomon::driver {

struct Batch {
  std::vector<size_t> jobs; ///< begun in this order
  uint32_t atATime = 1;
  bool quiet = false; ///< a terminal sees nothing
  /// The command line of a job behind the program's name, asked for when the job begins. An
  /// InputError ends the job as if the run had ended with it.
  std::function<std::vector<std::string>(size_t job)> words;
  /// Called when a job has ended, in the order in which they do: its exit code (128 + signal), and
  /// what it said went wrong. Returns a line about it for a terminal.
  std::function<std::string(size_t job, int exitCode, const std::string &error)> ended;
  /// Called when there is nothing to do until something happens: returns after how many ms it wants
  /// to be called again, at the latest; -1: it does not.
  std::function<int()> idle;
};

/// Runs all jobs. SIGINT, SIGTERM and SIGHUP end the runs that are under way, and no more are begun:
/// returns the signal, 0 without one. A terminal sees how far it is, and each result. Throws InputError where no
/// process can be started.
int runBatch(const Batch &batch);

} // namespace gnomon::driver
