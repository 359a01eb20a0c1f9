// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: with the argument `statics` the plugin remarks on what becomes of each variable with static storage. StaticFate
// RUN: %plugin_clangxx -std=c++20 -fplugin-arg-gnomon-statics -Wall -Werror -Wno-unused-const-variable -fsyntax-only -fno-caret-diagnostics %s 2>&1 | FileCheck %s --implicit-check-not=remark:

// CHECK: :[[#@LINE+1]]:5: remark: variable 'counter' is privatised: not const
int counter;
// CHECK: :[[#@LINE+1]]:11: remark: variable 'limit' is shared: const
const int limit = 3;
// CHECK: :[[#@LINE+1]]:24: remark: variable 'all' is shared by request: marked gnomon::shared
[[gnomon::shared]] int all;
// CHECK: :[[#@LINE+1]]:18: remark: variable 'mine' is one per rank: thread-local
thread_local int mine;
