// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: pass
// Intent: where an iteration begins in the middle of a block, the loop's own end is tested in the copy of the iteration too, though
// what the function's assertion leads to was asked for before the block was split.
// RUN: clang --no-default-config -O1 -I%gnomon_prefix/include/gnomon -fno-discard-value-names -Xclang -disable-llvm-passes %s -S -emit-llvm -o %t.ll
// RUN: opt -load-pass-plugin %pass_plugin -passes='internalize<preserve-gv=main>,default<O1>,gnomon-bursts' -S %t.ll -o %t.bursts.ll
// RUN: FileCheck %s < %t.bursts.ll
// CHECK-LABEL: define {{.*}}@interact(
// CHECK: call i32 @gnomon_burst_begin
// CHECK: {{^}}for.body.split.skip:
// CHECK: [[ENDS:%.*]] = icmp eq i64 %{{.*}}next{{.*}}, %wide.trip.count
// CHECK-NEXT: br i1 [[ENDS]],
#include <assert.h>
#include <mpi.h>

struct Grid {
  int boxes, *occupied;
  double *force;
};

__attribute__((noinline)) static void interact(struct Grid *grid, const int *found, int count) {
  for (int box = 0; box < grid->boxes; ++box) {
    int mine = grid->occupied[box];
    if (mine == 0)
      continue;
    for (int i = 0; i < count; ++i) {
      int other = found[i];
      assert(other >= 0);
      for (int j = 0; j < mine; ++j)
        for (int k = 0; k < grid->occupied[other]; ++k)
          grid->force[box] += 1 / (1 + grid->force[other]);
    }
  }
}

int main(int argc, char **argv) {
  static int occupied[100], found[10];
  static double force[100];
  MPI_Init(&argc, &argv);
  struct Grid grid = {100, occupied, force};
  for (int i = 0; i < 10; ++i)
    occupied[i * argc] = found[i] = argc;
  for (int step = 0; step < 9; ++step) {
    interact(&grid, found, 10);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  return MPI_Finalize();
}
