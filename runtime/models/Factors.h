// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Piece-wise functions of the message size, in SMPI's notation:
///     "threshold:value;threshold:value;…"    factors
///     "threshold:startup:perByte;…"          costs of the protocol
/// or one number for all sizes.
///
/// The thresholds rise or fall; by size, section i holds for sizes in (threshold_i, threshold_{i+1}].
/// A size up to and including the least threshold has the default (1 for factors, 0 for costs).
/// These are the semantics of SimGrid 4.1.1.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace gnomon::models {

class Factors {
public:
  enum class Kind : uint8_t {
    Factor, ///< one value a section
    Cost,   ///< startup and per-byte seconds a section: value = startup + perByte × size
  };

  explicit Factors(Kind kind) : fallback_(kind == Kind::Factor ? 1 : 0) {}

  /// Throws NumberError.
  static Factors parse(std::string_view text, Kind kind);

  double operator()(double size) const {
    const Section *section = nullptr;
    for (const Section &candidate : sections_) {
      if (size <= candidate.threshold)
        break;
      section = &candidate;
    }
    return section ? section->startup + section->perByte * size : fallback_;
  }

  /// Whether there is only the one value, and that is zero.
  bool isZero() const { return sections_.empty() && fallback_ == 0; }
  /// Whether every value is \p least or more.
  bool atLeast(double least) const;

private:
  void sortSections();

  struct Section {
    double threshold;
    double startup;
    double perByte;
  };
  double fallback_;
  std::vector<Section> sections_; ///< by threshold
};

} // namespace gnomon::models
