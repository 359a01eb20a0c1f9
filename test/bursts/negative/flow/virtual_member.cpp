// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: which of two functions a pointer to a virtual member calls rests on the object, which the data choose; and on the
// object's table, which is written anew where data say so.
#include "../../ring.h"
#include <new>

struct Sender {
  virtual int count() const { return 3; }
  virtual ~Sender() = default;
};
struct LongSender : Sender {
  int count() const override { return 30; }
};

[[gnu::noinline]] static int ask(const Sender *sender, int (Sender::*what)() const) {
  return (sender->*what)();
}

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  Sender brief;
  LongSender lengthy;
  alignas(LongSender) static unsigned char place[sizeof(LongSender)];
  Sender *changing = new (place) Sender;
  double sum = 0, other = 0;
  for (int step = 0; step < STEPS; ++step) {
    // EXPECT-RUN
    for (int i = 0; i < N; ++i)
      sum += noise(i, step, rank) - 0.5;
    const Sender *sender = sum > 0 ? &brief : &lengthy;
    sendAround(ask(sender, argc > 5 ? nullptr : &Sender::count));
    // EXPECT-RUN
    for (int i = 0; i < N; ++i)
      other += noise(i + N, step, rank) - 0.5;
    if (other > 0)
      changing = new (place) LongSender;
    else
      changing = new (place) Sender;
    sendAround(ask(changing, argc > 5 ? nullptr : &Sender::count));
  }
  MPI_Finalize();
}
