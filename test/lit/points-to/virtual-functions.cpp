// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a virtual call reaches the overrider, with its object.
// RUN: clang++ --no-default-config -O1 -g -Xclang -disable-llvm-passes %s -S -emit-llvm -o %t.ll
// RUN: opt -load-pass-plugin %pass_plugin -passes='internalize<preserve-gv=main>,function(sroa),gnomon-print-points-to' -disable-output %t.ll | python3 %S/Inputs/check.py %s
struct Shape {
  virtual ~Shape() = default;
  virtual void grow() = 0;
};
int count, other;
struct Square : Shape {
  int side = 0;
  void grow() override {
    side++; // @side
    count = 1; // @count
  }
};
int main(int argc, char **argv) {
  Shape *shape = new Square;
  shape->grow();
  other = argc; // @other
  return count + // @readCount
         static_cast<Square *>(shape)->side; // @readSide
}
// MEET: count readCount
// MEET: side readSide
// APART: count other
