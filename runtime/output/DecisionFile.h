// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The file of --record-decisions and --decisions: text that may be read, edited and written by hand.
///   gnomon decisions 2
///   program lulesh
///   build 6d0c2e5f7a3b9114
///   arguments -s 10
///   ranks 8
///   input 734 ef46db3751d8e999 all mesh.in
///   inputs 64 65536 0af7651916cd43dd all part.[00-63]
///   point lulesh.cc:2745 #1, 1 bit
///     function main
///     what the end of the loop at lulesh.cc:2745
///     all: 1*231 0
///   point haloExchange.c:289 #1, 32 bits
///     function haloExchange
///     what 'nSendM'
///     0,4-7: 12 (13 14*2)*50
///     1: 9*150
///   point main.cpp:232 #1, real
///     function main
///     what 'normr'
///     all: 6.64553e-33
///   burst lulesh.cc:2387 #22
///     function LagrangeLeapFrog
///     cost 13 warm 4.1e-10 0.03 12
///     cost any any 4.3e-10 0.05 30
///     varies 0.91 0.98 1 1.01 1.1
///     0: 656 6160*2
/// A file that was read has its bytes, its hash (XXH64; - of one that is too large), the ranks that read it, and its
/// name; `input none`: none was. A value stands once for each pass, in their order; `v*n` is n times v, `(…)*n` n times what stands between. Lines
/// without a colon continue the list above. Of ranks that are not named, none passes the point. Lines that begin with # are
/// comments. A burst has what its instances cost (bits of their work, warmth, CPU seconds of a unit of work, relative spread,
/// samples) on the processor that the line `machine` names, how the times of stretches vary that meet it first (parts of
/// their mean), and what instances execute where no formula tells it.
/// docs/decisions.md explains it to users.
#pragma once

#include "process/burst/DecisionLog.h"

#include <string>
#include <string_view>

namespace gnomon::output {

/// Throws InputError with file and line. A file whose name ends in .zst is read as zstd writes it.
process::burst::DecisionLog readDecisions(const std::string &path);
/// The same of a text, which \p path stands for in errors.
process::burst::DecisionLog parseDecisions(std::string_view text, const std::string &path);
/// The text of the file.
std::string decisionText(const process::burst::DecisionLog &log);

} // namespace gnomon::output
