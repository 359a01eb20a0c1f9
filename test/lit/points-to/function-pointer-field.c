// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: pointers to functions in two fields of a structure are called apart.
// RUN: clang --no-default-config -O1 -g -Xclang -disable-llvm-passes %s -S -emit-llvm -o %t.ll
// RUN: opt -load-pass-plugin %pass_plugin -passes='internalize<preserve-gv=main>,function(sroa),gnomon-print-points-to' -disable-output %t.ll | python3 %S/Inputs/check.py %s
int a, b;
static void left(void) {
  a = 1; // @left
}
static void right(int *where) {
  *where = 1; // @right
}
struct Operations {
  void (*first)(void);
  void (*second)(int *);
};
static struct Operations operations = {left, right};
int main(int argc, char **argv) {
  operations.first();
  operations.second(&b);
  if (argc > 5)
    operations.second = right;
  return b; // @b
}
// MEET: right b
// APART: left b
