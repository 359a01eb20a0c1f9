// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: pass
// Intent: an allocation has a record and hooks around it; the record says whether its contents must be right, and why.
// Indices are free only where bursts are skipped and never executed (1 << GNOMON_PLAN_SKIPPED, and with decisions).
// RUN: clang --no-default-config -O1 -g -I%gnomon_prefix/include/gnomon -Xclang -disable-llvm-passes %s -S -emit-llvm -o %t.ll
// RUN: opt -load-pass-plugin %pass_plugin -passes='internalize<preserve-gv=main>,default<O1>,gnomon-bursts,verify' -S %t.ll -o %t.bursts.ll
// RUN: FileCheck %s < %t.bursts.ll
// RUN: opt -load-pass-plugin %pass_plugin -passes='gnomon-hook-switch,verify' -S %t.bursts.ll | FileCheck %s --check-prefix=SWITCH
// CHECK: c"the count of MPI_Send ({{.*}}fold.c:[[#@LINE+26]]) rests on
// CHECK: @[[INDICES:gnomon.fold.site[.0-9]*]] = internal global {{.*}}, i32 12 }
// CHECK: @gnomon.fold.sites = internal global [3 x ptr] [ptr @[[DATA:gnomon.fold.site[.0-9]*]], ptr @[[COUNTS:gnomon.fold.site[.0-9]*]], ptr @[[INDICES]]]
// CHECK: call void @gnomon_fold_begin(ptr {{.*}}@[[DATA]])
// CHECK-NEXT: call {{.*}}@malloc(
// CHECK: call void @gnomon_fold_end()
// CHECK: call void @gnomon_fold_begin(ptr {{.*}}@[[COUNTS]])
// CHECK-NEXT: call {{.*}}@malloc(
// CHECK: call void @gnomon_fold_end()
// CHECK: call void @gnomon_fold_begin(ptr {{.*}}@[[INDICES]])
// SWITCH: load i32, ptr @gnomon.bursts.on
// SWITCH: call void @gnomon_fold_begin(
#include <mpi.h>
#include <stdlib.h>
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  double *data = malloc(100000 * sizeof *data);
  int *counts = malloc(100000 * sizeof *counts);
  int *indices = malloc(100000 * sizeof *indices);
  for (int i = 0; i < 100000; i++)
    counts[i] = i % 7;
  for (int i = 0; i < 100000; i++)
    indices[i] = i * 31 % 100000;
  for (int step = 0; step < 100; step++) {
    for (int i = 0; i < 100000; i++)
      data[i] = data[indices[i]] * 0.5 + i;
    MPI_Send(data, counts[step], MPI_DOUBLE, 0, 0, MPI_COMM_WORLD);
  }
  return MPI_Finalize();
}
