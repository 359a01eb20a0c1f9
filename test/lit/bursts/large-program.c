// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: pass
// Intent: whoever links a program that is too large for the exact analysis is told so, with the number of what is not told apart.
// RUN: clang --no-default-config -O1 -g -I%gnomon_prefix/include/gnomon -Xclang -disable-llvm-passes %s -S -emit-llvm -o %t.ll
// RUN: opt -load-pass-plugin %pass_plugin -passes='internalize<preserve-gv=main>,gnomon-bursts' -disable-output %t.ll 2>&1 | FileCheck %s --check-prefix=SMALL --allow-empty
// RUN: env GNOMON_POINTS_TO_BUDGET=0 opt -load-pass-plugin %pass_plugin -passes='internalize<preserve-gv=main>,gnomon-bursts' -disable-output %t.ll 2>&1 | FileCheck %s
// SMALL-NOT: warning
// CHECK-NOT: warning
// CHECK: warning: gnomon: where the program's pointers may lead takes too long to find out: {{[1-9][0-9]*}} of its {{[1-9][0-9]*}} variables, allocations and functions are not told apart. Results are not affected, but --shadow may skip less than it could. If only exact runs are wanted, link with GNOMON_SHADOW=0 in the environment
// CHECK-NOT: warning
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
