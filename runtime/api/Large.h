// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The large-count forms MPI_X_c are the plain functions with narrowed arguments: a count that does
/// not fit an int raises an error that says so, instead of being cut.
#pragma once

#include "api/Entry.h"
#include "api/Peers.h"

#include <cstdint>
#include <limits>
#include <vector>

namespace gnomon::api {

class Narrowing {
public:
  template <class Small> Small value(const char *name, int64_t large) {
    if (large < std::numeric_limits<Small>::min() || large > std::numeric_limits<Small>::max()) {
      if (!misfit_) {
        misfit_ = name;
        value_ = large;
      }
      return 0;
    }
    return static_cast<Small>(large);
  }
  template <class Small, class Large>
  std::vector<Small> array(const char *name, const Large *large, int length) {
    std::vector<Small> small(static_cast<size_t>(large ? length : 0));
    for (size_t i = 0; i < small.size(); ++i)
      small[i] = value<Small>(name, large[i]);
    return small;
  }

  bool failed() const { return misfit_ != nullptr; }
  int finish(const char *function, const void *site) const {
    Entry entry(function, site, Entry::When::Anytime);
    entry.tooLarge(misfit_, value_);
    return entry.finish(nullptr);
  }

private:
  const char *misfit_ = nullptr;
  int64_t value_ = 0;
};

} // namespace gnomon::api
