// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Collectives by curves that were fitted to measurements (`--coll-model=FILE`), under any network
/// model. A line for each collective of the file, the others stay as they are:
///
///     NAME GROWTH [latency=T] [bandwidth=B | curve=c0,c1,… [from=BYTES] [to=BYTES]]
///
///     seconds = steps(n) × (T + b / f(b))             steps by GROWTH, as in Growth.h
///     f(b)    = B, or exp(c0 + c1 ln x + c2 (ln x)² + …), bytes/s, x = b between from and to
///
/// for n ranks and b bytes, the largest block that a rank sends to another (of a reduction, the
/// vector). GROWTH is constant, logarithmic or linear. Without bandwidth and curve the size does
/// not count. `#` begins a comment.
///
/// Source: Tikir et al. 2009, section 3.1.1: bandwidths of each collective, measured for increasing
/// sizes, are fitted to a continuous function. Which function the paper does not say: a polynomial
/// of logarithms is ours; it is positive for any coefficients.
///
/// Worked example: `allreduce logarithmic latency=5us curve=16,0.25`, 16 ranks, 1 MB:
///     f = exp(16 + 0.25 × 13.8155) = 281.0 MB/s; 4 × (5 us + 3558.7 us) = 14.2547 ms.
#pragma once

#include "models/NetworkModel.h"
#include "models/collectives/Growth.h"

#include <string>
#include <string_view>
#include <vector>

namespace gnomon::models {

class CurveFile : public CollectiveTimes {
public:
  struct Curve {
    std::string collective;
    Growth growth = Growth::Constant;
    double latencySeconds = 0;
    double bandwidth = 0;             ///< bytes/s; 0: by coefficients, or the size does not count
    std::vector<double> coefficients; ///< of powers of ln bytes, for ln bytes/s
    double fromBytes = 1, toBytes = 1e18;
    int line = 0;

    double bandwidthAt(double bytes) const; ///< f
    double seconds(size_t ranks, uint64_t bytes) const;
  };

  /// \p file is named in errors. Throws InputError with its line.
  static CurveFile parse(std::string_view text, const std::string &file);
  /// Reads the file \p path. Throws InputError.
  static CurveFile read(const std::string &path);

  const std::vector<Curve> &curves() const { return curves_; }
  /// Who knows the collectives that the file does not name; may be null.
  void setOthers(CollectiveTimes *others) { others_ = others; }

  bool times(std::string_view collective) const override;
  double seconds(const CollectiveCall &call) override;

private:
  const Curve *find(std::string_view collective) const;

  std::vector<Curve> curves_;
  CollectiveTimes *others_ = nullptr;
};

} // namespace gnomon::models
