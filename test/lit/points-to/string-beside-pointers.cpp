// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: the characters of a string lie in itself, or in what `operator new` made, and not in an array whose address may
// have been stored over its own.
// RUN: clang++ --no-default-config -O1 -g -Xclang -disable-llvm-passes %s -S -emit-llvm -o %t.ll
// RUN: opt -load-pass-plugin %pass_plugin -passes='internalize<preserve-gv=main>,function(sroa),gnomon-print-points-to' -disable-output %t.ll | python3 %S/Inputs/check.py %s
#include <cstdlib>
#include <string>
struct Model {
  double *fields[6];
  std::string path;
};
int main(int argc, char **argv) {
  Model &model = *new Model;
  model.path = argc > 3 ? "a text that is longer than the room in a string" : "short";
  void **place = reinterpret_cast<void **>(&model);
  double *field = new double[10];
  place[argc] = field;
  double *other = static_cast<double *>(std::malloc(80));
  place[argc + 1] = other;
  field[argc] = 1;                 // @field
  other[argc] = 2;                 // @other
  const char *text = model.path.c_str();
  return text[argc] + // @text
         static_cast<char *>(place[argc])[1]; // @any
}
// APART: field text
// APART: other text
// MEET: field any
