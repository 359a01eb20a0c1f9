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
std::vector<std::string> describe(std::span<const CodeAddress> addresses);
std::string describe(const void *returnAddress);

} // namespace gnomon::process
