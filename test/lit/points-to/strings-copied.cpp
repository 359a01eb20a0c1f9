// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: texts that are copied from many strings to many lie in these, not all around them in the same structures.
// RUN: clang++ --no-default-config -O1 -g %s -S -emit-llvm -o %t.ll
// RUN: opt -load-pass-plugin %pass_plugin -passes='internalize<preserve-gv=main>,gnomon-print-points-to' -disable-output %t.ll | python3 %S/Inputs/check.py %s
#include <cstring>
#include <string>
struct Part {
  std::string name;
  int *target;
};
int a, b;
int main(int argc, char **argv) {
  Part *first = new Part{"", &a};
  Part *all[] = {first,
                 new Part{"", &b}, new Part{"", &b}, new Part{"", &b}, new Part{"", &b}, new Part{"", &b},
                 new Part{"", &b}, new Part{"", &b}, new Part{"", &b}, new Part{"", &b}, new Part{"", &b}};
  for (int i = 1; i < argc; ++i)
    std::memcpy(all[i]->name.data(), all[argc - i]->name.data(), argc);
  *first->target = 1;     // @first
  a++;                    // @a
  b = argc;               // @b
  *all[argc]->target = 2; // @any
  return 0;
}
// MEET: first a
// MEET: any b
// APART: first b
