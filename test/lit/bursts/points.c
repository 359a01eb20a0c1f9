// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: pass
// Intent: the one value in which what bursts compute decides gets a hook, whose answer all others use; in the end it stands behind
// the question whether points are on, and without that the value is the program's. The burst's record has a second plan, and the
// point names the burst that it holds back, and the one that runs where it is not given.
// RUN: clang --no-default-config -O1 -g -I%gnomon_prefix/include/gnomon -Xclang -disable-llvm-passes %s -S -emit-llvm -o %t.ll
// RUN: opt -load-pass-plugin %pass_plugin -passes='internalize<preserve-gv=main>,default<O1>,gnomon-bursts,verify' -S %t.ll -o %t.bursts.ll
// RUN: FileCheck %s < %t.bursts.ll
// RUN: opt -load-pass-plugin %pass_plugin -passes='gnomon-hook-switch,verify' -S %t.bursts.ll | FileCheck %s --check-prefix=SWITCH
// CHECK-DAG: @gnomon.points = internal global [1 x ptr] [ptr @[[POINT:gnomon.point]]]
// CHECK-DAG: @[[POINT]] = internal global { ptr, ptr, ptr, ptr, ptr, ptr, i32, i32, i32, i32, i32, i32, i32, i32 } { {{.*}}, ptr @gnomon.held, ptr @gnomon.rests, ptr null, i32 1, i32 1, i32 0, i32 38, i32 1, i32 0, i32 0, i32 0 }
// CHECK-DAG: @gnomon.held = internal constant [1 x ptr] [ptr @gnomon.burst]
// CHECK-DAG: @gnomon.rests = internal constant [1 x ptr] [ptr @gnomon.burst]
// CHECK-DAG: @gnomon.burst.plan = internal constant { i32, i32, ptr, ptr, i32, i32 } { i32 1, i32 0, ptr null,
// CHECK-DAG: @gnomon.burst = internal global {{.*}} ptr @gnomon.burst.plan }
// CHECK-LABEL: define {{.*}}@main(
// CHECK: [[BIT:%.*]] = fcmp
// CHECK-NEXT: [[WIDE:%.*]] = zext i1 [[BIT]] to i64
// CHECK-NEXT: [[GIVEN:%.*]] = call i64 @gnomon_decide(ptr @[[POINT]], i64 [[WIDE]])
// CHECK-NEXT: [[NARROW:%.*]] = trunc i64 [[GIVEN]] to i1
// CHECK-NOT: [[BIT]]
// CHECK: br i1 [[NARROW]]
// SWITCH-LABEL: define {{.*}}@main(
// SWITCH: [[WIDE:%.*]] = zext i1 {{.*}} to i64
// SWITCH: load i32, ptr @gnomon.points.on
// SWITCH: [[GIVEN:%.*]] = call i64 @gnomon_decide(
// SWITCH: phi i64 [ [[GIVEN]], %{{.*}} ], [ [[WIDE]], %{{.*}} ]
#include <mpi.h>
static double u[1000];
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  double sum, all;
  do {
    sum = 0;
    for (int i = 0; i < 1000; i++)
      sum += u[i] = 0.5 * u[i] + i;
    MPI_Allreduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  } while (all > 1);
  return MPI_Finalize();
}
