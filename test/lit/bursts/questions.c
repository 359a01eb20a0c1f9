// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: pass
// Intent: a library's function whose answer is a point's value is called only where gnomon_computes says so.
// RUN: clang --no-default-config -O1 -g -I%gnomon_prefix/include/gnomon -Xclang -disable-llvm-passes %s -S -emit-llvm -o %t.ll
// RUN: opt -load-pass-plugin %pass_plugin -passes='internalize<preserve-gv=main>,default<O1>,gnomon-bursts,verify' -S %t.ll -o %t.bursts.ll
// RUN: FileCheck %s < %t.bursts.ll
// CHECK-LABEL: define {{.*}}@main(
// CHECK: [[COMPUTES:%.*]] = call i32 @gnomon_computes(ptr @[[POINT:gnomon.point[.0-9]*]])
// CHECK: br i1
// CHECK: [[ANSWER:%.*]] = {{.*}}call i64 @strlen(
// CHECK: [[VALUE:%.*]] = phi i64 [ [[ANSWER]], %{{.*}} ], [ 0, %{{.*}} ]
// CHECK: call i64 @gnomon_decide(ptr @[[POINT]], i64 [[VALUE]])
#include <mpi.h>
#include <string.h>
static char text[1000];
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  for (int step = 0; step < argc; step++) {
    for (int i = 0; i < 999; i++)
      for (int j = 0; j < 9; j++)
        text[i] = (char)(text[i] + i * j);
    text[999] = 0;
    MPI_Bcast(text + 1, (int)strlen(text), MPI_CHAR, 0, MPI_COMM_WORLD);
  }
  return MPI_Finalize();
}
