// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: pass
// Intent: a number that is a point's value is read only where gnomon_computes says so, if its address rests on what may be
// skipped; and never earlier than that.
// RUN: clang --no-default-config -O1 -g -I%gnomon_prefix/include/gnomon -Xclang -disable-llvm-passes %s -S -emit-llvm -o %t.ll
// RUN: opt -load-pass-plugin %pass_plugin -passes='internalize<preserve-gv=main>,default<O1>,gnomon-bursts,verify' -S %t.ll -o %t.bursts.ll
// RUN: FileCheck %s < %t.bursts.ll
// CHECK-LABEL: define {{.*}}@main(
// CHECK: [[COMPUTES:%.*]] = call i32 @gnomon_computes(ptr @[[POINT:gnomon.point[.0-9]*]])
// CHECK: br i1
// CHECK: [[READ:%.*]] = load volatile i32, ptr
// CHECK: [[VALUE:%.*]] = phi i32 [ [[READ]], %{{.*}} ], [ 0, %{{.*}} ]
// CHECK: [[WIDE:%.*]] = sext i32 [[VALUE]] to i64
// CHECK: call i64 @gnomon_decide(ptr @[[POINT]], i64 [[WIDE]])
#include <mpi.h>
#include <stdlib.h>
struct node {
  struct node *next;
  int length;
};
static double values[1000];
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  static struct node ends[1000];
  struct node *last = ends;
  for (int step = 0; step < argc; step++) {
    for (int i = 0; i < 1000; i++) {
      values[i] += i * values[999 - i];
      if (values[i] > step) {
        ends[i].length = i;
        last = &ends[i];
      }
    }
    MPI_Bcast(values, last->length, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  }
  return MPI_Finalize();
}
