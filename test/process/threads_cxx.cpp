// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: C++'s threads are the rank's, whatever they wait by: std::thread, futures, condition
// variables, atomics, once-only initialisation; thread_local objects are made and destroyed per
// thread, exceptions stay in theirs.
#include "Check.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <future>
#include <memory>
#include <mutex>
#include <numeric>
#include <shared_mutex>
#include <stdexcept>
#include <thread>
#include <vector>

using namespace std::chrono_literals;

namespace {

int made, destroyed;
struct Counted {
  int value;
  explicit Counted(int v) : value(v) { ++made; }
  ~Counted() { ++destroyed; }
};
thread_local Counted counted(7);
thread_local std::vector<int> numbers = {1, 2, 3};

void checkThreadLocals() {
  counted.value = 1;
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i)
    threads.emplace_back([i] {
      CHECK(counted.value == 7 && numbers.size() == 3);
      counted.value = i;
      numbers.push_back(i);
      std::this_thread::sleep_for(1ms);
      CHECK(counted.value == i && numbers.size() == 4 && numbers[3] == i);
    });
  for (std::thread &thread : threads)
    thread.join();
  CHECK(made == 4 && destroyed == 3 && counted.value == 1 && numbers.size() == 3);
}

void checkFutures() {
  auto slow = std::async(std::launch::async, [] {
    std::this_thread::sleep_for(2s);
    int rank = worldRank(), sum;
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    return sum;
  });
  const double before = MPI_Wtime();
  CHECK(slow.wait_for(1s) == std::future_status::timeout);
  CHECK(slow.get() == worldSize() * (worldSize() - 1) / 2);
  const double seconds = MPI_Wtime() - before;
  CHECK(seconds > 1.9 && seconds < 2.1);
  auto failing =
      std::async(std::launch::async, []() -> int { throw std::runtime_error("theirs"); });
  try {
    failing.get();
    CHECK(false);
  } catch (const std::runtime_error &error) {
    CHECK(error.what() == std::string("theirs"));
  }
}

struct Slow {
  Slow() { std::this_thread::sleep_for(10ms); }
  int value = 4;
};
int onceRan;

void checkOnce() {
  std::once_flag flag;
  std::vector<std::jthread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&] {
      std::call_once(flag, [] {
        std::this_thread::sleep_for(1ms);
        ++onceRan;
      });
      CHECK(onceRan == 1);
      static const Slow slow; // the others wait for its constructor
      CHECK(slow.value == 4);
    });
}

void checkWaiting() {
  std::mutex mutex;
  std::condition_variable condition;
  std::atomic<int> stage = 0;
  bool ready = false;
  std::shared_mutex shared;
  std::jthread waiter([&] {
    std::unique_lock lock(mutex);
    CHECK(!condition.wait_for(lock, 1s, [&] { return ready; }));
    condition.wait(lock, [&] { return ready; });
    stage = 1;
    stage.notify_all();
    std::shared_lock reader(shared);
    CHECK(stage == 2);
  });
  std::unique_lock writer(shared);
  std::this_thread::sleep_for(1500ms);
  {
    std::scoped_lock lock(mutex);
    ready = true;
  }
  condition.notify_one();
  stage.wait(0);
  CHECK(stage == 1);
  stage = 2;
}

// Exceptions in flight on two threads at a time.
void checkExceptions() {
  auto work = [](int number) {
    try {
      throw number;
    } catch (int caught) {
      std::this_thread::sleep_for(1ms * (3 - number));
      CHECK(caught == number && std::uncaught_exceptions() == 0);
      try {
        std::rethrow_exception(std::current_exception());
      } catch (int again) {
        CHECK(again == number);
      }
    }
  };
  std::jthread one(work, 1), two(work, 2);
}

// An exception that unwinds is its thread's alone.
void checkUnwinding() {
  struct SleepsAtEnd {
    ~SleepsAtEnd() {
      std::this_thread::sleep_for(2ms);
      CHECK(std::uncaught_exceptions() == 1);
    }
  };
  std::jthread unwinds([] {
    try {
      SleepsAtEnd object;
      throw 1;
    } catch (int) {
      CHECK(std::uncaught_exceptions() == 0);
    }
  });
  std::this_thread::sleep_for(1ms);
  CHECK(std::uncaught_exceptions() == 0);
}

} // namespace

int main(int argc, char **argv) {
  int provided;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  checkThreadLocals();
  checkFutures();
  checkOnce();
  checkWaiting();
  checkExceptions();
  checkUnwinding();
  passed("threads_cxx");
  MPI_Finalize();
}
