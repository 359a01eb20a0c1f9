/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * Intent: `#pragma gnomon shared` marks the declaration that follows, `shared(a, b)` those of these names further down.
 * RUN: %plugin_clang -Wall -Werror -S -emit-llvm %s -o - | FileCheck %s
 * CHECK: @llvm.global.annotations = appending global [5 x
 * CHECK-SAME: ptr @following
 * CHECK-SAME: ptr @named
 * CHECK-SAME: ptr @next.local
 * CHECK-SAME: ptr @hidden
 * CHECK-SAME: ptr @byMacro
 */
#pragma gnomon shared
int following = 1;

#pragma gnomon shared(named, hidden)
int named = 2;
static int hidden;

int next(void) {
#pragma gnomon shared
  static int local = 3;
  return ++local + ++hidden;
}

#define SHARED _Pragma("gnomon shared")
SHARED int byMacro;
int ordinary;
