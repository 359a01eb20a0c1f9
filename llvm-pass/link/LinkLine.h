// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The command line of the linker in whose process the pass runs: the only place that names what is
/// linked beside the module. Empty in other processes (opt).
#pragma once

#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace gnomon {

struct LinkInput {
  std::string path;
  /// Linked only when something needs it: between --start-lib and --end-lib, or not in
  /// --whole-archive.
  bool lazyObject, lazyMembers;
};

class LinkLine {
public:
  /// Of this process, with response files expanded.
  LinkLine();
  explicit LinkLine(std::vector<std::string> arguments) : arguments_(std::move(arguments)) {}

  bool has(llvm::StringRef option) const;
  /// What -o says; lld's default without it.
  llvm::StringRef output() const;
  /// Into how many parts the linker cuts the module before it generates code.
  unsigned partitions() const;
  /// The files that the line names, -l resolved as lld does it; not all need to be objects.
  std::vector<LinkInput> inputs() const;

private:
  std::vector<std::string> arguments_;
};

} // namespace gnomon
