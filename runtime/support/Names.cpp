// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/Names.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace gnomon {

namespace {

size_t editDistance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      size_t replaced = diagonal + (a[i - 1] != b[j - 1]);
      diagonal = row[j];
      row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row.back();
}

} // namespace

std::string didYouMean(std::string_view name, std::span<const std::string_view> known) {
  constexpr size_t MaxSuggestions = 3;
  // No name that somebody mistyped is as long as this; a file that is no platform may hold one.
  constexpr size_t Longest = 256;
  if (name.size() > Longest)
    return {};
  const size_t tolerance = std::max<size_t>(2, name.size() / 3);
  // (distance, place in the list): equally near names keep the list's order.
  std::vector<std::pair<size_t, size_t>> near;
  for (size_t i = 0; i < known.size(); ++i)
    if (known[i].size() <= name.size() + tolerance)
      if (size_t distance = editDistance(name, known[i]); distance <= tolerance)
        near.emplace_back(distance, i);
  std::sort(near.begin(), near.end());
  if (near.empty())
    return {};
  near.resize(std::min(near.size(), MaxSuggestions));
  std::string text = "; did you mean ";
  for (size_t i = 0; i < near.size(); ++i)
    text += (i == 0                 ? "'"
             : i + 1 == near.size() ? " or '"
                                    : ", '") +
            std::string(known[near[i].second]) + "'";
  return text + "?";
}

std::string shellText(const std::vector<std::string> &words) {
  std::string all;
  for (std::string word : words) {
    constexpr const char *Plain =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./,=:+@%";
    if (word.empty() || word.find_first_not_of(Plain) != std::string::npos) {
      for (size_t quote = 0; (quote = word.find('\'', quote)) != std::string::npos; quote += 4)
        word.replace(quote, 1, "'\\''");
      word = "'" + word + "'";
    }
    all += (all.empty() ? "" : " ") + word;
  }
  return all;
}

} // namespace gnomon
