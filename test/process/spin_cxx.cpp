// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: loops of C++ that wait for another thread end, whether the compiler has optimised them or
// not: std::atomic, a spin lock in a class, and what a function of another kind reads.
#include "Check.h"

#include <atomic>
#include <thread>
#include <vector>

namespace {

class SpinLock {
public:
  void lock() {
    bool expected = false;
    while (!held_.compare_exchange_weak(expected, true, std::memory_order_acquire)) {
      expected = false;
      while (held_.load(std::memory_order_relaxed))
        ;
    }
  }
  void unlock() { held_.store(false, std::memory_order_release); }

private:
  std::atomic<bool> held_{false};
};

struct Task {
  std::atomic<int> state{0};
  bool isDone() const { return state.load() == 2; }
};

} // namespace

int main(int argc, char **argv) {
  int provided;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  Task task;
  std::thread worker([&] {
    while (task.state != 1)
      ;
    task.state = 2;
  });
  task.state = 1;
  while (!task.isDone()) {
  }
  worker.join();
  SpinLock lock;
  long sum = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      for (int i = 0; i < 100; ++i) {
        lock.lock();
        long before = sum;
        if (i % 10 == 0)
          std::this_thread::yield();
        sum = before + 1;
        lock.unlock();
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  CHECK(sum == 400);
  passed("spin_cxx");
  MPI_Finalize();
  return 0;
}
