/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * Intent: both spellings of the attribute work in C: C23's brackets (an extension before) and GNU's.
 * RUN: %plugin_clang -std=c23 -Wall -Werror -S -emit-llvm %s -o - | FileCheck %s
 * RUN: %plugin_clang -std=c99 -Wall -Werror -S -emit-llvm %s -o - | FileCheck %s
 * CHECK: @llvm.global.annotations = appending global [3 x
 * CHECK-SAME: ptr @{{counter|tentative}}, ptr [[SHARED:@[.a-z0-9]+]]
 * CHECK-SAME: ptr @next.local, ptr [[SHARED]]
 */
[[gnomon::shared]] int counter = 1;
int __attribute__((gnomon_shared)) tentative;

int next(void) {
  static int local __attribute__((gnomon_shared));
  return ++local + ++tentative;
}
