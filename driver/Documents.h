// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Everything the driver tells about itself, made from the option and subcommand tables: help
/// pages, the man page, bash's completion. Each function prints to stdout and returns the exit code
/// 0.
#pragma once

#include <string>

namespace gnomon::driver {

/// "gnomon 0.1.0".
std::string versionLine();

int printVersion();
int printHelp(bool all);
/// \p all: every option, else the ones used most (ten at most).
int printRunHelp(bool all);
int printReplayHelp(bool all);
int printCheckHelp();
int printTraceHelp();
int printSweepHelp();
int printCalibrateHelp();
/// Every network model with one line.
int printNetworks();
/// The algorithms of collectives, of one or (empty) all, as libgnomon describes them.
int printCollectives(const std::string &collective);
int printManPage();
int printBashCompletion();

} // namespace gnomon::driver
