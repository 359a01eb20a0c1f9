// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: C++'s ways to start a thread are warned of; a thread object that starts none, and moving one, are not.
// RUN: %plugin_clangxx -std=c++20 -fsyntax-only -fno-caret-diagnostics %s 2>&1 | FileCheck %s --implicit-check-not=warning:
#include <future>
#include <thread>
#include <vector>

namespace mine {
int fork() { return 0; }
} // namespace mine

int main() {
  std::thread empty;
  // CHECK: :[[#@LINE+1]]:15: warning: 'std::thread' starts a thread outside the simulation
  std::thread thread([] {});
  std::thread moved(std::move(thread));
  // CHECK: :[[#@LINE+1]]:16: warning: 'std::jthread' starts a thread
  std::jthread joining([] {});
  // CHECK: :[[#@LINE+1]]:17: warning: 'std::async' starts a thread
  auto future = std::async([] { return 1; });
  moved.join();
  return mine::fork();
}
