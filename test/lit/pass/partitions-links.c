// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: runtime, clang-plugin, driver
// Intent: with --lto-partitions a program's static functions and variables are its own: a static `write` is not what an archive of
// machine code calls, relocatable outputs with equal statics link, labels of assembly are found, and strings that a build system reads stay.
// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: clang --no-default-config -O2 -c native.c && llvm-ar rc libnative.a native.o
//
// Three cuts, three places for each name.
// RUN: clang %gnomon_flag -O2 -Wl,--gc-sections write.c label.c info.c -Wl,--lto-partitions=2 -L. -lnative -o write.2
// RUN: clang %gnomon_flag -O2 -Wl,--gc-sections write.c label.c info.c -Wl,--lto-partitions=3 -L. -lnative -o write.3
// RUN: clang %gnomon_flag -O2 -Wl,--gc-sections write.c label.c info.c -Wl,-plugin-opt=lto-partitions=4 -L. -lnative -o write.4
// RUN: %gnomon_run -q -n 2 ./write.2 | FileCheck %s --check-prefix=WRITE
// RUN: %gnomon_run -q -n 2 ./write.3 | FileCheck %s --check-prefix=WRITE
// RUN: %gnomon_run -q -n 2 ./write.4 | FileCheck %s --check-prefix=WRITE
// RUN: llvm-strings write.2 | FileCheck %s --check-prefix=STRINGS
// RUN: llvm-strings write.3 | FileCheck %s --check-prefix=STRINGS
// RUN: llvm-strings write.4 | FileCheck %s --check-prefix=STRINGS
// WRITE: from the archive
// WRITE-NEXT: from the archive
// WRITE-NEXT: 7 42 44
// WRITE-NEXT: 7 42 44
// STRINGS: INFO:symbol[mysub_]
//
// RUN: clang %gnomon_flag -O2 -Wl,--lto-partitions=3 -r -DWHICH=first step.c -o first.o
// RUN: clang %gnomon_flag -O2 -Wl,--lto-partitions=3 -r -DWHICH=second step.c -o second.o
// RUN: clang %gnomon_flag -O2 -Wl,--lto-partitions=2 both.c first.o second.o -o both
// RUN: %gnomon_run -q -n 2 ./both | sort | FileCheck %s --check-prefix=BOTH
// BOTH: 0: 1 2 1
// BOTH-NEXT: 1: 2 4 2
//
// Twice the same, to the byte.
// RUN: cp both both.before && clang %gnomon_flag -O2 -Wl,--lto-partitions=2 both.c first.o second.o -o both && cmp both both.before
//--- native.c
#include <unistd.h>
void say(void) { (void)!write(1, "from the archive\n", 17); }
//--- write.c
#include <mpi.h>
#include <stdio.h>
void say(void);
int label(int), twice(int);
volatile int count;
const char *mysub_(void);
__attribute__((noinline)) static int write(int value) { return value + count; }
__attribute__((noinline)) int viaWrite(int value) { return write(value); }
__attribute__((noinline)) int againViaWrite(int value) { return write(value + 1) - 1; }
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  say();
  mysub_();
  MPI_Barrier(MPI_COMM_WORLD);
  if (viaWrite(argc) == againViaWrite(argc))
    printf("%d %d %d\n", write(argc) + 6 * argc, label(21), twice(22));
  MPI_Finalize();
}
//--- label.c
// A label that is not global: one object with all that calls it, unless the linker has cut it.
__asm__(".text\nlabel: leal (%rdi,%rdi), %eax\nret\n");
int label(int);
__attribute__((noinline)) int twice(int value) { return label(value); }
//--- info.c
const char *mysub_(void) { return "INFO:symbol[mysub_]"; }
//--- step.c
__attribute__((noinline)) static int step(int *counter, int by) { return *counter += by; }
static int counter;
static const char *volatile text = "equal";
#define NAMED(a, b) a##b
#define FUNCTION(name, suffix) NAMED(name, suffix)
__attribute__((noinline)) int FUNCTION(WHICH, One)(int by) { return step(&counter, by) + (text[0] != 'e'); }
__attribute__((noinline)) int FUNCTION(WHICH, Two)(int by) { return step(&counter, by) + (text[1] != 'q'); }
__attribute__((noinline)) int FUNCTION(WHICH, Three)(int by) { return step(&counter, -by); }
//--- both.c
#include <mpi.h>
#include <stdio.h>
int firstOne(int), firstTwo(int), secondOne(int), secondThree(int);
int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int one = firstOne(rank + 1);
  MPI_Barrier(MPI_COMM_WORLD);
  int two = firstTwo(rank + 1), three = secondOne(2 * rank + 2);
  MPI_Barrier(MPI_COMM_WORLD);
  printf("%d: %d %d %d\n", rank, one, two, secondThree(rank + 1));
  (void)three;
  MPI_Finalize();
}
