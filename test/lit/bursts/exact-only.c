// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: pass
// Intent: GNOMON_SHADOW=0 at the link leaves the analysis of bursts out: no hooks, no records, no copies, no note; any other value changes nothing.
// RUN: clang --no-default-config -O1 -g -I%gnomon_prefix/include/gnomon -Xclang -disable-llvm-passes %s -S -emit-llvm -o %t.ll
// RUN: env GNOMON_SHADOW=1 opt -load-pass-plugin %pass_plugin -passes='internalize<preserve-gv=main>,gnomon-bursts' -S %t.ll | FileCheck %s
// RUN: env GNOMON_SHADOW=0 GNOMON_POINTS_TO_BUDGET=0 opt -load-pass-plugin %pass_plugin -passes='internalize<preserve-gv=main>,gnomon-bursts' -S %t.ll 2>&1 | FileCheck %s --check-prefix=EXACT
// CHECK: @gnomon.bursts.on
// CHECK: call i32 @gnomon_burst_begin(
// EXACT-NOT: {{warning|gnomon_|@gnomon|gnomon[.]}}
#include <mpi.h>
#include <stdlib.h>
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  double *array = malloc(1000 * sizeof *array);
  for (int i = 0; i < 1000; i++)
    array[i] = i;
  MPI_Allreduce(MPI_IN_PLACE, array, 1000, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return MPI_Finalize();
}
