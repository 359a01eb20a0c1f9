// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a pragma that is malformed, or names what is not there, is an error with its place.
// PragmaForm PragmaNoVariable SharedThreadLocal
// RUN: not %plugin_clangxx -std=c++20 -fsyntax-only -fno-caret-diagnostics %s 2>&1 | FileCheck %s --implicit-check-not=error:

// CHECK: :[[#@LINE+1]]:1: error: malformed '#pragma gnomon': expected 'shared', 'shared(variable, ...)' or 'burst("name")'
#pragma gnomon
// CHECK: :[[#@LINE+1]]:16: error: malformed '#pragma gnomon'
#pragma gnomon private
// CHECK: :[[#@LINE+1]]:16: error: malformed '#pragma gnomon'
#pragma gnomon shared(
// CHECK: :[[#@LINE+1]]:16: error: malformed '#pragma gnomon'
#pragma gnomon shared(a,)
// CHECK: :[[#@LINE+1]]:21: error: malformed '#pragma gnomon burst'
#pragma gnomon burst(name)
// CHECK: :[[#@LINE+1]]:23: error: '#pragma gnomon shared' attribute cannot be applied to a thread-local variable
#pragma gnomon shared(perRank)
thread_local int perRank;

int before;
int between;
// CHECK: :[[#@LINE+1]]:23: error: '#pragma gnomon shared' names 'before', but no variable of that name with static storage duration is defined after it in this file
#pragma gnomon shared(before)
