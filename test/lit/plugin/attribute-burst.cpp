// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: [[gnomon::burst("name")]], its GNU spelling and its pragma annotate functions with the burst's name.
// RUN: %plugin_clangxx -std=c++20 -Wall -Werror -S -emit-llvm %s -o - | FileCheck %s
// CHECK-DAG: c"gnomon::burst=stencil\00"
// CHECK-DAG: c"gnomon::burst=reduction\00"
// CHECK-DAG: c"gnomon::burst=gather\00"
// CHECK: @llvm.global.annotations = appending global [3 x
// CHECK-SAME: ptr @_Z1av
// CHECK-SAME: ptr @_Z1bv
// CHECK-SAME: ptr @_Z1cv

[[gnomon::burst("stencil")]] void a() {}
__attribute__((gnomon_burst("reduction"))) void b() {}
#pragma gnomon burst("gather")
void c() {}
