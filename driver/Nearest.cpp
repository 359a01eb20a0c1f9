// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Optimal string alignment distance (Damerau 1964), by the usual table of prefixes.
#include "Nearest.h"

#include <algorithm>

namespace gnomon::driver {

int editDistance(const std::string &a, const std::string &b) {
  // distance[i][j] is the distance between the first i letters of a and the first j of b.
  std::vector<std::vector<int>> distance(a.size() + 1, std::vector<int>(b.size() + 1));
  for (size_t i = 0; i <= a.size(); ++i) {
    for (size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        distance[i][j] = static_cast<int>(i + j);
        continue;
      }
      const int substitution = distance[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
      distance[i][j] = std::min({substitution, distance[i - 1][j] + 1, distance[i][j - 1] + 1});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        distance[i][j] = std::min(distance[i][j], distance[i - 2][j - 2] + 1);
    }
  }
  return distance[a.size()][b.size()];
}

std::string nearest(const std::string &word, const std::vector<std::string> &words) {
  std::string best;
  int bestDistance = std::max<int>(1, static_cast<int>(word.size()) / 3) + 1;
  for (const std::string &candidate : words) {
    const int distance = editDistance(word, candidate);
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

std::string didYouMean(const std::string &word, const std::vector<std::string> &words) {
  const std::string candidate = nearest(word, words);
  return candidate.empty() ? "" : "; did you mean '" + candidate + "'?";
}

} // namespace gnomon::driver
