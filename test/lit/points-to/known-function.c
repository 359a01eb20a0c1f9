// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: functions of libraries in the table touch their arguments only.
// RUN: clang --no-default-config -O1 -g -Xclang -disable-llvm-passes %s -S -emit-llvm -o %t.ll
// RUN: opt -load-pass-plugin %pass_plugin -passes='internalize<preserve-gv=main>,function(sroa),gnomon-print-points-to' -disable-output %t.ll | python3 %S/Inputs/check.py %s
#include <math.h>
#include <stdio.h>
#include <string.h>
int a, b;
char text[20], other[20];
int main(int argc, char **argv) {
  a = argc; // @a
  printf("%d", a);
  sprintf(text, "%d", b); // @print
  other[argc] = 1; // @other
  text[argc] = 1; // @text
  return (int)strlen(text) + (int)sin(argc); // @length
}
// MEET: print text
// APART: print other
// APART: print a
// MEET: length text
