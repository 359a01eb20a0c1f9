// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// MPI-IO's records that are not played by the function of their name alone: what names a file, and
/// views. Files have no data (io/SizesOnly.h): a record of an opening says what the run found.
#include "impl/Impl.h"
#include "io/File.h"
#include "io/Runtime.h"
#include "mpi/datatype/FlatLayout.h"
#include "replay/Player.h"
#include "support/Error.h"

#include <fmt/format.h>

namespace gnomon::replay {

namespace {

constexpr const char *OpenFields[] = {"comm", "filename", "amode", "info", "fh", "bytes"};
int open(Player &player, const Call &call) {
  if (!call.has(1))
    throw InputError("", 0,
                     "the trace does not say which file: it is of an earlier version; "
                     "record the run again");
  const std::string &path = player.replay().text(call.number(1));
  io::runtime().sizesOnly->expect(path, {call.error(), call.number(5)});
  MPI_File file = MPI_FILE_NULL;
  const int code =
      impl::File_open(player.comm(call.number(0)), path.c_str(), static_cast<int>(call.number(2)),
                      player.hints(call.list(3)), &file);
  if (code == MPI_SUCCESS)
    player.keepFile(call.number(4), file);
  return code;
}

/// In a time of none: what matters is that the next opening finds another file.
constexpr const char *DeleteFields[] = {"filename"};
int remove(Player &player, const Call &call) {
  if (call.error() == MPI_SUCCESS && call.has(0))
    io::runtime().sizesOnly->remove(player.replay().text(call.number(0)));
  return call.error();
}

bool isKnown(const std::string &representation) {
  return representation == "native" || representation == "internal" ||
         representation == "external32";
}

/// The types are bytes as they lie in the file, whatever its representation is.
constexpr const char *ViewFields[] = {
    "fh", "disp", "etype.size", "filetype.layout", "filetype.extent", "datarep", "info"};
int setView(Player &player, const Call &call) {
  mpi::File &file = player.file(call.number(0));
  const std::string &representation = player.replay().text(call.number(5));
  if (call.error() != MPI_SUCCESS) // it met the others all the same
    return impl::File_set_view(file, -1, player.replay().type(1), player.replay().type(1), "none",
                               nullptr);
  if (!isKnown(representation))
    throw InputError("", 0,
                     fmt::format("the data representation '{}' is the program's own, and what it "
                                 "makes of data is not in a trace",
                                 representation));
  if (call.list(3).empty())
    throw InputError("", 0, "the file type has more runs than a trace holds");
  const int64_t etypeBytes = call.number(2);
  const mpi::OwnedType filetype(mpi::typeOfLayout(call.list(3), call.number(4)));
  if (!filetype || etypeBytes <= 0)
    throw InputError("", 0, "the file type is none: the trace is damaged");
  return impl::File_set_view(file, call.number(1), player.replay().type(etypeBytes), *filetype,
                             "native", player.hints(call.list(6)));
}

} // namespace

std::span<const Handler> fileHandlersByHand() {
  static const Handler handlers[] = {
      {"MPI_File_open", open, OpenFields, Handler::Kind::File},
      {"MPI_File_delete", remove, DeleteFields, Handler::Kind::File},
      {"MPI_File_set_view", setView, ViewFields, Handler::Kind::File},
  };
  return handlers;
}

} // namespace gnomon::replay
