// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: pass
// Intent: calls of a function that always run in more than 32 places have no hooks, and a remark says so; but those that the user names
// have, and so have the calls of a function that has few.
// RUN: clang --no-default-config -O1 -g -I%gnomon_prefix/include/gnomon -Xclang -disable-llvm-passes %s -S -emit-llvm -o %t.ll
// RUN: printf 'main:29 name=named\n' > %t.bursts
// RUN: env GNOMON_BURSTS=%t.bursts opt -load-pass-plugin %pass_plugin -passes='internalize<preserve-gv=main>,gnomon-bursts' -pass-remarks-missed=gnomon -pass-remarks-analysis=gnomon -S %t.ll -o %t.out.ll 2> %t.remarks
// RUN: FileCheck %s < %t.out.ll
// RUN: FileCheck %s --check-prefix=REMARK < %t.remarks
// RUN: grep -c "this call always runs, because a volatile" %t.remarks | FileCheck %s --check-prefix=COUNT
// CHECK-COUNT-3: call i32 @gnomon_burst_begin(
// CHECK-NOT: call i32 @gnomon_burst_begin(
// REMARK: common-calls.c:30:{{[0-9]+}}: 33 calls of 'tell' always run, this one among them: they are not measured one by one, and their time is that of the code around them
// REMARK-NOT: not measured one by one
// COUNT: 36
#include <mpi.h>
volatile int seen;
__attribute__((noinline)) void tell(int number) {
  for (int i = 0; i < number; i++)
    seen += i;
}
__attribute__((noinline)) void rarely(int number) {
  for (int i = 0; i < number; i++)
    seen -= i;
}
int count(int number) { return number > 0 ? (tell(number), rarely(number), count(number - 1)) : 0; }
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  tell(argc);
  tell(1), tell(2), tell(3), tell(4), tell(5), tell(6), tell(7), tell(8), tell(9), tell(10), tell(11);
  tell(1), tell(2), tell(3), tell(4), tell(5), tell(6), tell(7), tell(8), tell(9), tell(10), tell(11);
  tell(1), tell(2), tell(3), tell(4), tell(5), tell(6), tell(7), tell(8), tell(9), tell(10), tell(11);
  rarely(argc), count(argc);
  return MPI_Finalize();
}
