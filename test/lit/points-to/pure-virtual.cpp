// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a virtual call reaches the functions that there are, and not what stands for the one that there is not.
// RUN: clang++ --no-default-config -O1 -g -Xclang -disable-llvm-passes %s -S -emit-llvm -o %t.ll
// RUN: opt -load-pass-plugin %pass_plugin -passes='internalize<preserve-gv=main>,function(sroa),gnomon-print-points-to' -disable-output %t.ll | FileCheck %s
struct Shape {
  Shape();
  virtual void grow() = 0;
};
Shape::Shape() {}
struct Square : Shape {
  int side = 0;
  void grow() override { side++; }
};
int main() {
  Shape *shape = new Square;
  shape->grow();
  return static_cast<Square *>(shape)->side;
}
// CHECK-LABEL: function main
// CHECK: calls _ZN6Square4growEv{{$}}
