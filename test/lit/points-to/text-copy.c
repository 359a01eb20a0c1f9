// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a copy of as many bytes as a text has takes no address along that lies behind it.
// RUN: clang --no-default-config -O1 -g -Xclang -disable-llvm-passes %s -S -emit-llvm -o %t.ll
// RUN: opt -load-pass-plugin %pass_plugin -passes='internalize<preserve-gv=main>,function(sroa),gnomon-print-points-to' -disable-output %t.ll | python3 %S/Inputs/check.py %s
#include <string.h>
struct Note {
  char text[16];
  int *target;
};
int a, b;
int main(int argc, char **argv) {
  struct Note from = {"", &a}, text = {"", &b}, whole = {"", &b};
  memcpy(&text, &from, strlen(from.text));
  memcpy(&whole, &from, (unsigned)argc + strlen(from.text));
  *text.target = 1;  // @text
  *whole.target = 2; // @whole
  a++;               // @a
  b = argc;          // @b
  return 0;
}
// MEET: text b
// MEET: whole a
// MEET: whole b
// APART: text a
