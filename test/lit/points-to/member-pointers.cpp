// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a call through a pointer to a member function returns a reference into the object.
// RUN: clang++ --no-default-config -O1 -g -Xclang -disable-llvm-passes %s -S -emit-llvm -o %t.ll
// RUN: opt -load-pass-plugin %pass_plugin -passes='internalize<preserve-gv=main>,function(sroa),gnomon-print-points-to' -disable-output %t.ll | python3 %S/Inputs/check.py %s
#include <vector>
struct Domain {
  std::vector<double> x_, y_;
  std::vector<int> index_;
  double &x(int i) { return x_[i]; }
  double &y(int i) { return y_[i]; }
};
int main(int argc, char **argv) {
  Domain domain;
  domain.x_.resize(argc);
  domain.y_.resize(argc);
  domain.index_.resize(argc);
  double &(Domain::*member)(int) = argc > 2 ? &Domain::x : &Domain::y;
  (domain.*member)(0) = 1; // @member
  int *index = domain.index_.data();
  index[0] = 1; // @index
  return domain.x_.data()[0] > // @x
         domain.y_.data()[0]; // @y
}
// MEET: member x
// MEET: member y
// APART: member index
