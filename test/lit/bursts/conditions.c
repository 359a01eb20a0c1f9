// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: pass
// Intent: a condition that does not change once the loop has begun makes a phase of its own, which a rank enters where it
// holds; the record names it. One that the loop changes makes none.
// RUN: clang --no-default-config -O1 -g -I%gnomon_prefix/include/gnomon -Xclang -disable-llvm-passes %s -S -emit-llvm -o %t.ll
// RUN: opt -load-pass-plugin %pass_plugin -passes='internalize<preserve-gv=main>,default<O1>,gnomon-bursts,verify' -S %t.ll -o %t.bursts.ll
// RUN: FileCheck %s < %t.bursts.ll
// RUN: opt -load-pass-plugin %pass_plugin -passes='gnomon-hook-switch,verify' -S %t.bursts.ll | FileCheck %s --check-prefix=SWITCH
// RUN: clang --no-default-config -DCHANGES -O1 -g -I%gnomon_prefix/include/gnomon -Xclang -disable-llvm-passes %s -S -emit-llvm -o %t.changes.ll
// RUN: opt -load-pass-plugin %pass_plugin -passes='internalize<preserve-gv=main>,default<O1>,gnomon-bursts,verify' -S %t.changes.ll | FileCheck %s --check-prefix=CHANGES
// CHECK: all ranks would have to find that {{.*}} at {{.*}}conditions.c:[[#@LINE+25]] is false; else the end of the loop
// CHECK-LABEL: define {{.*}}@main(
// CHECK: call void @gnomon_phase(i32 1)
// CHECK: [[NOT:%.*]] = xor i1 {{.*}}, true
// CHECK: [[HOLDS:%.*]] = zext i1 [[NOT]] to i32
// CHECK: call void @gnomon_phase_where(i32 2, i32 [[HOLDS]])
// SWITCH-LABEL: define {{.*}}@main(
// SWITCH: load i32, ptr @gnomon.bursts.on
// SWITCH: call void @gnomon_phase_where(
// CHANGES-NOT: gnomon_phase_where
#include <mpi.h>
static double u[1000];
static int checks;
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  checks = argc > 1;
  double sum, all;
  for (int step = 0; step < 100; step++) {
    sum = 0;
    for (int i = 0; i < 1000; i++)
      sum += u[i] = 0.5 * u[i] + i;
    MPI_Allreduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
#ifdef CHANGES
    checks = step > 50;
#endif
    if (checks && all < 1)
      break;
  }
  return MPI_Finalize();
}
