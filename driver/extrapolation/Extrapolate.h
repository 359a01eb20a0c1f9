// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A trace of more ranks than were recorded, where what they do follows a rule (Pattern.h). The
/// rule must give the communication of each recorded rank; then it gives that of the others. Where
/// no rule does, or one recorded size cannot tell, nothing is written.
#pragma once

#include "extrapolation/Trial.h"
#include "patterns/Grid.h"
#include "trace-formats/Import.h"

#include <optional>
#include <string>

namespace gnomon::extrapolation {

struct Request {
  uint32_t ranks = 0;       ///< that the new trace has
  std::optional<Grid> from; ///< the recorded grid; nothing: it is found
  std::optional<Grid> to;   ///< what it becomes; nothing: as MPI_Dims_create has it
  const trace::Source *check =
      nullptr; ///< recorded, of another size, and must come out of the rule
  std::string checkPath;
  Trying trying;
};

/// What was found: "a grid of 4x4, which becomes 8x8".
struct Result {
  std::string found;
  std::string wrong; ///< with the output; empty on success
};

/// Writes it to \p output. \p path is the trace's, for messages. Throws InputError where the trace
/// follows no rule, or one that these ranks cannot have, with rank, record and call.
Result extrapolate(const trace::Source &source, const std::string &path, const Request &request,
                   const std::string &output, trace::Conversion &conversion);

} // namespace gnomon::extrapolation
