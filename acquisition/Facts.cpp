// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Facts.h"

#include <fstream>
#include <iterator>

namespace gnomon::acquisition {
namespace {

/// As a shell would take it.
std::string quoted(const std::string &word) {
  static constexpr char Harmless[] =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
      "_-./=+,:@%";
  if (!word.empty() && word.find_first_not_of(Harmless) == std::string::npos)
    return word;
  std::string text = "'";
  for (char c : word)
    text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

} // namespace

trace::Facts factsOfProcess(uint32_t ranks, bool complete) {
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  const std::string words{std::istreambuf_iterator<char>(file), {}};
  trace::Facts facts{.ranks = ranks, .program = {}, .origin = GNOMON_ORIGIN, .complete = complete};
  for (size_t at = 0; at < words.size();) {
    const size_t end = std::min(words.find('\0', at), words.size());
    facts.program += (at ? " " : "") + quoted(words.substr(at, end - at));
    at = end + 1;
  }
  return facts;
}

} // namespace gnomon::acquisition
