// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "trace/Prediction.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace gnomon::trace {
namespace {

constexpr unsigned TagBits = 2;
enum : uint64_t { Whole = 0, Billionths = 1, Raw = 2 };
constexpr double Exact = 0x1p53; ///< whole numbers below it are doubles
constexpr double Billion = 1e9;

struct Form {
  uint64_t tag = Raw;
  int64_t number = 0;
};

double realOf(const Form &form) {
  const auto number = static_cast<double>(form.number);
  return form.tag == Whole ? number : number / Billion;
}

Form formOf(int64_t bits) {
  const auto real = std::bit_cast<double>(bits);
  if (!(std::abs(real) < Exact))
    return {};
  const Form whole{.tag = Whole, .number = static_cast<int64_t>(real)};
  if (std::bit_cast<int64_t>(realOf(whole)) == bits)
    return whole;
  const double scaled = real * Billion;
  if (!(std::abs(scaled) < Exact))
    return {};
  const Form billionths{.tag = Billionths, .number = std::llrint(scaled)};
  return std::bit_cast<int64_t>(realOf(billionths)) == bits ? billionths : Form{};
}

/// What numbers of the form \p tag are differences to.
int64_t baseOf(uint64_t tag, int64_t expected) {
  const Form form = formOf(expected);
  return form.tag == tag ? form.number : 0;
}

} // namespace

void Contexts::clear() {
  std::ranges::fill(slots_, Slot{});
  lastOf_.clear();
  used_ = 0;
  last_ = beforeLast_ = 0;
}

void Contexts::grow() {
  std::vector<Slot> old(slots_.size() * 2);
  old.swap(slots_);
  for (const Slot &moved : old)
    if (moved.key != 0)
      slot(moved.key) = moved;
}

void putReal(FlatBytes &out, int64_t bits, int64_t expected) {
  const Form form = formOf(bits);
  if (form.tag == Raw) {
    out.putVarint(Raw);
    out.putFixed(static_cast<uint64_t>(bits));
    return;
  }
  const int64_t difference = wrappedDifference(form.number, baseOf(form.tag, expected));
  out.putVarint(zigzag(difference) << TagBits | form.tag);
}

int64_t getReal(Bytes &in, int64_t expected) {
  const uint64_t coded = in.varint();
  const uint64_t tag = coded & ((1u << TagBits) - 1);
  if (tag == Whole || tag == Billionths) {
    const int64_t number = wrappedSum(unzigzag(coded >> TagBits), baseOf(tag, expected));
    return std::bit_cast<int64_t>(realOf({.tag = tag, .number = number}));
  }
  if (coded != Raw)
    throw Damage("a real number has an unknown form");
  return static_cast<int64_t>(in.fixed<uint64_t>());
}

} // namespace gnomon::trace
