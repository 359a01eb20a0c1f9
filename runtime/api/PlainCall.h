// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// How calls are told to a Recorder whose records have the same fields whenever they are made:
/// sends, receives, waits and collectives without lists, which are most calls of most programs.
/// Their entries (generator/emit_trace.py) hand over a form, which is the same in every call, and an
/// array of values:
///
///     static constexpr PlainForm form{"MPI_Send", fields, 52};  // buf.count buf.size dest tag comm
///     const std::array told{countOf(buf, count), sizeOf(buf, type), peerOf(dest), …};
///
/// CallLine names each field in each call, which costs several times as much, and takes all others:
/// calls that --comm-trace tells too, receives from any source or of any tag. Rooted collectives have
/// a form at their root and one at the others.
#pragma once

#include "api/RecordWords.h"
#include "mpi/datatype/Datatype.h"
#include "support/Check.h"
#include "trace/Record.h"

#include "mpi.h"

#include <cstdint>
#include <span>
#include <string_view>

namespace gnomon::api {

struct PlainField {
  const char *name;
  trace::Kind kind;
  bool list = false;
};

struct PlainForm {
  const char *name; ///< of the function
  std::span<const PlainField> fields;
  uint64_t relative =
      0;          ///< bit i: value i is a peer kept relative, of which forms with lists have none
  uint32_t place; ///< where a Recorder keeps what it knows of the form: each has its own

  /// Entries have two each, and the last ones are RecordPolls'.
  static constexpr uint32_t Places = 2560, PollPlace = Places - 2, UntilPlace = Places - 1;

  constexpr PlainForm(const char *function, std::span<const PlainField> told, uint32_t own)
      : name(function), fields(told), place(own) {
    CHECK(own < Places, "a form has a place");
    for (size_t i = 0; i < told.size(); ++i)
      if (told[i].kind == trace::Kind::Peer && std::string_view(told[i].name) != "root")
        relative |= uint64_t{1} << i;
  }
};

/// What a wait for several requests may tell at once: the array of its values lies on the rank's
/// stack.
inline constexpr int MostPlainRequests = 16;

inline int64_t countOf(const void *buffer, int64_t count) {
  return buffer == MPI_IN_PLACE ? trace::InPlace : count;
}

inline int64_t sizeOf(const void *buffer, const mpi::Datatype *type) {
  return buffer == MPI_IN_PLACE ? 0 : type->size();
}

} // namespace gnomon::api
