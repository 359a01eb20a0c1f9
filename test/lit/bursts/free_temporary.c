// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: pass
// Intent: what a function makes for itself and frees again is freed without a question, though what a message says of
// whose place skipped bursts decide is whether it is made at all. (free.c: what else may be stale is asked for.)
// RUN: clang --no-default-config -O1 -g -I%gnomon_prefix/include/gnomon -Xclang -disable-llvm-passes %s -S -emit-llvm -o %t.ll
// RUN: opt -load-pass-plugin %pass_plugin -passes='internalize<preserve-gv=main>,default<O1>,gnomon-bursts,verify' -S %t.ll -o %t.bursts.ll
// RUN: FileCheck %s < %t.bursts.ll
// CHECK-NOT: @gnomon_free_path
// CHECK: call void @free(
// CHECK-NOT: @gnomon_free_path
#include <mpi.h>
#include <stdlib.h>
static double values[1000];
static int places[1000], counts[1000], got[2000];
__attribute__((noinline)) static void smooth(void) {
  double *copy = malloc(sizeof values);
  for (int i = 0; i < 1000; i++)
    copy[i] = 2 * values[i];
  for (int i = 1; i < 999; i++)
    values[i] = copy[i - 1] + copy[i + 1];
  free(copy);
}
int main(int argc, char **argv) {
  int size, mine = argc;
  MPI_Init(&argc, &argv);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int i = 0; i < 1000; i++)
    counts[i] = 1;
  for (int step = 0; step < 100; step++) {
    for (int i = 0; i < 1000; i++) {
      values[i] += i;
      places[i] = 2 * i + (values[i] > 7);
    }
    MPI_Gatherv(&mine, 1, MPI_INT, got, counts, places, MPI_INT, 0, MPI_COMM_WORLD);
    if (got[0] + got[1] > 1)
      smooth();
  }
  return MPI_Finalize();
}
