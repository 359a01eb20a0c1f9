// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a computed number becomes text in a member of a structure, is joined, swapped, moved and assigned, goes through
// a map, and comes back as a count.
#include "../../ring.h"
#include <map>
#include <string>
#include <utility>
#include <vector>

struct Entry {
  double *values;
  std::string name, text;
  int rank;
};

[[gnu::noinline]] static void fill(Entry &entry, double sum) {
  entry.text = std::to_string(static_cast<int>(sum) % 40);
  entry.name = "count of a name that is too long to lie in the string itself: ";
  entry.name += entry.text;
}

[[gnu::noinline]] static int countIn(const std::string &text) {
  return std::atoi(text.substr(text.rfind(' ') + 1).c_str());
}

int main(int argc, char **argv) {
  std::vector<double> values(N);
  Entry entry{values.data(), "", "", startRank(&argc, &argv)}, other{nullptr, "0", "", 0};
  std::map<int, std::string> texts;
  for (int step = 0; step < STEPS * 3; ++step) {
    double sum = 0;
    // EXPECT-RUN
    for (int i = 0; i < N; ++i)
      sum += entry.values[i] = 0.5 * entry.values[i] + noise(i, step, entry.rank);
    fill(entry, sum);
    std::swap(entry.name, other.name);
    texts[step % 5] = std::move(other.name);
    other.name = texts.begin()->second;
    sendAround(1 + countIn(texts[step % 5]));
    sendAround(1 + countIn(other.name));
  }
  MPI_Finalize();
}
