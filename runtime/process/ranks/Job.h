// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Who runs what: an App is a program with its arguments, a Job is the ranks that start together
/// and share an MPI_COMM_WORLD. A run begins with one job, of one app or several (`mpiexec -n 2 ./a
/// : -n 4 ./b`); MPI_Comm_spawn adds more. A rank's number counts on through all jobs.
#pragma once

#include "platform/Platform.h"

#include <cstdint>
#include <string>
#include <vector>

namespace gnomon::process {

class Rank;

struct App {
  uint32_t program = 0; ///< Programs.h
  int number = 0;       ///< MPI_APPNUM
  /// argv; empty for the program that the process was started as, whose arguments are the process's
  std::vector<std::string> arguments;
  std::string name; ///< of the program as the user gave it, for messages
};

struct Job {
  uint32_t number = 0; ///< 0: the one that the run began with
  uint32_t first = 0;  ///< number of its first rank
  uint32_t count = 0;
};

/// "rank 3"; of a rank that was started later, "rank 5 (rank 1 of spawned world 2, ./worker)".
std::string nameOf(const Rank &rank);

/// Some of the ranks of a new job.
struct JobPart {
  std::string program;                ///< path of the executable file
  std::vector<std::string> arguments; ///< argv, with argv[0]
  uint32_t ranks = 0;
  std::vector<platform::HostIndex> hosts; ///< in turn; empty: the next slots (Settings::slots)
  std::string directory;                  ///< to start in; empty: the starting rank's
  int app = 0;                            ///< MPI_APPNUM
};

/// Makes the ranks of a job, \p parts in order; they start with startJob. Called by the running
/// rank \p parent. Throws InputError when a program cannot be run or the ranks do not fit into this
/// machine; then there is no job.
const Job &addJob(const Rank &parent, const std::vector<JobPart> &parts);
/// The ranks of \p job become ready at the present date.
void startJob(const Job &job);

} // namespace gnomon::process
