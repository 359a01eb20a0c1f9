// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: pass
// Intent: what frees a block that a burst makes asks whether its address is right; what frees another one does not.
// RUN: clang --no-default-config -O1 -g -I%gnomon_prefix/include/gnomon -Xclang -disable-llvm-passes %s -S -emit-llvm -o %t.ll
// RUN: opt -load-pass-plugin %pass_plugin -passes='internalize<preserve-gv=main>,default<O1>,gnomon-bursts,verify' -S %t.ll -o %t.bursts.ll
// RUN: FileCheck %s < %t.bursts.ll
// RUN: opt -load-pass-plugin %pass_plugin -passes='gnomon-hook-switch,verify' -S %t.bursts.ll | FileCheck %s --check-prefix=SWITCH
// CHECK-NOT: @gnomon_free_path
// CHECK: call void @free(
// CHECK: %[[ANSWER:.*]] = call i32 @gnomon_free_path(i32 15)
// CHECK-NEXT: %[[FREES:.*]] = icmp ne i32 %[[ANSWER]], 0
// CHECK-NEXT: br i1 %[[FREES]], label %[[FREE:.*]], label
// CHECK: [[FREE]]:
// CHECK-NEXT: call void @free(
// SWITCH: load i32, ptr @gnomon.bursts.on
// SWITCH: call i32 @gnomon_free_path(
#include <mpi.h>
#include <stdlib.h>
static double *list;
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  double *other = malloc(1000 * sizeof *other);
  for (int step = 0; step < 100; step++) {
    for (int i = 0; i < 1000; i++) {
      other[i] += i;
      if (other[i] > 5000 && i % 100 == 0)
        list = realloc(list, (unsigned)other[i] * sizeof *list);
    }
    MPI_Send(other, 10, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD);
  }
  free(other);
  free(list);
  return MPI_Finalize();
}
