// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Checks of the program beside those of its arguments, and what they found in words. `--check`
/// chooses; what does not slow a run down is on without it.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace gnomon::process {
class Rank;
}

namespace gnomon::mpi {

class Comm;
class RankState;
class Request;

struct Checks {
  bool leaks = true;           ///< handles that are left at MPI_Finalize: a note at the end
  bool collectives = true;     ///< ranks whose collectives disagree: an error (CollectiveLedger.h)
  bool types = true;           ///< other types received than sent: a note
  bool typesAreErrors = false; ///< the same as an error, MPI_ERR_TYPE
  bool quiet = false;          ///< notes are not printed
  bool buffers = false;        ///< memory used by two operations under way: a note

  /// Takes one value of `--check`: a comma-separated list of all, none, leaks, collectives, types,
  /// buffers, each in addition to what was before. Throws InputError.
  void choose(std::string_view list);
};

/// The notes of a run: each kind at each place in the program once, at most NoteLimit in all.
class CheckNotes {
public:
  static constexpr size_t NoteLimit = 20;
  /// \p rank at its present call.
  void add(const process::Rank &rank, const std::string &text);

private:
  std::set<std::pair<const char *, const void *>> said_; ///< function, call's address
};

/// Counts what \p own has not freed, for leakText.
void countLeaks(RankState &own);
/// "not freed when MPI_Finalize was called: 2 communicators on 2 ranks (the first on rank 0, made
/// at f.c:3 in main)…"; empty when there is nothing.
std::string leakText();

/// Notes it when the request's memory is used by another one of its rank, and one of the two
/// receives. Linear in the rank's requests.
void checkOverlap(RankState &own, Request &request);

} // namespace gnomon::mpi
