// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Arrays of CHARACTER in Fortran's process creation (MPI 3.1, section 10.3.2): blanks that pad an
/// argument are no part of it, and a list of arguments ends with a blank element.
#include "api/Fortran.h"
#include "mpi/comm/Comm.h"
#include "process/ranks/Rank.h"

namespace gnomon::api::fortran {

bool atRoot(const MPI_Fint *root, const MPI_Fint *comm) {
  process::Rank *rank = process::currentRank();
  const mpi::Comm *found =
      rank && rank->mpi ? mpi::find<mpi::Comm>(*rank, toHandle<MPI_Comm>(*comm)) : nullptr;
  return found && found->rank() == *root;
}

Texts::Texts(const char *characters, size_t length, int count, size_t stride)
    : given_(characters != gnomon_mpi_argv_null_) {
  if (!given_)
    return;
  const size_t step = stride ? stride : length;
  for (size_t i = 0; count == UpToBlank || i < static_cast<size_t>(std::max(count, 0)); ++i) {
    texts_.push_back(text(characters + i * step, length));
    if (count == UpToBlank && texts_.back().empty()) {
      texts_.pop_back();
      break;
    }
  }
  for (std::string &word : texts_)
    pointers_.push_back(word.data());
  pointers_.push_back(nullptr);
}

TextLists::TextLists(const char *characters, size_t length, int count)
    : given_(characters != gnomon_mpi_argvs_null_) {
  const auto rows = static_cast<size_t>(std::max(count, 0));
  lists_.reserve(rows);
  for (size_t row = 0; given_ && row < rows; ++row) {
    lists_.emplace_back(characters + row * length, length, UpToBlank, rows * length);
    pointers_.push_back(lists_.back().data());
  }
}

} // namespace gnomon::api::fortran
