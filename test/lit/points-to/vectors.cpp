// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: the elements of two std::vector stay apart, and from the vectors themselves.
// RUN: clang++ --no-default-config -O2 -g %s -S -emit-llvm -o %t.ll
// RUN: opt -load-pass-plugin %pass_plugin -passes='internalize<preserve-gv=main>,function(sroa),gnomon-print-points-to' -disable-output %t.ll | python3 %S/Inputs/check.py %s
#include <vector>
int main(int argc, char **argv) {
  std::vector<double> a(argc), b(argc);
  std::vector<int> index(argc);
  double *dataA = a.data(), *dataB = b.data();
  int *dataIndex = index.data();
  dataA[argc - 1] = argc; // @a
  dataB[argc - 1] = argc; // @b
  dataIndex[argc - 1] = argc; // @index
  int half = argc / 2;
  int rest = dataB[half] > 2 ? dataIndex[half] : 0;
  return dataA[half] > 1 ? rest : 5; // @again
}
// APART: a b
// APART: a index
// MEET: a again
