// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "project.h"
#include <string>

namespace space {
int inNamespace;
static unsigned char bytes[16];
namespace {
int unnamed;
}
} // namespace space

struct Counter {
  mutable int reads = 0;
  static int instances;
  static const int limit = 7;
  static constexpr double rate = 1.5;
  inline static long total;
};
int Counter::instances;

int compute();
const int dynamic = compute();
const int folded = 3 * 14;
const Counter withMutable{};
constexpr Counter *none = nullptr;
static const std::string text = "needs a constructor";
constinit int atCompileTime = 5;
int &reference = space::inNamespace;
const int &toConstant = folded;
thread_local std::string perThreadText;

template <class T> struct Pool {
  static T first;
  static T unused;
};
template <class T> T Pool<T>::first;
template <class T> T Pool<T>::unused;
template <class T> T variableTemplate = T(1);

template <class T> T &local() {
  static T value;
  return value;
}

inline int &shared() {
  static int once;
  return once;
}

int use() {
  auto lambda = [](auto x) {
    static decltype(x) inLambda;
    return ++inLambda;
  };
  return Pool<int>::first + (int)Pool<double>::first + variableTemplate<int> + local<int>() + (int)local<float>() +
         lambda(1) + shared();
}
