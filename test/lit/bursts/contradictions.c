// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: pass
// Intent: lines of the file of GNOMON_BURSTS that say different things of one place are an error that names both lines, and so
// are words of one line; the same thing said twice is none, and a line of a function may differ from the whole function's.
// RUN: clang --no-default-config -O2 -g -c -emit-llvm %s -o %t.bc
// RUN: printf 'whole skip\nwhole flops=3\nwhole run # again\nwhole flops=4\nwhole:3 run\nwhole samples=1 samples=2\nwhole name=a\nwhole name=b\n' > %t.wrong
// RUN: env GNOMON_BURSTS=%t.wrong not opt -load-pass-plugin %pass_plugin -passes=gnomon-print-overrides -disable-output %t.bc 2>&1 | FileCheck %s
// RUN: printf 'whole skip\nwhole skip flops=3 flops=3\nwhole:3 run\n' > %t.good
// RUN: env GNOMON_BURSTS=%t.good opt -load-pass-plugin %pass_plugin -passes=gnomon-print-overrides -disable-output %t.bc 2>&1 | FileCheck %s --check-prefix=GOOD

// CHECK: error: gnomon: {{.*}}:3: 'run' contradicts line 1, which says 'skip' of 'whole'
// CHECK-NEXT: {{.*}}:4: 'flops=4' contradicts line 2, which says 'flops=3' of 'whole'
// CHECK-NEXT: {{.*}}:6: both 'samples=1' and 'samples=2'
// CHECK-NEXT: {{.*}}:8: 'name=b' contradicts line 7, which says 'name=a' of 'whole'
// GOOD: whole: skip flops=3
void work(double *a, int n);
void whole(double *a) { work(a, 1); }
