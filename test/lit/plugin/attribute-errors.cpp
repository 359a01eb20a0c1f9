// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: an attribute in a place where it can mean nothing is an error that says where it may stand.
// SharedNotStatic SharedThreadLocal BurstPlace BurstName
// RUN: not %plugin_clangxx -std=c++20 -fsyntax-only -fno-caret-diagnostics %s 2>&1 | FileCheck %s --implicit-check-not=error:

// CHECK: :[[#@LINE+1]]:3: error: 'gnomon::shared' attribute only applies to variables with static storage duration
[[gnomon::shared]] void function();

void g() {
  // CHECK: :[[#@LINE+1]]:5: error: 'gnomon::shared' attribute only applies to variables with static storage duration
  [[gnomon::shared]] int local;
  // CHECK: :[[#@LINE+1]]:18: error: 'gnomon_shared' attribute cannot be applied to a thread-local variable
  __attribute__((gnomon_shared)) thread_local int t;
}

// CHECK: :[[#@LINE+1]]:3: error: 'gnomon::shared' attribute cannot be applied to a thread-local variable: each rank has its own
[[gnomon::shared]] thread_local int perRank;

// CHECK: :[[#@LINE+1]]:3: error: 'gnomon::shared' attribute takes no arguments
[[gnomon::shared(1)]] int argument;

struct S {
  // CHECK: :[[#@LINE+1]]:5: error: 'gnomon::shared' attribute only applies to variables with static storage duration
  [[gnomon::shared]] int member;
};

// CHECK: :[[#@LINE+1]]:3: error: 'gnomon::burst' attribute only applies to functions and statements
[[gnomon::burst("x")]] int variable;
// CHECK: :[[#@LINE+1]]:3: error: 'gnomon::burst' attribute requires the burst's name, a string literal that is not empty
[[gnomon::burst]] void nameless();
// CHECK: :[[#@LINE+1]]:3: error: 'gnomon::burst' attribute requires the burst's name
[[gnomon::burst(3)]] void number();
// CHECK: :[[#@LINE+1]]:3: error: 'gnomon::burst' attribute requires the burst's name
[[gnomon::burst("")]] void empty();
// CHECK: :[[#@LINE+1]]:3: error: 'gnomon::burst' attribute has no clause 'b'
[[gnomon::burst("a", "b")]] void twice();
