// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: three levels of functions that allocate keep their callers apart.
// RUN: clang --no-default-config -O1 -g -Xclang -disable-llvm-passes %s -S -emit-llvm -o %t.ll
// RUN: opt -load-pass-plugin %pass_plugin -passes='internalize<preserve-gv=main>,function(sroa),gnomon-print-points-to' -disable-output %t.ll | python3 %S/Inputs/check.py %s
#include <stdlib.h>
static void *innermost(size_t bytes) { return malloc(bytes); }
static void *inner(size_t bytes) { return bytes ? innermost(bytes) : innermost(1); }
static double *doubles(size_t count) { return count > 1 ? inner(count * 8) : inner(8); }
int main(int argc, char **argv) {
  double *a = doubles(argc), *b = doubles(10);
  a[argc] = 1; // @a
  *b = 2;      // @b
  return a[0] > 1; // @again
}
// APART: a b
// MEET: a again
