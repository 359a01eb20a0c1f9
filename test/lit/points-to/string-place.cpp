// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a number that a function of the library gives, the place of a character in a text, is no address in that text.
// RUN: clang++ --no-default-config -O1 -g -Xclang -disable-llvm-passes %s -S -emit-llvm -o %t.ll
// RUN: opt -load-pass-plugin %pass_plugin -passes='internalize<preserve-gv=main>,function(sroa),gnomon-print-points-to' -disable-output %t.ll | python3 %S/Inputs/check.py %s
#include <string>
struct Named {
  std::string name;
  long value;
};
int main(int argc, char **argv) {
  Named named{argv[0], argc};
  char *place = reinterpret_cast<char *>(named.name.find('/'));
  *place = 1;         // @place
  named.value = argc; // @value
  return int(named.value);
}
// APART: place value
