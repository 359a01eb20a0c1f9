// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// How the time of a collective grows with the number n of its ranks, as trace simulators describe
/// it:
///     steps(n) = 1 (constant), ceil(log2 n) (logarithmic), n - 1 (linear)
/// Sources: Girona et al. 2000 (Dimemas); Tikir et al. 2009, section 3.1 (PSINS).
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

namespace gnomon::models {

enum class Growth : uint8_t { Constant, Logarithmic, Linear };

inline double steps(Growth growth, size_t ranks) {
  switch (growth) {
  case Growth::Constant:
    return 1;
  case Growth::Logarithmic:
    return ranks < 2 ? 0 : static_cast<double>(std::bit_width(ranks - 1));
  case Growth::Linear:
    return ranks < 2 ? 0 : static_cast<double>(ranks - 1);
  }
  return 0;
}

} // namespace gnomon::models
