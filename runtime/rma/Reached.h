// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Which of the operations numbered 0, 1, 2… have reached some state. They do so in any order; who
/// waits wants to know of all below a number, whatever further threads have issued meanwhile.
/// Constant cost in order, logarithmic in the number that are ahead of a gap out of order.
#pragma once

#include <cstdint>
#include <set>

namespace gnomon::rma {

class Reached {
public:
  /// Operation \p number has; each does once.
  void add(uint64_t number) {
    if (number != below_) {
      ahead_.insert(number);
      return;
    }
    ++below_;
    while (!ahead_.empty() && *ahead_.begin() == below_) {
      ahead_.erase(ahead_.begin());
      ++below_;
    }
  }
  /// All with smaller numbers have, and this one has not.
  uint64_t below() const { return below_; }

private:
  uint64_t below_ = 0;
  std::set<uint64_t> ahead_;
};

} // namespace gnomon::rma
