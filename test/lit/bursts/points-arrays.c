// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: pass
// Intent: arrays of counts that MPI_Alltoallv reads are points, with their length by the communicator and 32 bits a number; MPI
// reads what the hook gives, and no communicator stands for an array that a call in place does not read. The array that
// MPI_Ialltoallv may read later is none.
// RUN: clang --no-default-config -O1 -g -I%gnomon_prefix/include/gnomon -Xclang -disable-llvm-passes %s -S -emit-llvm -o %t.ll
// RUN: opt -load-pass-plugin %pass_plugin -passes='internalize<preserve-gv=main>,default<O1>,gnomon-bursts,verify' -S %t.ll -o %t.bursts.ll
// RUN: FileCheck %s < %t.bursts.ll
// RUN: opt -load-pass-plugin %pass_plugin -passes='gnomon-hook-switch,verify' -S %t.bursts.ll | FileCheck %s --check-prefix=SWITCH
// CHECK-DAG: @gnomon.points = internal global [2 x ptr] [ptr @[[SENDS:gnomon.point[.0-9]*]], ptr @[[RECEIVES:gnomon.point[.0-9]*]]]
// CHECK-DAG: @[[SENDS]] = internal global {{.*}}, i32 38, i32 32, i32 0, i32 0, i32 1 }
// CHECK-DAG: @[[RECEIVES]] = internal global {{.*}}, i32 38, i32 32, i32 0, i32 0, i32 1 }
// CHECK-LABEL: define {{.*}}@main(
// CHECK: [[IN_PLACE:%.*]] = icmp eq ptr [[BUFFER:%.*]], inttoptr (i64 1 to ptr)
// CHECK: [[COMM:%.*]] = select i1 [[IN_PLACE]], i64 0, i64 {{.*}}257
// CHECK: [[SENT:%.*]] = call ptr @gnomon_decide_each(ptr @[[SENDS]], i64 [[COMM]], i32 0, ptr @counts)
// CHECK: [[RECEIVED:%.*]] = call ptr @gnomon_decide_each(ptr @[[RECEIVES]], i64 {{.*}}257{{.*}}, i32 0, ptr @counts)
// CHECK: call i32 @MPI_Alltoallv(ptr {{[^,]*}}[[BUFFER]], ptr {{[^,]*}}[[SENT]], ptr {{[^,]*}}@places, ptr {{[^,]*}}, ptr {{[^,]*}}@received, ptr {{[^,]*}}[[RECEIVED]], ptr {{[^,]*}}@places,
// SWITCH-LABEL: define {{.*}}@main(
// SWITCH: load i32, ptr @gnomon.points.on
// SWITCH: [[GIVEN:%.*]] = call ptr @gnomon_decide_each(
// SWITCH: phi ptr [ [[GIVEN]], %{{.*}} ], [ @counts, %{{.*}} ]
#include <mpi.h>
#include <stdlib.h>
enum { RANKS = 64, N = 1000 };
static double u[N], sent[N * RANKS], received[N * RANKS];
static int counts[RANKS], places[RANKS];
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  for (int i = 0; i < RANKS; i++)
    places[i] = N * i;
  void *buffer = argc > 1 ? MPI_IN_PLACE : (void *)sent;
  for (int step = 0; step < argc; step++) {
    for (int i = 0; i < N; i++) {
      u[i] = 3.7 * u[i] * (1 - u[i]) + 1e-3 * i;
      counts[i % RANKS] = (int)(u[i] * 100);
    }
    MPI_Alltoallv(buffer, counts, places, MPI_DOUBLE, received, counts, places, MPI_DOUBLE,
                  MPI_COMM_WORLD);
  }
  MPI_Request request;
  MPI_Ialltoallv(sent, places, places, MPI_DOUBLE, received, places, places, MPI_DOUBLE,
                 MPI_COMM_WORLD, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  return MPI_Finalize();
}
