// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a structure that a loop computes is handed on by value, to functions that may throw, where objects wait to be
// destroyed. One of its numbers says how much is sent.
#include "../../ring.h"
#include <stdexcept>
#include <vector>

struct Box {
  int low[3], high[3], size[3];
};

static Box worldOf(const std::vector<Box> &boxes) {
  Box world = boxes[0];
  // EXPECT-RUN
  for (Box box : boxes)
    for (int i = 0; i < 3; ++i) {
      if (box.low[i] < world.low[i])
        world.low[i] = box.low[i];
      if (box.high[i] > world.high[i])
        world.high[i] = box.high[i];
      world.size[i] = world.high[i] - world.low[i] + 1;
    }
  return world;
}

__attribute__((noinline)) static std::vector<int> shapeOf(Box world, int direction) {
  if (direction > 2)
    throw std::invalid_argument("no direction");
  return std::vector<int>(world.size[direction], direction);
}

__attribute__((noinline)) static void send(const std::vector<Box> &boxes, int direction) {
  std::vector<int> own(3, direction);
  Box world = worldOf(boxes);
  std::vector<int> shape = shapeOf(world, direction);
  sendAround((int)shape.size() + own[1]);
}

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  std::vector<Box> boxes(N / 10);
  for (int step = 0; step < STEPS; ++step) {
    for (auto &box : boxes)
      for (int i = 0; i < 3; ++i)
        box.high[i] = (box.low[i] = int(50 * noise(i + 3 * int(&box - &boxes[0]), step, rank))) + 4;
    try {
      send(boxes, (step + argc) % 3);
    } catch (const std::invalid_argument &) {
      MPI_Abort(MPI_COMM_WORLD, 3);
    }
  }
  MPI_Finalize();
}
