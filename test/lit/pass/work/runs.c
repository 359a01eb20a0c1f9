// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: what is predicted before a loop nest runs is what is then counted, to within half a percent (ends of rows, guards).
// RUN: clang --no-default-config -O2 -flto -fno-vectorize -fno-slp-vectorize -fno-unroll-loops -S -emit-llvm %s -o %t.ll
// RUN: env GNOMON_PRINT_WORK=nest opt -load-pass-plugin %pass_plugin -passes='function(loop-simplify),gnomon-print-work,gnomon-count,verify' %t.ll -o %t.bc
// RUN: clang --no-default-config -O1 %t.bc %S/../../Inputs/received_works.c -no-pie -o %t
// RUN: %t | FileCheck %s
void check(const char *, double, double);
#define NEST __attribute__((noinline)) void

double a[1 << 18];
int rows[1001], columns[100000];
double values[100000], x[1000], y[1000];
struct sizes {
  long unused;
  int n, m;
};

NEST rectangle(int n, int m) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      a[i * m + j] += 2;
}
NEST below(int n) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++)
      a[i * n + j] += 2;
}
NEST above(int n) {
  for (int i = 0; i < n; i++)
    for (int j = i + 1; j < n; j++)
      a[i * n + j] += 2;
}
// Cut off: behind the m-th row nothing is left.
NEST cut(int n, int m) {
  for (int i = 0; i < n; i++)
    for (int j = i; j < m; j++)
      a[j] += i;
}
NEST tetrahedron(int n) {
  for (int i = 0; i < n; i++)
    for (int j = i; j < n; j++)
      for (int k = j; k < n; k++)
        a[k] += i + j;
}
NEST strided(int from, int to) {
  for (int i = from; i < to; i += 7)
    a[i] += 2;
}
NEST multigrid(int n, int levels) {
  for (int level = 0; level < levels; level++) {
    int m = n >> level;
    for (int i = 0; i < m; i++)
      for (int j = 0; j < m; j++)
        a[i * m + j] += 2;
  }
}
NEST halving(int n) {
  for (int m = n; m > 0; m /= 2)
    for (int i = 0; i < m; i++)
      a[i] += 2;
}
NEST reference(const int *n, const int *m) {
  for (int i = 0; i < *n; i++)
    for (int j = 0; j < *m; j++)
      a[i + j] += 2;
}
NEST field(const struct sizes *s) {
  for (int i = 0; i < s->n; i++)
    for (int j = 0; j < s->m; j++)
      a[i + j] += 2;
}
NEST siblings(int n, int m) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < m; j++)
      a[j] += 1;
    for (int j = 0; j < n; j++)
      a[j] *= a[i];
  }
}
NEST sparse(int n) {
  for (int i = 0; i < n; i++) {
    double sum = 0;
    for (int k = rows[i]; k < rows[i + 1]; k++)
      sum += values[k] * x[columns[k]];
    y[i] = sum;
  }
}
NEST callee(int n) {
  for (int i = 0; i < n; i++)
    a[i] += 2;
}
NEST calls(int n) {
  for (int i = 0; i < n; i++)
    callee(i);
}
NEST calledByReference(int n) {
  int m = 2 * n;
  for (int i = 0; i < n; i++)
    reference(&n, &m);
}
NEST once(int n) {
  for (int i = 0; i < n; i++)
    if (i == n / 2)
      for (int j = 0; j < n; j++)
        a[j] += 1 / a[i];
}
NEST firstHalf(int n) {
  for (int i = 0; i < n; i++)
    if (i < n / 2)
      a[i] = 1 / a[i] + a[i] * a[i] + 3;
}
NEST flagged(int n, int flag) {
  for (int i = 0; i < n; i++) {
    if (flag)
      for (int j = 0; j < n; j++)
        a[j] += 1;
    a[i] += 3;
  }
}
NEST constant(void) {
  for (int i = 0; i < 50; i++)
    for (int j = 0; j < 60; j++)
      a[i + j] += 2;
}

int main(int argc, char **argv) {
  for (int i = 0; i < 1000; i++)
    rows[i + 1] = rows[i] + i * 7919 % 50 * argc;
  check("setup", 0, 1e9);
#define EXACT(CALL) CALL, check(#CALL, 0.995, 1.005)
  EXACT(rectangle(100, 200));     // CHECK: rectangle(100, 200): right
  EXACT(rectangle(0, 200));       // CHECK-NEXT: rectangle(0, 200): nothing
  EXACT(rectangle(-5, 200));      // CHECK-NEXT: rectangle(-5, 200): nothing
  EXACT(rectangle(1, 10000));     // CHECK-NEXT: rectangle(1, 10000): right
  EXACT(below(300));              // CHECK-NEXT: below(300): right
  EXACT(above(300));              // CHECK-NEXT: above(300): right
  EXACT(above(1));                // CHECK-NEXT: above(1): right
  EXACT(cut(300, 200));           // CHECK-NEXT: cut(300, 200): right
  EXACT(cut(200, 300));           // CHECK-NEXT: cut(200, 300): right
  EXACT(tetrahedron(60));         // CHECK-NEXT: tetrahedron(60): right
  EXACT(strided(13, 100000));     // CHECK-NEXT: strided(13, 100000): right
  EXACT(multigrid(512, 8));       // CHECK-NEXT: multigrid(512, 8): right
  EXACT(multigrid(256, 1));       // CHECK-NEXT: multigrid(256, 1): right
  EXACT(halving(100000));         // CHECK-NEXT: halving(100000): right
  int n = 100, m = 77;
  EXACT(reference(&n, &m));       // CHECK-NEXT: reference(&n, &m): right
  struct sizes s = {0, 60, 50};
  EXACT(field(&s));               // CHECK-NEXT: field(&s): right
  EXACT(siblings(100, 50));       // CHECK-NEXT: siblings(100, 50): right
  EXACT(sparse(1000));            // CHECK-NEXT: sparse(1000): right
  EXACT(sparse(100));             // CHECK-NEXT: sparse(100): right
  check("unused", 0, 1e9);        // CHECK-NEXT: unused: nothing
  calls(300);                     // The callee, too, announces its nest: more instructions.
  check("calls(300)", 0.95, 1);   // CHECK-NEXT: calls(300): right
  EXACT(calledByReference(30));   // CHECK-NEXT: calledByReference(30): right
  EXACT(once(3000));              // CHECK-NEXT: once(3000): right
  EXACT(firstHalf(3000));         // CHECK-NEXT: firstHalf(3000): right
  EXACT(flagged(300, argc));      // CHECK-NEXT: flagged(300, argc): right
  EXACT(flagged(300, argc - 1));  // CHECK-NEXT: flagged(300, argc - 1): right
  EXACT(constant());              // CHECK-NEXT: constant(): right
  return 0;
}
