// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: unknown code may call a function that it was given, with what it can reach.
// RUN: clang --no-default-config -O1 -g -Xclang -disable-llvm-passes %s -S -emit-llvm -o %t.ll
// RUN: opt -load-pass-plugin %pass_plugin -passes='internalize<preserve-gv=main>,function(sroa),gnomon-print-points-to' -disable-output %t.ll | python3 %S/Inputs/check.py %s
void unknown(void (*)(int *), int *);
int given, kept;
static void callback(int *where) {
  *where = 1; // @callback
}
int main(int argc, char **argv) {
  unknown(callback, &given);
  given++; // @given
  kept = argc; // @kept
  return 0;
}
// MEET: callback given
// APART: callback kept
