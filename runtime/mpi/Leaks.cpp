// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What ranks have not freed when they call MPI_Finalize, told once for the whole run.
#include "mpi/Checks.h"
#include "mpi/RankState.h"
#include "mpi/datatype/Datatype.h"
#include "mpi/request/Request.h"
#include "process/image/Symbolizer.h"

#include <array>
#include <fmt/format.h>

namespace gnomon::mpi {

namespace {

constexpr std::array<const char *, HandleKindCount> Names = {
    "",        "communicator", "datatype", "error handler", "file",  "group", "info object",
    "message", "operation",    "request",  "session",       "window"};

/// Objects that no call frees: MPI_Type_create_f90_*'s.
bool isPermanent(HandleKind kind, void *object) {
  return kind == HandleKind::Datatype && static_cast<Datatype *>(object)->permanent();
}

} // namespace

void countLeaks(RankState &own) {
  for (size_t i = 1; i < HandleKindCount; ++i) {
    const HandleTable &table = own.tables[i];
    if (table.live() == 0)
      continue;
    Leak &leak = own.runtime.leaks[i];
    uint64_t count = 0;
    table.forEachSited([&](void *object, const void *site) {
      if (isPermanent(static_cast<HandleKind>(i), object))
        return;
      if (static_cast<HandleKind>(i) == HandleKind::Request)
        site = static_cast<Request *>(object)->site;
      if (count++ == 0 && leak.ranks == 0)
        leak = {0, 0, own.rank.number, site};
    });
    leak.count += count;
    leak.ranks += count > 0;
  }
}

std::string leakText() {
  std::string text;
  for (size_t i = 1; i < HandleKindCount; ++i) {
    const Leak &leak = runtime().leaks[i];
    if (leak.count == 0)
      continue;
    text += text.empty() ? "not freed when MPI_Finalize was called: " : "; ";
    text += fmt::format("{} {}{} on {}{}", leak.count, Names[i], leak.count > 1 ? "s" : "",
                        leak.ranks, leak.ranks > 1 ? " ranks" : " rank");
    text += fmt::format(" (the first on rank {}", leak.firstRank);
    text += leak.site ? ", made at " + process::describe(leak.site) + ")" : ")";
  }
  return text;
}

} // namespace gnomon::mpi
