// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: pass
// Intent: where decisions are given as if nobody read what is written, calls by which the program may do so tell the
// runtime, by gnomon_reads_back: what they are handed (0: nothing that tells the file, 1: a descriptor, 2: a path, 3: a
// command), and whether that holds from now on (16).
// RUN: clang %gnomon_flag -fno-lto -O1 -S -emit-llvm %s -o %t.ll
// RUN: opt -load-pass-plugin %pass_plugin -passes='internalize<preserve-gv=main>,gnomon-bursts' -S %t.ll | FileCheck %s
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

double field[1000];

// CHECK-LABEL: @look(
// CHECK: call void @gnomon_reads_back(i32 16, i64 0)
// CHECK-NEXT: call {{.*}}@popen(
// CHECK: [[DESCRIPTOR:%.*]] = call i32 @fileno(
// CHECK: [[NUMBER:%.*]] = sext i32 [[DESCRIPTOR]] to i64
// CHECK: call void @gnomon_reads_back(i32 1, i64 [[NUMBER]])
// CHECK-NEXT: call i64 @ftell(
// CHECK: [[PATH:%.*]] = ptrtoint ptr %{{.*}} to i64
// CHECK: call void @gnomon_reads_back(i32 2, i64 [[PATH]])
// CHECK-NEXT: call i32 @stat(
// CHECK: call void @gnomon_reads_back(i32 3, i64 0)
// CHECK-NEXT: call i32 @system(
__attribute__((noinline)) long look(const char *name, FILE *file) {
  struct stat status;
  FILE *pipe = popen(name, "r");
  long sum = pipe ? fgetc(pipe) : 0;
  sum += ftell(file);
  if (stat(name, &status) == 0)
    sum += status.st_size;
  return sum + (system(name) == 0);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  for (int step = 0; step < 10; ++step) {
    double rest, all = 1;
    for (int i = 0; i < 1000; ++i)
      field[i] = step + 1.0 / (i + argc);
    while (all > 0.1) {
      rest = 0;
      for (int i = 0; i < 1000; ++i)
        rest += field[i] *= 0.5;
      MPI_Allreduce(&rest, &all, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    }
    FILE *file = fopen(argv[0], "w");
    fwrite(field, sizeof *field, 1000, file);
    fclose(file);
  }
  FILE *input = fopen(argv[1], "r");
  if (argc > 3 && look(argv[2], input) == 3)
    MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
}
