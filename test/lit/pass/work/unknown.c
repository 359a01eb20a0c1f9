// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a loop whose count cannot be known is said by its line and taken as one iteration; the loops around and in it still count;
// nothing is said where nothing but such loops are.
// RUN: clang --no-default-config -O2 -g -flto -fno-vectorize -fno-unroll-loops -S -emit-llvm %s -o %t.ll
// RUN: opt -load-pass-plugin %pass_plugin -passes='function(loop-simplify),gnomon-print-work,verify' %t.ll -disable-output | FileCheck %s

// CHECK-LABEL: newton:nest
// CHECK-SAME: : nothing
// CHECK-NEXT: without: the trip count of the loop at {{.*}}unknown.c:[[#@LINE+2]] is not known before it runs
void newton(double *a, double bound) {
  while (a[0] > bound)
    a[0] *= 0.5;
}

// CHECK-LABEL: inside:nest
// CHECK-SAME: 7*max(0, {{%[0-9]+}})
// CHECK-NEXT: without: the trip count of the loop at {{.*}}unknown.c:[[#@LINE+2]] is not
void inside(double *a, double bound, int n) {
  while (a[0] > bound)
    for (int i = 0; i < n; i++)
      a[i] *= 0.5;
}

// A search counts as far as it may go.
// CHECK-LABEL: find:nest
// CHECK-SAME: : {{[0-9]+}}*max(0, {{%[0-9]+}}){{$}}
// CHECK-NOT: find{{.*}}without
int find(const int *a, int n, int value) {
  for (int i = 0; i < n; i++)
    if (a[i] == value)
      return i;
  return -1;
}

// A pointer that may not be read before the loop knows that it will be.
// CHECK-LABEL: careful:nest
// CHECK-NOT: [%
// CHECK: careful:iteration
void careful(double *a, const int *bounds, int n) {
  for (int i = 0; i < n; i++)
    if (a[i] > 0)
      for (int j = 0; j < bounds[3]; j++)
        a[j] += a[i];
}

// CHECK-LABEL: recursive:call recursive:
// CHECK-SAME: nothing
// CHECK-NEXT: without: what a call of recursive does is not known
__attribute__((noinline)) int recursive(int n) { return n < 2 ? n : recursive(n - 1) - recursive(n / 2); }

// Pointers that are loaded are numbers, too, where a loop runs from one to the other.
// CHECK-LABEL: range:call between:
// CHECK-SAME: {{\[%[0-9]+ . 8\]}}
struct range {
  double *begin, *end;
};
__attribute__((noinline)) static void between(struct range *r) {
  for (double *p = r->begin; p != r->end; p++)
    *p += 1;
}
void range(struct range *r) { between(r); }
