// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The variables of libc and of the C++ runtime that compiled code reads by name, and that are a
/// rank's own.
#pragma once

#include <cstdio>

namespace gnomon::process {

/// What the switch hook changes over.
struct Swapped {
  int errnoValue = 0;
  int optind = 1, opterr = 1, optopt = '?';
  char *optarg = nullptr;
  char **environment = nullptr;
  FILE *standardInput = nullptr, *standardOutput = nullptr, *standardError = nullptr;
  void *caughtExceptions = nullptr; ///< __cxa_eh_globals
  unsigned uncaughtExceptions = 0;
  int directory = -1; ///< descriptor of the current directory; -1: the initial one
};

} // namespace gnomon::process
