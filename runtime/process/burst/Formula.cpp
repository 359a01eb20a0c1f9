// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "process/burst/Formula.h"

#include <array>
#include <bit>

namespace gnomon::process::burst {
namespace {

constexpr double Greatest = 0x1p62;
constexpr int MantissaBits = 52, ExponentBias = 1023;

/// What is no number is the least.
double within(double value, double least, double most) {
  value = value > least ? value : least;
  return value < most ? value : most;
}

class Evaluation {
public:
  Evaluation(const gnomon_formula &formula, std::array<int64_t, GNOMON_FORMULA_INPUTS> inputs)
      : code_(formula.code), coefficient_(formula.coefficients) {
    for (const int64_t input : inputs)
      numbers_[made_++] = static_cast<double>(input);
  }

  uint64_t work() {
    for (int left = *code_++; left > 0; --left) {
      const int kind = *code_++;
      const double value = number(kind);
      numbers_[made_++] = value;
    }
    return static_cast<uint64_t>(within(polynomial(), 1, Greatest));
  }

private:
  double polynomial() {
    double sum = 0;
    for (int terms = *code_++; terms > 0; --terms) {
      double product = 1;
      for (int factors = *code_++; factors > 0; --factors)
        product *= numbers_[*code_++];
      sum += product * *coefficient_++;
    }
    return sum;
  }

  double number(int kind) {
    const double value = polynomial();
    switch (kind) {
    case GNOMON_NUMBER_POSITIVE:
      return value > 0 ? value : 0;
    case GNOMON_NUMBER_QUOTIENT: {
      const double by = polynomial();
      const double ratio = value / (by > 1 ? by : 1);
      return static_cast<double>(static_cast<int64_t>(within(ratio, -Greatest, Greatest)));
    }
    case GNOMON_NUMBER_POWER_OF_TWO: {
      const auto exponent = static_cast<int64_t>(within(value, -62, 62));
      return std::bit_cast<double>((exponent + ExponentBias) << MantissaBits);
    }
    case GNOMON_NUMBER_LOGARITHM: {
      const auto bits = std::bit_cast<int64_t>(within(value, 1, Greatest));
      return static_cast<double>((bits >> MantissaBits) - ExponentBias);
    }
    case GNOMON_NUMBER_IS_ZERO:
      return value == 0;
    case GNOMON_NUMBER_IS_POSITIVE:
      return value > 0;
    default:
      return 0;
    }
  }

  const uint8_t *code_;
  const double *coefficient_;
  std::array<double, GNOMON_FORMULA_NUMBERS> numbers_; ///< the first `made_` are known
  size_t made_ = 0;
};

/// A table of works, direct mapped: what comes later takes the place of what is there.
class Recalled {
public:
  uint64_t of(const gnomon_formula &formula, int64_t a, int64_t b, int64_t c, int64_t d) {
    // A formula that was never asked for may lie where one of a module lay that is gone.
    if (formula.work == 0)
      places_.fill({});
    Place &place = places_[placeOf(formula, a, b, c, d)];
    if (place.formula != &formula || place.a != a || place.b != b || place.c != c || place.d != d)
      place = {&formula, a, b, c, d, evaluate(formula, a, b, c, d)};
    return place.work;
  }

private:
  struct Place {
    const gnomon_formula *formula = nullptr;
    int64_t a = 0, b = 0, c = 0, d = 0;
    uint64_t work = 0;
  };
  static constexpr size_t Bits = 10;

  static size_t placeOf(const gnomon_formula &formula, int64_t a, int64_t b, int64_t c, int64_t d) {
    constexpr uint64_t Odd = 0x9e3779b97f4a7c15; // 2^64 / the golden ratio
    uint64_t hash = reinterpret_cast<uintptr_t>(&formula);
    for (const int64_t number : {a, b, c, d})
      hash = std::rotl(hash * Odd, 29) ^ static_cast<uint64_t>(number);
    return hash * Odd >> (64 - Bits);
  }

  std::array<Place, size_t{1} << Bits> places_{};
};

constinit Recalled recalled;

} // namespace

uint64_t recall(const gnomon_formula &formula, int64_t a, int64_t b, int64_t c, int64_t d) {
  return recalled.of(formula, a, b, c, d);
}

uint64_t evaluate(const gnomon_formula &formula, int64_t a, int64_t b, int64_t c, int64_t d) {
  return Evaluation(formula, {a, b, c, d}).work();
}

} // namespace gnomon::process::burst
