// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: class statics, static members of templates, inline variables, local statics with guards,
// virtual functions and exceptions, with one copy of each variable per rank.
#include "rank.h"

#include <map>
#include <stdexcept>
#include <string>
#include <vector>

struct Counter {
  static int count;
  static std::vector<int> seen;
  inline static double sum = 1.5;
};
int Counter::count = 3;
std::vector<int> Counter::seen{1, 2, 3};

template <class T> struct PerType {
  static T value;
  static std::string name;
};
template <class T> T PerType<T>::value = T(4);
template <class T> std::string PerType<T>::name = "initial";

inline int inlineVariable = 9;
template <class T> inline T variableTemplate = T(2);

namespace {
std::map<std::string, int> registry{{"one", 1}};
}

std::string &localStatic(int seed) {
  static std::string text = "rank " + std::to_string(seed);
  return text;
}

thread_local std::string threadText = "thread";

struct Base {
  virtual ~Base() = default;
  virtual int id() const { return 1; }
};
struct Derived : Base {
  int id() const override { return 2; }
};
static Derived derived;
static Base *polymorphic = &derived;

static int thrower(int me) {
  static int thrown = 0;
  try {
    ++thrown;
    if (me % 2)
      throw std::runtime_error("odd");
    throw me;
  } catch (const std::runtime_error &error) {
    return thrown + 100;
  } catch (int value) {
    return thrown + value;
  }
}

int main() {
  CHECKED;
  int me = rank_number();
  CHECK(Counter::count == 3 && Counter::seen.size() == 3 && PerType<int>::value == 4 &&
        PerType<long>::name == "initial");
  rank_switch();
  Counter::count = me;
  Counter::seen.assign(size_t(me + 1), me);
  Counter::sum += me;
  PerType<int>::value = me;
  PerType<double>::value = me + 0.5;
  PerType<long>::name = std::to_string(me) + " is a text too long for the small-string space";
  inlineVariable = me;
  variableTemplate<float> = float(me);
  registry["mine"] = me;
  threadText += std::to_string(me);
  rank_switch();
  CHECK(localStatic(me) == "rank " + std::to_string(me));
  rank_switch();
  CHECK(localStatic(77) == "rank " + std::to_string(me));
  CHECK(Counter::count == me && Counter::seen.size() == size_t(me + 1) && Counter::seen[0] == me &&
        Counter::sum == 1.5 + me);
  CHECK(PerType<int>::value == me && PerType<double>::value == me + 0.5 &&
        PerType<long>::name[0] == '0' + me);
  CHECK(inlineVariable == me && variableTemplate<float> == float(me) && variableTemplate<int> == 2);
  CHECK(registry.size() == 2 && registry["mine"] == me &&
        threadText == "thread" + std::to_string(me));
  CHECK(polymorphic == &derived && polymorphic->id() == 2 && dynamic_cast<Derived *>(polymorphic));
  CHECK(thrower(me) == (me % 2 ? 101 : 1 + me));
  CHECK(thrower(me) == (me % 2 ? 102 : 2 + me));
  return CHECK_RESULT;
}
