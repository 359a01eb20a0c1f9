// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: thread-local variables are variables.
// RUN: clang --no-default-config -O1 -g -Xclang -disable-llvm-passes %s -S -emit-llvm -o %t.ll
// RUN: opt -load-pass-plugin %pass_plugin -passes='internalize<preserve-gv=main>,function(sroa),gnomon-print-points-to' -disable-output %t.ll | python3 %S/Inputs/check.py %s
static _Thread_local struct {
  int first, second;
} local;
int main(int argc, char **argv) {
  local.first = argc; // @first
  local.second = 1; // @second
  return local.first; // @read
}
// APART: first second
// MEET: first read
