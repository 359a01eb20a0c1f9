// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: runtime, clang-plugin
// Intent: a program whose debug information describes no variable is spared LLVM's newer tracker of variables.
// With -g it is kept, and so is what the user asks for. The program is the same to the byte.
// DEFINE: %{stop} = -Wl,--lto-emit-asm -Wl,-mllvm,-stop-after=finalize-isel
// RUN: mkdir -p %t && cd %t
// RUN: %gnomon cc -O2 %s -o lines %{stop}
// RUN: FileCheck --check-prefix=OLD %s < lines.lto.s
// RUN: %gnomon cc -O2 -g %s -o variables %{stop}
// RUN: FileCheck --check-prefix=NEW %s < variables.lto.s
// RUN: %gnomon cc -O2 %s -o asked %{stop} -Wl,-mllvm,-experimental-debug-variable-locations=true
// RUN: FileCheck --check-prefix=NEW %s < asked.lto.s
// RUN: %gnomon cc -O2 -c %s -o program.o
// RUN: %gnomon cc program.o -o program
// RUN: cp program old
// RUN: %gnomon cc program.o -o program -Wl,-mllvm,-experimental-debug-variable-locations=true
// RUN: cmp program old
// OLD-NOT: debugInstrRef: true
// OLD: debugInstrRef: false
// OLD-NOT: debugInstrRef: true
// NEW: debugInstrRef: true
#include <mpi.h>
#include <stdio.h>

__attribute__((noinline)) static int twice(int number) {
  int result = number * 2;
  printf("%d\n", result);
  return result + number;
}

int main(int count, char **arguments) {
  MPI_Init(&count, &arguments);
  int result = twice(count);
  MPI_Finalize();
  return result != 3;
}
