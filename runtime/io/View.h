// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A rank's view of a file. Places in it are counted in bytes of its data as the file holds them;
/// the user counts in etypes.
#pragma once

#include "io/FileMap.h"
#include "io/Representation.h"
#include "mpi/datatype/Datatype.h"

#include <cstdint>
#include <memory>
#include <string>

namespace gnomon::io {

struct View {
  int64_t displacement = 0;
  mpi::DatatypeRef etype, filetype; ///< as the user gave them
  std::string representationName;
  RepresentationRef representation;
  std::shared_ptr<const FileMap> map;
  int64_t etypeBytes = 1; ///< in the file

  int64_t positionOf(int64_t etypes) const { return etypes * etypeBytes; }
  /// Etypes that begin before \p position.
  int64_t etypesBefore(int64_t position) const { return (position + etypeBytes - 1) / etypeBytes; }
};

/// The view that a file opens with: its bytes.
View plainView(const Representations &known);
/// Checks the arguments of MPI_File_set_view but the displacement's meaning; \p view is set when
/// there is no error.
Error makeView(const Representations &known, bool readOnly, int64_t displacement,
               const mpi::Datatype &etype, const mpi::Datatype &filetype,
               const std::string &representation, View &view);

} // namespace gnomon::io
