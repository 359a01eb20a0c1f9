// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sweep/Diagnosis.h"

namespace gnomon::sweep {

constexpr size_t MostBytes = 1000; ///< of a line
constexpr std::string_view Error = "gnomon: error: ", Name = "gnomon: ", Note = "gnomon: note: ",
                           Summary = "gnomon: simulated time ", Cut = "gnomon: INCOMPLETE: ";

void Diagnosis::read(std::string_view text) {
  for (char c : text)
    if (c == '\n')
      endLine();
    else if (current_.size() < MostBytes)
      // Whoever reads the table has one line for it, and a terminal that obeys control characters.
      current_ += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
}

void Diagnosis::endLine() {
  const std::string_view line = current_;
  if (line.starts_with(Error) && error_.empty())
    error_ = line.substr(Error.size());
  else if (line.find_first_not_of(' ') != std::string_view::npos && other_.empty() &&
           !line.starts_with(Note) && !line.starts_with(Summary) && !line.starts_with(Cut))
    other_ = line.starts_with(Name) ? line.substr(Name.size()) : line;
  current_.clear();
}

std::string Diagnosis::line() {
  endLine();
  return error_.empty() ? other_ : error_;
}

} // namespace gnomon::sweep
