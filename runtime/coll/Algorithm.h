// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// How algorithms are registered: each collective has one table, in its folder's .cpp, of names,
/// functions and preconditions; the same file holds its default choice. Nothing else lists
/// algorithms.
#pragma once

#include "coll/Arguments.h"

#include <span>

namespace gnomon::coll {

template <class Args> using Run = int (*)(const Args &args);

template <class Args> struct Algorithm {
  const char *name;
  /// Runs to completion; returns an MPI error class.
  Run<Args> run;
  /// Whether it can do this call; null: always. All ranks of the communicator must find the same.
  bool (*can)(const Args &args) = nullptr;
  /// What `can` asks for, as a noun: "a power of two of ranks".
  const char *needs = nullptr;
};

/// Function \p F, which takes a base of Args, as an algorithm of Args.
template <class Args, auto F> int with(const Args &args) { return F(args); }

/// These share their argument structs with MPI_Gather, MPI_Scatter, MPI_Reduce_scatter, but not
/// their tables.
struct GathervArgs : GatherArgs {};
struct ScattervArgs : ScatterArgs {};

/// A collective's name on the command line ("allreduce"), its table, and its default choice, which
/// must always be able to do the call.
template <class Args> struct Collective;
#define GNOMON_COLLECTIVE(ARGS, NAME)                                                              \
  template <> struct Collective<ARGS> {                                                            \
    static constexpr const char *name = NAME;                                                      \
    static std::span<const Algorithm<ARGS>> table();                                               \
    static Run<ARGS> choose(const ARGS &args);                                                     \
  };
#include "coll/Collectives.def"

} // namespace gnomon::coll
