// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: pass, clang-plugin
// Intent: what pragmas say of functions and statements reaches the pass after the compiler's optimisations: words, flops, the
// region; the file of GNOMON_BURSTS goes before it, and no marker is left.
// RUN: %plugin_clang -O2 -g -fno-unroll-loops -fno-vectorize -c -emit-llvm %s -o %t.bc
// RUN: opt -load-pass-plugin %pass_plugin -passes=gnomon-print-overrides -S %t.bc -o %t.ll | FileCheck %s
// RUN: not grep 'call.*gnomon_mark' %t.ll
// RUN: printf '# a comment\n\nstatements:38 run name=other\nwhole flops=5 # another\nunknown skip\n' > %t.bursts
// RUN: env GNOMON_BURSTS=%t.bursts opt -load-pass-plugin %pass_plugin -passes=gnomon-print-overrides -disable-output %t.bc 2>&1 | FileCheck %s --check-prefix=FILE
// RUN: printf 'whole skp\nwhole\nwhole:0 skip\nwhole flops=-1\nwhole skip run\n"whole skip\nwhole samples=x\nwhole stay\n' > %t.wrong
// RUN: env GNOMON_BURSTS=%t.wrong not opt -load-pass-plugin %pass_plugin -passes=gnomon-print-overrides -disable-output %t.bc 2>&1 | FileCheck %s --check-prefix=WRONG
// RUN: env GNOMON_BURSTS=%t.nowhere not opt -load-pass-plugin %pass_plugin -passes=gnomon-print-overrides -disable-output %t.bc 2>&1 | FileCheck %s --check-prefix=NOWHERE

// CHECK: whole: name=whole skip samples=2
// CHECK-DAG: statements, statement at line 38 of {{[0-9]+}} blocks: name=loop skip
// CHECK-DAG: statements, statement at line 44 of {{[0-9]+}} blocks, computed flops: name=call
// CHECK-DAG: statements, statement at line 47 of {{[0-9]+}} blocks: name=nest flops=1.000000e+06
// CHECK-DAG: statements, statement at line 50 of {{[0-9]+}} blocks: run
// FILE-DAG: warning: gnomon: {{.*}}:5: no function of this program is called 'unknown'
// FILE-DAG: whole: name=whole skip samples=2 flops=5.000000e+00
// FILE-DAG: statements, line 38: name=other run
// FILE-DAG: statements, statement at line 38 of {{[0-9]+}} blocks: name=other run
// WRONG: error: gnomon: {{.*}}:1: unknown word 'skp'; known: skip, run, stay, name=TEXT, flops=NUMBER, samples=NUMBER
// WRONG-NEXT: {{.*}}:2: nothing is said of 'whole'
// WRONG-NEXT: {{.*}}:3: '0' is no line
// WRONG-NEXT: {{.*}}:4: '-1' is no number of flops
// WRONG-NEXT: {{.*}}:5: both 'skip' and 'run'
// WRONG-NEXT: {{.*}}:6: a quotation mark without its other
// WRONG-NEXT: {{.*}}:7: 'x' is no number of instances
// WRONG-NEXT: {{.*}}:8: 'stay' is said of a line: whole:LINE stay
// NOWHERE: error: gnomon: {{.*}}.nowhere: No such file or directory
void work(double *a, int n);
#pragma gnomon burst("whole") skip samples(2)
void whole(double *a) { work(a, 1); }

void statements(double *a, int n) {
#pragma gnomon burst("loop") skip
  for (int i = 0; i < n; ++i) { // line 38
    if (a[i] > 3)
      break;
    a[i] = 2;
  }
#pragma gnomon burst("call") flops(2.0 * n)
  work(a, n);
  // Nested: the outer one and the inner one.
#pragma gnomon burst("nest") flops(1e6)
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < 3; ++k)
#pragma gnomon burst run
      for (int j = 0; j < n; ++j)
        a[i] += a[j] * k;
}
