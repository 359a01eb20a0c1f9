// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a `shared(…)` pragma finds variables by name in namespaces, in classes and in extern "C" blocks.
// RUN: %plugin_clangxx -std=c++20 -Wall -Werror -S -emit-llvm %s -o - | FileCheck %s
// CHECK: @llvm.global.annotations = appending global [3 x
// CHECK-SAME: ptr @_ZN2ns8countersE
// CHECK-SAME: ptr @inC
// CHECK-SAME: ptr @_ZN5Class6memberE
#pragma gnomon shared(ns::counters, inC, Class::member)
namespace ns {
int counters[4] = {1};
}
namespace other {
int counters[4] = {2};
}
extern "C" {
int inC = 3;
}
struct Class {
  static int member;
};
int Class::member = 4;
