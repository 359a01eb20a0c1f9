// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A C++ library and its program that share templates, inline variables and inline functions with
// state.
#pragma once
#include <string>
#include <vector>

template <class T> struct Registry {
  static std::vector<T> items;
  static int sum;
};
template <class T> std::vector<T> Registry<T>::items{T(1)};
template <class T> int Registry<T>::sum = 5;

inline int &meyers() {
  static int value = 40;
  return value;
}
inline std::string inlineText = "inline variable with a long text, not a short one";

struct Poly {
  static int alive;
  Poly() { ++alive; }
  virtual ~Poly();
  virtual int value();
};
Poly *makePoly();
int libraryAdd(int value);
extern const char *const libraryNames[];
extern int libraryTable[4];
extern int *libraryCursor;
