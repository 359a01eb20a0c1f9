// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: the program's copy of a template of the standard library's, visible because the library has one too, is not called
// with memory that unknown code has; another template that is visible may be.
// RUN: clang++ --no-default-config -O1 -g -Xclang -disable-llvm-passes %s -S -emit-llvm -o %t.ll
// RUN: opt -load-pass-plugin %pass_plugin -passes='internalize<preserve-gv=main;preserve-gv=_ZSt3putIiEvPT_S0_;preserve-gv=_ZN4mine3putIiEEvPT_S1_>,function(sroa),gnomon-print-points-to' -disable-output %t.ll | python3 %S/Inputs/check.py %s
extern "C" void unknown(int *);
namespace std {
template <class T> void put(T *to, T value) {
  *to = value; // @library
}
} // namespace std
namespace mine {
template <class T> void put(T *to, T value) {
  *to = value; // @mine
}
} // namespace mine
int main() {
  int shared = 0, first, second;
  unknown(&shared);
  std::put(&first, 1);
  mine::put(&second, 2);
  shared = 3;      // @shared
  int one = first; // @first
  return one + second + shared;
}
// MEET: library first
// APART: library shared
// MEET: mine shared
