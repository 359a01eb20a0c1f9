// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: pass
// Intent: the file of GNOMON_EFFECTS says what functions outside the program do; a wrong line is an error that names it, a
// function that is not called and one that is known besides are remarks.
// RUN: clang --no-default-config -O1 -g -c -emit-llvm %s -o %t.bc
// RUN: printf '# mine\nfunction norm: reads 0, returns value\nfunction sweep: reads 0, updates-all 1 # again\nfunction nobody: reads 0\nfunction strlen: reads 0\n' > %t.good
// RUN: env GNOMON_EFFECTS=%t.good opt -load-pass-plugin %pass_plugin -passes=gnomon-print-overrides -disable-output %t.bc 2>&1 | FileCheck %s
// RUN: printf 'function norm: raeds 0\nfunction norm: reads 0, writes 0\nfunction own: reads 0\nfunction norm: reads 1\nfunction norm: reads 7\nfunction make: reads 0\nfunction norm: outputs, inputs\nnorm reads 0\nfunction norm: reads x\nfunction sweep: reads 0\nfunction sweep: writes 0\nfunction norm:\nfunction none: returns argument 0\nfunction old: outputs, returns inside 1\n' > %t.wrong
// RUN: env GNOMON_EFFECTS=%t.wrong not opt -load-pass-plugin %pass_plugin -passes=gnomon-print-overrides -disable-output %t.bc 2>&1 | FileCheck %s --check-prefix=WRONG
// RUN: env GNOMON_EFFECTS=%t.nowhere not opt -load-pass-plugin %pass_plugin -passes=gnomon-print-overrides -disable-output %t.bc 2>&1 | FileCheck %s --check-prefix=NOWHERE

// CHECK-DAG: remark: {{.*}}good:4: the program does not call 'nobody'
// CHECK-DAG: remark: {{.*}}good:5: what is said of 'strlen' goes before what Gnomon knows of it
// CHECK-DAG: norm: pure (r)
// CHECK-DAG: sweep: fills (r) (rwa)
// WRONG: error: gnomon: {{.*}}:1: unknown word 'raeds'; known: reads,
// WRONG-NEXT: {{.*}}:2: both 'reads' and 'writes' of argument 0; what is read and written is said by 'updates'
// WRONG-NEXT: {{.*}}:3: 'own' is a function of the program's own
// WRONG-NEXT: {{.*}}:4: argument 1 of 'norm' is no address: leave it out
// WRONG-NEXT: {{.*}}:5: 'norm' has 2 arguments, and no argument 7
// WRONG-NEXT: {{.*}}:6: 'make' returns an address; say which
// WRONG-NEXT: {{.*}}:7: both 'outputs' and 'inputs'
// WRONG-NEXT: {{.*}}:8: a line is 'function NAME: what it does, returns what', not 'norm
// WRONG-NEXT: {{.*}}:9: 'x' is no argument's number
// WRONG-NEXT: {{.*}}:11: line 10 says something else of 'sweep'
// WRONG-NEXT: {{.*}}:12: a line is 'function NAME
// WRONG-NEXT: {{.*}}:13: 'none' has no argument 0
// WRONG-NEXT: {{.*}}:14: 'old' has no argument 1
// NOWHERE: error: gnomon: {{.*}}.nowhere: No such file or directory
double norm(const double *a, long n);
void sweep(const double *a, double **rows);
double *make(long *n);
double *none(void);
double *old();
unsigned long strlen(const char *text);
__attribute__((noinline)) double own(double *a) { return *a; }
double whole(double *a, double **rows, long *n, const char *text) {
  sweep(a, rows);
  return norm(a, 3) + own(a) + *make(n) + (double)strlen(text) + *none() + *old(a);
}
