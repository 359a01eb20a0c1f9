// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a class begins as a std::string does, with an address and a number, but has more room in itself; what is
// counted there is a message's size.
#include "../../ring.h"

class Small {
public:
  explicit Small(long size) : first_(room_), size_(size) {
    if (size > 8)
      first_ = new long[size];
    for (long i = 0; i < size; ++i)
      first_[i] = 0;
  }
  ~Small() {
    if (first_ != room_)
      delete[] first_;
  }
  long &operator[](long i) { return first_[i]; }

private:
  long *first_;
  long size_;
  long room_[8];
};

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  for (int step = 0; step < STEPS; ++step) {
    Small counts(4 + 2 * (step % 4));
    // EXPECT-RUN
    for (int i = 0; i < N; ++i)
      ++counts[int(4 * noise(i, step, rank))];
    sendAround(int(counts[3]));
  }
  MPI_Finalize();
}
