// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: C++ streams, clocks, exceptions and destructors of globals behave per rank.
#include "Check.h"
#include <chrono>
#include <cstdio>
#include <iomanip>
#include <iostream>
#include <stdexcept>
#include <thread>
#include <vector>

struct Global {
  std::vector<int> values{1, 2, 3};
  int rank = -1;
  ~Global() { std::cout << "rank " << rank << ": destroyed with " << values.size() << std::endl; }
};
static Global global;
static thread_local Global perThread;

int main(int argc, char **argv) {
  std::ios_base::sync_with_stdio(false);
  MPI_Init(&argc, &argv);
  int rank = worldRank();
  global.rank = perThread.rank = rank;
  CHECK(global.values.size() == 3);
  for (int i = 0; i < rank; ++i)
    global.values.push_back(i);

  auto begin = std::chrono::steady_clock::now();
  auto date = std::chrono::system_clock::now();
  std::this_thread::sleep_for(std::chrono::seconds(1000));
  std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  CHECK(took.count() >= 1000 && took.count() < 1060);
  took = std::chrono::system_clock::now() - date;
  CHECK(took.count() >= 999.999 && took.count() < 1060);

  if (rank == 0)
    std::cout << std::hex << std::setfill('*');
  others();
  std::cout << "value " << std::setw(4) << 255 << '\n';
  try {
    throw std::runtime_error("rank " + std::to_string(rank));
  } catch (const std::exception &error) {
    others();
    try {
      throw;
    } catch (const std::exception &again) {
      CHECK(&again == &error && std::uncaught_exceptions() == 0);
    }
  }
  std::cout << std::flush;
  std::printf("printf %d\n", rank);
  MPI_Finalize();
  return 0;
}
