// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: the room for a short text in a string ends with the string: what is written there at any place is no field behind it.
// RUN: clang++ --no-default-config -O1 -g %s -S -emit-llvm -o %t.ll
// RUN: opt -load-pass-plugin %pass_plugin -passes='internalize<preserve-gv=main>,gnomon-print-points-to' -disable-output %t.ll | python3 %S/Inputs/check.py %s
#include <string>
struct Part {
  int number;
  std::string name;
  char letters[40];
};
int main(int argc, char **argv) {
  Part *part = new Part{argc, argv[0], {}};
  part->name[argc] = 'x'; // @room
  const std::string copy = part->name;
  part->letters[3] = 'y'; // @field
  part->name.data()[2 * argc] = 'z'; // @again
  return copy.size() + part->letters[3];
}
// MEET: room again
// APART: room field
