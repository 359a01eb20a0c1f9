// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: statics of lambdas, templates, inline functions and class templates, constinit,
// references to temporaries, thrown addresses of statics, member pointers, std::function, virtual
// objects and init_priority are each rank's own.
#include "../cases/rank.h"

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <map>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <vector>

constinit int constInit = 5;
constinit thread_local int constInitThread = 6;
inline int inlineVariable = 7;
int &&extended = 8;
const std::initializer_list<int> list = {1, 2, 3};
struct Base {
  virtual ~Base() = default;
  virtual int id() const { return 1; }
  int payload = 0;
};
struct Derived : Base {
  int id() const override { return 2; }
};
Derived derivedObject;
Base *basePointer = &derivedObject;
Base &baseReference = derivedObject;
int Base::*memberPointer = &Base::payload;
int (Base::*virtualPointer)() const = &Base::id;
std::function<int(int)> stored = [](int x) { return x + 1; };
std::unique_ptr<int> owned = std::make_unique<int>(3);
std::string early __attribute__((init_priority(200))) = "early";
std::string late __attribute__((init_priority(300))) = early + " late";
std::once_flag once;
int onceCount;
struct Logs {
  std::vector<std::string> lines{"made"};
  ~Logs() { lines.clear(); }
};
template <class T> Logs &logs() {
  static Logs one;
  return one;
}
template <class T, int N> struct Table {
  static inline T values[N] = {};
  static inline std::map<int, T> byNumber{{N, T(N)}};
};
auto counter = [](auto step) {
  static decltype(step) total = 100;
  return total += step;
};
thread_local std::string threadText = "thread";
struct Failing {
  explicit Failing(int n) {
    if (n % 2)
      throw std::runtime_error("odd");
  }
};
int attempts;
int tries(int n) {
  try {
    ++attempts;
    static Failing failing(n);
    return 1;
  } catch (const std::exception &) {
    return -1;
  }
}
struct Error {
  int code = 1;
} staticError;
[[gnu::noinline]] void throwAddress() { throw &staticError; }
int constructed;
__attribute__((constructor)) void construct() { ++constructed; }
struct alignas(128) Aligned {
  int value = 9;
} aligned;
std::vector<std::function<int()>> &registry() {
  static std::vector<std::function<int()>> all;
  return all;
}
struct Registrar {
  explicit Registrar(int n) {
    registry().push_back([n] { return n; });
  }
} registrar1(10), registrar2(20);

int main() {
  CHECKED;
  int me = rank_number();
  constInit += me, constInitThread += me, inlineVariable += me, extended += me, aligned.value += me;
  derivedObject.payload = me;
  stored = [me](int x) { return x + me; };
  *owned += me;
  early += std::to_string(me);
  std::call_once(once, [] { ++onceCount; });
  logs<int>().lines.push_back(std::to_string(me));
  Table<int, 4>::values[2] = me;
  Table<double, 3>::byNumber[me + 10] = me;
  counter(me);
  counter(0.5);
  threadText += std::to_string(me);
  staticError.code = 40 + me;
  int first = tries(me);
  rank_switch();
  CHECK(constInit == 5 + me && constInitThread == 6 + me && inlineVariable == 7 + me &&
        extended == 8 + me);
  CHECK(aligned.value == 9 + me && reinterpret_cast<std::uintptr_t>(&aligned) % 128 == 0);
  CHECK(list.size() == 3 && list.begin()[2] == 3);
  CHECK(basePointer == &derivedObject && basePointer->payload == me && baseReference.id() == 2);
  CHECK(derivedObject.*memberPointer == me && (basePointer->*virtualPointer)() == 2);
  CHECK(stored(5) == 5 + me && *owned == 3 + me);
  CHECK(early == "early" + std::to_string(me) && late == "early late");
  std::call_once(once, [] { ++onceCount; });
  CHECK(onceCount == 1);
  CHECK(logs<int>().lines.size() == 2 && logs<int>().lines[1] == std::to_string(me) &&
        logs<long>().lines.size() == 1);
  CHECK((Table<int, 4>::values[2] == me && Table<double, 3>::byNumber.size() == 2 &&
         Table<double, 3>::byNumber[me + 10] == me));
  CHECK(counter(1) == 101 + me && counter(0.5) == 101.0);
  CHECK(threadText == "thread" + std::to_string(me));
  CHECK(first == (me % 2 ? -1 : 1) && tries(0) == 1 && attempts == 2);
  CHECK(constructed == 1);
  try {
    throwAddress();
  } catch (Error *error) {
    rank_switch();
    CHECK(error == &staticError && error->code == 40 + me);
  }
  CHECK(registry().size() == 2 && registry()[0]() == 10 && registry()[1]() == 20);
  return CHECK_RESULT;
}
