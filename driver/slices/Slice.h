// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Cuts some ranks, or some records of each, out of a trace.
#pragma once

#include "slices/Matching.h"
#include "trace-formats/Import.h"

namespace gnomon::slices {

/// "0-7,12": in order, none twice. Throws InputError.
std::vector<uint32_t> ranksOf(const std::string &text, uint32_t ranks);
/// "10..20", "10..", "..20" into \p cut. Throws InputError.
void callsOf(const std::string &text, Cut &cut);

/// "1e6..2e6", "0.5s..1s", "1e6..", "..2e6": from where a rank has computed so many instructions,
/// or seconds, to where it has computed so many; becomes numbers of records of \p cut's ranks,
/// which are read once for it. Throws InputError, with \p path, where there are no such volumes.
void volumesOf(const std::string &text, const trace::Source &source, const std::string &path,
               Cut &cut);

/// Writes what \p cut keeps to a file of ours. What is not whole any more is left out, with the
/// waits for it, or refused. Requests that are open at the end of the cut are waited for there. \p
/// path is the trace's, for messages. What went wrong with the output; empty on success.
std::string slice(const trace::Source &source, const std::string &path, const Cut &cut,
                  const std::string &output, trace::Conversion &conversion);

} // namespace gnomon::slices
