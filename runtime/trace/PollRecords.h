// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// How polls (MPI_Test and its kin, MPI_Iprobe, …) stand in a trace: each is a record of its own,
/// before that of its call, which is there only if it found something.
///
///     until source=-2 tag=-1 comm=-1 what=0 requests=[3]   the polls below found request 3 in the end
///     poll asked=1 polls=1 found=0 what=0           a look at one request, in vain
///     compute …
///     poll asked=1 polls=40 found=0 what=0          40 looks, of a loop that does nothing else
///     poll asked=1 polls=1 found=1 what=0
///     MPI_Test requests=[3]
///
/// `asked` is how many requests were looked at; 0: it was for a message. `what` tells polls for
/// different things apart: the `until` has that of the polls that find it. How often a program polls
/// depends on the machine: a replay polls until what the `until` names is there, whether that takes
/// fewer or more polls than these. Polls without an `until` ended otherwise: the program did something
/// else.
#pragma once

#include <string_view>

namespace gnomon::trace {

inline constexpr std::string_view PollFunction = "poll";   ///< asked polls found what
inline constexpr std::string_view UntilFunction = "until"; ///< source tag comm what requests

inline bool isOfPolls(std::string_view function) {
  return function == PollFunction || function == UntilFunction;
}

} // namespace gnomon::trace
