// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Code addresses as a programmer reads them, for reports: "solve.c:42 in relax".
#pragma once

#include <span>
#include <string>
#include <vector>

namespace gnomon::process {

struct CodeAddress {
  const void *address = nullptr;
  bool isReturn =
      true; ///< the call stands one byte before; false for a program counter that faulted
};

/// One text per address: "file:line in function" with debug information, "function+0x12 (module)"
/// without. Asks llvm-symbolizer or addr2line, all addresses of a module in one child process;
/// falls back on the dynamic symbol table. Never fails: an address that nothing is known of comes
/// back as a number.
/// A tool that does not answer within half a minute, or by the date of limitHelpers, is ended.
std::vector<std::string> describe(std::span<const CodeAddress> addresses);
std::string describe(const void *returnAddress);

/// No tool runs beyond \p wallSeconds of the monotonic clock, until this is called again.
void limitHelpers(double wallSeconds);
/// Whether a tool runs now.
bool helperRuns();
/// Ends it, from a signal handler, too: none outlives the run.
void endHelper();

} // namespace gnomon::process
