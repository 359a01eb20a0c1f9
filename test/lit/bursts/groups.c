// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: pass
// Intent: short loops behind each other pay one hook where decisions are recorded or given: the group's code is there as it is
// executed and as it is skipped, without the hooks of its loops. In the latter no loop is left; what stands between them is, but
// for a sum of what is not computed. Where decisions are left alone, the loops ask, each for itself.
// RUN: clang --no-default-config -O1 -g -I%gnomon_prefix/include/gnomon -Xclang -disable-llvm-passes %s -S -emit-llvm -o %t.ll
// RUN: opt -load-pass-plugin %pass_plugin -passes='internalize<preserve-gv=main>,default<O1>,gnomon-bursts,verify,simplifycfg' -S %t.ll -o %t.bursts.ll
// RUN: FileCheck %s < %t.bursts.ll
// RUN: opt -load-pass-plugin %pass_plugin -passes='internalize<preserve-gv=main>,default<O1>,gnomon-bursts' -pass-remarks-analysis=gnomon -disable-output %t.ll 2>&1 | FileCheck %s --check-prefix=REMARK
// Another record stands for the loops (2048) where decisions are given; it may be skipped then (1), and what stays takes time (2).
// CHECK-DAG: @gnomon.burst.plan{{.*}} = internal constant {{.*}} { i32 2049,
// CHECK-DAG: @gnomon.burst.plan{{.*}} = internal constant {{.*}} { i32 2049,
// CHECK-DAG: @[[PLAN:gnomon.burst.plan[.0-9]*]] = internal constant {{.*}} { i32 3,
// CHECK-DAG: @[[GROUP:gnomon.burst[.0-9]*]] = internal global {{.*}} ptr @[[PLAN]] }
// CHECK-LABEL: define {{.*}}@main(
// CHECK: load i32, ptr @gnomon.points.on
// CHECK: call i32 @gnomon_burst_begin{{.*}}(ptr @[[GROUP]],
// CHECK: .group.skip:
// CHECK-NOT: phi double
// CHECK-NOT: store double
// CHECK: store i32 {{.*}}, ptr {{.*}}
// CHECK-NOT: store
// CHECK: {{^[}]}}
// REMARK: groups.c:[[# @LINE + 12]]:{{.*}}with recorded decisions, this loop and the 2 behind it are one burst
// REMARK-NOT: are one burst
#include <mpi.h>
static double u[1000], v[1000], flux[100];
static int steps[100];
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  double all = 0;
  const int n = 7 + argc;
  do {
    for (int cell = 0; cell < 100; ++cell) {
      double sum = 0;
      for (int i = 0; i < n; i++)
        u[i] = 0.5 * v[i] + i;
      ++steps[cell];
      for (int i = 0; i < n; i++)
        sum += v[i] = 2 * u[i] - v[i];
      flux[cell] += sum;
      for (int i = 0; i < n; i++)
        u[i] = 0.25 * v[i];
      MPI_Allreduce(&flux[cell], &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    // A message stands between these.
    for (int i = 0; i < n; i++)
      u[i] = 0.5 * v[i];
    MPI_Send(&steps[7], steps[9], MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD);
    for (int i = 0; i < n; i++)
      v[i] = 0.5 * u[i];
  } while (all > 1);
  return MPI_Finalize();
}
