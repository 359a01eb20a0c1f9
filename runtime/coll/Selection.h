// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Which algorithm a collective runs: the one that `--coll=NAME:ALGO` forces, as long as it can do
/// the call, else the collective's default choice.
#pragma once

#include "coll/Algorithm.h"

#include <string>
#include <string_view>
#include <vector>

namespace gnomon::coll {

/// Takes one `--coll` value, such as "allreduce:rdb". The last one for a collective counts;
/// "default" as algorithm gives the choice back to the collective. Throws InputError with the known
/// names.
void force(std::string_view option);
/// The same in two words, for SMPI's keys (`smpi/allreduce`, `rdb`). \p origin is named in errors.
void force(std::string_view collective, std::string_view algorithm, const std::string &origin);
/// Every collective is chosen by default again.
void forceNothing();

struct Known {
  std::string collective;
  std::vector<std::string> algorithms;
};
/// All collectives and their algorithms, in the order of the tables.
std::vector<Known> knownAlgorithms();

/// Where notes go ("--coll=allreduce:rab needs a commutative op …"); by default to the standard
/// error.
using NotePrinter = void (*)(const std::string &text);
void setNotePrinter(NotePrinter printer);

/// Runs the collective; returns an MPI error class.
template <class Args> int run(const Args &args);

} // namespace gnomon::coll
