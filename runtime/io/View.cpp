// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "io/View.h"

#include "mpi.h"

#include <fmt/format.h>
#include <optional>

namespace gnomon::io {

using mpi::Datatype;

namespace {

/// Where the first run of a layout starts, and what the next one must not come before: the last
/// run's end where bytes may not overlap, its start where they may.
struct Reach {
  int64_t first, last;
};

/// Nothing: the runs do not ascend.
std::optional<Reach> reachOf(const mpi::Layout &layout, bool mayOverlap) {
  std::optional<Reach> whole;
  for (const mpi::Loop &loop : layout) {
    const std::optional<Reach> body =
        loop.body ? reachOf(*loop.body, mayOverlap) : Reach{0, mayOverlap ? 0 : loop.bytes};
    if (!body || (loop.count > 1 && loop.stride + body->first < body->last))
      return {};
    const int64_t first = loop.offset + body->first;
    if (whole && first < whole->last)
      return {};
    whole = {whole ? whole->first : first,
             loop.offset + (loop.count - 1) * loop.stride + body->last};
  }
  return whole ? whole : Reach{0, 0};
}

/// MPI 4.1, section 14.3: displacements are at least 0 and ascend, and what is written does not
/// overlap.
bool isLegal(const mpi::Layout &layout, bool mayOverlap) {
  const std::optional<Reach> reach = reachOf(layout, mayOverlap);
  return reach && reach->first >= 0;
}

} // namespace

View plainView(const Representations &known) {
  View view;
  const Datatype &byte = Datatype::predefined(MPI_BYTE);
  makeView(known, true, 0, byte, byte, "native", view);
  return view;
}

Error makeView(const Representations &known, bool readOnly, int64_t displacement,
               const Datatype &etype, const Datatype &filetype, const std::string &representation,
               View &view) {
  RepresentationRef found = known.find(representation);
  if (!found)
    return {MPI_ERR_UNSUPPORTED_DATAREP, "no data representation is named '" + representation +
                                             "'; native, internal, external32 and registered ones "
                                             "are"};
  if (displacement < 0)
    return {MPI_ERR_ARG, fmt::format("invalid disp: {}", displacement)};
  const mpi::DatatypeRef etypeThere = typeInFile(*found, etype);
  const mpi::DatatypeRef there = typeInFile(*found, filetype);
  if (etypeThere->size() <= 0)
    return {MPI_ERR_ARG, "invalid etype: it has no data"};
  if (there->size() % etypeThere->size() != 0)
    return {MPI_ERR_ARG,
            fmt::format("invalid filetype: its {} bytes are no multiple of the etype's {}",
                        there->size(), etypeThere->size())};
  for (const auto &[name, type] : {std::pair{"etype", &etypeThere}, {"filetype", &there}})
    if (!isLegal((*type)->layout(), readOnly))
      return {MPI_ERR_IO, std::string("invalid ") + name +
                              ": its displacements must be at least 0 and ascend, and may overlap "
                              "only in a file opened with MPI_MODE_RDONLY"};
  auto layout = std::make_shared<const mpi::Layout>(there->layout());
  view = {displacement,
          mpi::DatatypeRef(etype),
          mpi::DatatypeRef(filetype),
          representation,
          std::move(found),
          std::make_shared<const FileMap>(displacement, std::move(layout), there->extent()),
          etypeThere->size()};
  return {};
}

} // namespace gnomon::io
