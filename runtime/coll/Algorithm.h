// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// How algorithms are registered: each collective has one table, in its folder's .cpp, of names,
/// functions and preconditions. Nothing else lists algorithms. Which one runs, selection/ says.
#pragma once

#include "coll/Arguments.h"

#include <span>

namespace gnomon::coll {

template <class Args> using Run = int (*)(const Args &args);

template <class Args> struct Algorithm {
  /// SMPI's name where SMPI has the algorithm, else `ompi_` or `mpich_` and that library's name.
  const char *name;
  /// Runs to completion; returns an MPI error class.
  Run<Args> run;
  /// What it does, in a line.
  const char *does;
  /// Other names, apart by spaces: what Open MPI 4.1 (`ompi_…`) and MPICH 4.0 (`mpich_…`) call an
  /// algorithm of theirs that sends the same messages.
  const char *aliases = "";
  /// Whether it can do this call; null: always. All ranks of the communicator must find the same.
  bool (*can)(const Args &args) = nullptr;
  /// What `can` asks for, as a noun: "a power of two of ranks".
  const char *needs = nullptr;
  /// The algorithm that does the other calls, as in the library it is of; null: the one that would
  /// have been chosen without a wish.
  const char *instead = nullptr;
};

/// Function \p F, which takes a base of Args, as an algorithm of Args.
template <class Args, auto F> int with(const Args &args) { return F(args); }

/// These share their argument structs with MPI_Gather, MPI_Scatter, MPI_Reduce_scatter, but not
/// their tables.
struct GathervArgs : GatherArgs {};
struct ScattervArgs : ScatterArgs {};
struct ReduceScatterBlockArgs : ReduceScatterArgs {};

/// A collective's name on the command line ("allreduce") and its table. The first algorithm without
/// a precondition is what is left when nothing else can do a call.
template <class Args> struct Collective;
#define GNOMON_COLLECTIVE(ARGS, NAME)                                                              \
  template <> struct Collective<ARGS> {                                                            \
    static constexpr const char *name = NAME;                                                      \
    static std::span<const Algorithm<ARGS>> table();                                               \
  };
#include "coll/Collectives.def"

} // namespace gnomon::coll
