// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// How ranks come to be, for the files of this room; what upper rooms may ask for is Job.h.
#pragma once

#include "gnomon/Module.h"

#include <cstdint>

namespace gnomon::process {

class Rank;
struct Simulation;

/// The first job's ranks, by Settings::hosts and Settings::companions.
void makeFirstJob(Simulation &simulation);
/// A rank's argv, which it may change: MPI_Init and getopt permute it, strtok cuts its strings.
struct Arguments {
  int count;
  char **vector;
};
/// Of a rank that has started.
Arguments argumentsOf(const Rank &rank);
/// Whether rank number \p rank has a copy of \p module's globals.
bool runsModule(const gnomon_module &module, uint32_t rank);
/// Has a rank run its program from the present date on.
void start(Simulation &simulation, Rank &rank);
/// All of this process may have many files open, as many as processes of their own could.
void raiseFileLimit();

} // namespace gnomon::process
