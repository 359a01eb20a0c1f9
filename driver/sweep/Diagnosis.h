// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Why a run failed, in its own words: the first line of its stderr that begins "gnomon: error: ", or
/// else the first that is neither a note nor a summary. Keeps a line, however much a program prints.
#pragma once

#include <string>
#include <string_view>

namespace gnomon::sweep {

class Diagnosis {
public:
  void read(std::string_view text);
  /// After the last read(); empty: nothing was said.
  std::string line();

private:
  void endLine();

  std::string current_, error_, other_;
};

} // namespace gnomon::sweep
