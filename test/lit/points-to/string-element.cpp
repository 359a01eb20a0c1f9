// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: what std::string's members return is any place in the string: the element that a pointer to
// the first one leads to is the one that operator[] has found.
// RUN: clang++ --no-default-config -O0 -g -Xclang -disable-O0-optnone %s -S -emit-llvm -o %t.ll
// RUN: opt -load-pass-plugin %pass_plugin -passes='internalize<preserve-gv=main>,function(sroa),gnomon-print-points-to' -disable-output %t.ll | python3 %S/Inputs/check.py %s
#include <string>
int main(int argc, char **argv) {
  std::string text;
  text.resize(20);
  char &element = text[5];
  char *first = &text.front();
  element = 'x'; // @element
  first[5] = 'y'; // @fromFirst
  return text.length() == 20;
}
// MEET: element fromFirst
