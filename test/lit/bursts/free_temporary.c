// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: pass
// Intent: what a function makes for itself and frees again is freed without a question, though bursts decide whether it is made
// and how large it is; where another function gets to know its address, whoever frees it asks.
// RUN: clang --no-default-config -O1 -g -I%gnomon_prefix/include/gnomon -Xclang -disable-llvm-passes %s -S -emit-llvm -o %t.ll
// RUN: opt -load-pass-plugin %pass_plugin -passes='internalize<preserve-gv=main>,default<O1>,gnomon-bursts,verify' -S %t.ll -o %t.bursts.ll
// RUN: FileCheck %s < %t.bursts.ll
// CHECK-LABEL: define internal {{.*}}@smooth(
// CHECK: call {{.*}}@malloc(
// CHECK-NOT: @gnomon_free_path
// CHECK: call void @free(
// CHECK-LABEL: define internal {{.*}}@keep(
// CHECK: call {{.*}}@malloc(
// CHECK: call i32 @gnomon_free_path(
// CHECK: call void @free(
#include <mpi.h>
#include <stdlib.h>
static double values[1000];
static double *kept;
__attribute__((noinline)) static void smooth(int count) {
  double *copy = malloc(count * sizeof *copy);
  for (int i = 0; i < count; i++)
    copy[i] = values[i];
  for (int i = 1; i < count - 1; i++)
    values[i] = copy[i - 1] + copy[i + 1];
  free(copy);
}
__attribute__((noinline)) static void keep(int count) {
  double *copy = malloc(count * sizeof *copy);
  kept = copy;
  for (int i = 0; i < count; i++)
    copy[i] = values[i];
  for (int i = 1; i < count - 1; i++)
    values[i] = copy[i - 1] + kept[i + 1];
  free(copy);
}
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  for (int step = 0; step < 100; step++) {
    for (int i = 0; i < 1000; i++)
      values[i] += i;
    if (values[7] > 5) {
      smooth((int)values[3] % 1000);
      keep((int)values[4] % 1000);
    }
    MPI_Send(values, 10, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD);
  }
  return MPI_Finalize();
}
