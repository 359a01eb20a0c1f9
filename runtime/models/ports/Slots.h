// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Objects that come and go, by number: what is given back is used again first. References are
/// valid until the next take().
#pragma once

#include <cstdint>
#include <vector>

namespace gnomon::models {

template <class T> class Slots {
public:
  uint32_t take(const T &value) {
    if (free_.empty()) {
      all_.push_back(value);
      return static_cast<uint32_t>(all_.size() - 1);
    }
    const uint32_t index = free_.back();
    free_.pop_back();
    all_[index] = value;
    return index;
  }
  void give(uint32_t index) { free_.push_back(index); }
  T &operator[](uint64_t index) { return all_[index]; }

private:
  std::vector<T> all_;
  std::vector<uint32_t> free_;
};

} // namespace gnomon::models
