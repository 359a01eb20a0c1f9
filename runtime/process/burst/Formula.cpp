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

} // namespace

uint64_t evaluate(const gnomon_formula &formula, int64_t a, int64_t b, int64_t c, int64_t d) {
  return Evaluation(formula, {a, b, c, d}).work();
}

uint64_t workOf(gnomon_formula &formula, int64_t a, int64_t b, int64_t c, int64_t d) {
  if (const auto work = knownWork(formula, a, b, c, d))
    return *work;
  // It was never asked for, and may lie where one of a module lay that is gone.
  if (formula.work == 0)
    recalledWorks.forget(formula);
  formula.a = static_cast<uint64_t>(a);
  formula.b = static_cast<uint64_t>(b);
  formula.c = static_cast<uint64_t>(c);
  formula.d = static_cast<uint64_t>(d);
  formula.work = evaluate(formula, a, b, c, d);
  recalledWorks.add(formula);
  return formula.work;
}

} // namespace gnomon::process::burst
