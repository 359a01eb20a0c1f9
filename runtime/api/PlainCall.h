// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// How calls are told to a Recorder whose records have the same fields whenever they are made:
/// sends, receives and waits, which are most calls of most programs. Their entries
/// (generator/emit_trace.py) hand over a form, which is the same in every call, and an array of
/// values:
///
///     static constexpr PlainForm form{"MPI_Send", fields};  // buf.count buf.size dest tag comm
///     const std::array told{countOf(buf, count), sizeOf(buf, type), peerOf(dest), …};
///
/// CallLine names each field in each call, which costs several times as much, and takes all others:
/// calls that --comm-trace tells too, receives from any source or of any tag.
#pragma once

#include "api/RecordWords.h"
#include "mpi/datatype/Datatype.h"
#include "trace/Record.h"

#include "mpi.h"

#include <cstdint>
#include <span>

namespace gnomon::api {

struct PlainField {
  const char *name;
  trace::Kind kind;
  bool list = false;
};

struct PlainForm {
  const char *name; ///< of the function
  std::span<const PlainField> fields;
  uint64_t relative = 0; ///< bit i: value i is a peer, of which forms with lists have none
  uint32_t place = 0;    ///< a hash of the name, below Places: where a Recorder looks for the form

  static constexpr uint32_t Places = 64;

  constexpr PlainForm(const char *function, std::span<const PlainField> told)
      : name(function), fields(told) {
    for (const char *at = function; *at; ++at)
      place = (place * 31 + static_cast<unsigned char>(*at)) % Places;
    for (size_t i = 0; i < told.size(); ++i)
      if (told[i].kind == trace::Kind::Peer)
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
