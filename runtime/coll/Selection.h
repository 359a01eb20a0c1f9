// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Which algorithm a collective runs: the one that `--coll=NAME:ALGO` forces, as long as it can do
/// the call, else the one that the selector (`--coll-selector`) chooses.
#pragma once

#include "coll/Algorithm.h"

#include <string>
#include <string_view>
#include <vector>

namespace gnomon::coll {

/// Takes one `--coll` value: "allreduce:rdb", or "bcast:ompi_chain,segment=8192,fanout=4" with
/// parameters. The last one for a collective counts; "default" as algorithm gives the choice back
/// to the selector. What is forced on reduce_scatter is forced on reduce_scatter_block too, if that
/// has the algorithm and no wish of its own. Throws InputError with the known names.
void force(std::string_view option);
/// The same in two words, for SMPI's keys (`smpi/allreduce`, `rdb`). \p origin is named in errors.
void force(std::string_view collective, std::string_view algorithm, const std::string &origin);
/// Every collective is chosen by the selector again.
void forceNothing();

/// Takes a value of `--coll-selector`. Throws InputError with the known names.
void select(std::string_view selector);

struct Known {
  std::string collective;
  std::vector<std::string> algorithms;
};
/// All collectives and their algorithms, in the order of the tables.
std::vector<Known> knownAlgorithms();
/// The same for people: what each algorithm does, what it needs, who uses it. Empty \p collective:
/// of all; an unknown one throws InputError.
std::string describe(std::string_view collective);

/// Where notes go ("--coll=allreduce:rab needs a commutative op …"); by default to the standard
/// error.
using NotePrinter = void (*)(const std::string &text);
void setNotePrinter(NotePrinter printer);

/// The name of the algorithm that the selector chooses for a call that nothing is forced on.
template <class Args> const char *chosen(const Args &args);

/// Runs the collective; returns an MPI error class.
template <class Args> int run(const Args &args);

} // namespace gnomon::coll
