// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The command line of `gnomon run` and of mpiexec: text in, values out; nothing is looked up on
/// disk.
///
/// Written by hand on the two tables (Options.def, LauncherOptions.def) rather than with an option
/// library: options stop at PROGRAM, and launchers' options are long ones with a single dash (-np,
/// -hostfile, -genv NAME VALUE), which option libraries read as clusters of letters.
#pragma once

#include "RunOptions.h"

#include <string>
#include <utility>
#include <vector>

namespace gnomon::driver {

enum class Launcher {
  Run,     ///< gnomon run: summary and notes on stderr
  Replay,  ///< gnomon replay: the same of a trace
  Mpiexec, ///< mpiexec, mpirun: stderr is the program's own unless -v
};

struct RunCommandLine {
  /// Options of Options.def as given, in order; for an option that may stand once, the last one.
  std::vector<std::pair<RunOption, std::string>> values;
  /// To set before the program starts.
  std::vector<std::pair<std::string, std::string>> environment;
  std::string directory;            ///< to start in; empty: here
  std::vector<std::string> ignored; ///< spellings that a simulation has no use for
  std::vector<std::string> program; ///< PROGRAM and its arguments
  /// A program after a `:`, of the same run.
  struct Companion {
    std::string ranks;
    std::vector<std::string> program;
  };
  std::vector<Companion> companions;
  bool dryRun = false;
  bool verbose = false;
  bool help = false;
  bool helpAll = false;
  bool version = false;
  bool networks = false;    ///< --network=list, or help
  bool collectives = false; ///< --list-coll; `program` is the one asked for, or empty

  bool has(RunOption option) const;
};

/// \throws UsageError naming the argument: unknown option (with the nearest known one), value
/// missing or of the wrong kind, no PROGRAM.
RunCommandLine parseRunCommandLine(const std::vector<std::string> &arguments, Launcher launcher);

/// Where the option that begins at \p at ends: behind its values. \throws UsageError when there is no
/// such option, or a value is missing or wrong.
size_t endOfRunOption(const std::vector<std::string> &arguments, size_t at);

/// Every spelling that starts an option, for completion.
std::vector<std::string> runOptionSpellings();

} // namespace gnomon::driver
