// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "process/burst/Formula.h"

#include <deque>
#include <gtest/gtest.h>
#include <limits>
#include <vector>

using namespace gnomon::process::burst;

namespace {

/// A formula of the record's making: code as Burst.h says.
struct Made {
  std::vector<uint8_t> code;
  std::vector<double> coefficients;
  gnomon_formula record{};

  Made(std::vector<uint8_t> bytes, std::vector<double> numbers)
      : code(std::move(bytes)), coefficients(std::move(numbers)) {
    record.code = code.data();
    record.coefficients = coefficients.data();
  }
  Made(const Made &) = delete;
  Made &operator=(const Made &) = delete;

  uint64_t of(int64_t a, int64_t b = 0, int64_t c = 0, int64_t d = 0) {
    return workOf(record, a, b, c, d);
  }
};

/// A number of this kind is made of the first input, and is the work but for \p plus.
Made ofKind(uint8_t kind, double plus) { return {{1, kind, 1, 1, 0, 2, 0, 1, 4}, {1, plus, 1}}; }

constexpr int64_t Most = int64_t{1} << 62;

// Intent: 12 + 5ab - 2c + 3dd, as its terms say.
TEST(FormulaTest, APolynomialIsTheSumOfItsTerms) {
  Made formula({0, 4, 0, 2, 0, 1, 1, 2, 2, 3, 3}, {12, 5, -2, 3});
  EXPECT_EQ(formula.of(7, 11, 13, 17), 12U + 5 * 7 * 11 - 2 * 13 + 3 * 17 * 17);
}

// Intent: the triangular nest of work/Algebra.h, N = positive(a): 3N + 3.5 N N - 3.5 N.
TEST(FormulaTest, NumbersThatAreMadeAreFactors) {
  Made formula({1, GNOMON_NUMBER_POSITIVE, 1, 1, 0, 2, 1, 4, 2, 4, 4}, {1, -0.5, 3.5});
  EXPECT_EQ(formula.of(100), 3U * 100 + 7 * 100 * 99 / 2);
  EXPECT_EQ(formula.of(-100), 1U);
}

// Intent: the work is at least 1 and at most 2^62, whatever comes out.
TEST(FormulaTest, TheWorkHasBounds) {
  Made formula({0, 1, 2, 0, 1}, {1});
  EXPECT_EQ(formula.of(0, 0), 1U);
  EXPECT_EQ(formula.of(-3, 5), 1U);
  EXPECT_EQ(formula.of(Most, Most), uint64_t{1} << 62);
}

// Intent: a quotient goes towards zero, and nothing is divided by less than one.
TEST(FormulaTest, QuotientsAreWholeAndSafe) {
  Made formula({1, GNOMON_NUMBER_QUOTIENT, 1, 1, 0, 1, 1, 1, 2, 0, 1, 4}, {1, 1, 1000, 1});
  EXPECT_EQ(formula.of(7, 2), 1003U);
  EXPECT_EQ(formula.of(-7, 2), 997U);
  EXPECT_EQ(formula.of(7, 0), 1007U);
  EXPECT_EQ(formula.of(7, -5), 1007U);
}

// Intent: powers and logarithms to the base 2, and what they make of numbers that are out of range.
TEST(FormulaTest, PowersAndLogarithmsAreOfTwo) {
  Made power = ofKind(GNOMON_NUMBER_POWER_OF_TWO, 0);
  EXPECT_EQ(power.of(10), 1024U);
  EXPECT_EQ(power.of(500), uint64_t{1} << 62);
  EXPECT_EQ(power.of(-500), 1U);
  Made logarithm = ofKind(GNOMON_NUMBER_LOGARITHM, 100);
  EXPECT_EQ(logarithm.of(1023), 109U);
  EXPECT_EQ(logarithm.of(1024), 110U);
  EXPECT_EQ(logarithm.of(-8), 100U);
}

// Intent: conditions are 1 or 0.
TEST(FormulaTest, ConditionsAreOneOrNothing) {
  Made zero = ofKind(GNOMON_NUMBER_IS_ZERO, 10), positive = ofKind(GNOMON_NUMBER_IS_POSITIVE, 10);
  EXPECT_EQ(zero.of(0), 11U);
  EXPECT_EQ(zero.of(3), 10U);
  EXPECT_EQ(positive.of(3), 11U);
  EXPECT_EQ(positive.of(0), 10U);
  EXPECT_EQ(positive.of(-3), 10U);
}

// Intent: the same numbers are not evaluated again, others are, and nothing has been at first.
TEST(FormulaTest, TheLastWorkIsKept) {
  Made formula({0, 1, 0}, {5});
  EXPECT_EQ(formula.of(0), 5U);
  formula.coefficients[0] = 6;
  EXPECT_EQ(formula.of(0), 5U);
  for (int input = 0; input < 4; ++input) {
    int64_t inputs[4] = {0, 0, 0, 0};
    inputs[input] = std::numeric_limits<int64_t>::min();
    EXPECT_EQ(formula.of(inputs[0], inputs[1], inputs[2], inputs[3]), 6U) << input;
    formula.coefficients[0] = 5;
    EXPECT_EQ(formula.of(0), 5U) << input;
    formula.coefficients[0] = 6;
  }
}

// Intent: of ranks that take turns with a few numbers each is evaluated once, and none is taken for another's. Two may
// share a place, where the later one stays: that depends on the formulas' addresses.
TEST(FormulaTest, WorksOfNumbersInTurnAreRecalled) {
  Made formula({0, 2, 1, 0, 1, 1}, {1, 1000}), other({0, 2, 0, 1, 0}, {7, 1});
  int recalled = 0;
  for (int round = 0; round < 2; ++round) {
    for (int64_t number = 1; number < 9; ++number) {
      const uint64_t work = formula.of(number, 9 - number), its = other.of(number, 9 - number);
      const auto units = static_cast<uint64_t>(number);
      recalled += work == units + 1000 * (9 - units) && round == 1;
      recalled += its == 7 + units && round == 1;
      EXPECT_TRUE(work == units + 1000 * (9 - units) || (round == 1 && work == units)) << number;
      EXPECT_TRUE(its == 7 + units || (round == 1 && its == units)) << number;
    }
    formula.coefficients[1] = other.coefficients[0] = 0; // what is evaluated from now on
  }
  EXPECT_GE(recalled, 10);
}

// Intent: a module's formulas may lie where those of another lay, which is gone.
TEST(FormulaTest, AFormulaThatWasNeverAskedIsNotRecalled) {
  Made formula({0, 2, 0, 1, 0}, {7, 1});
  EXPECT_EQ(formula.of(1), 8U);
  EXPECT_EQ(formula.of(2), 9U);
  formula.coefficients[0] = 70;
  formula.record.work = 0;
  EXPECT_EQ(formula.of(1), 71U);
  EXPECT_EQ(formula.of(2), 72U);
}

// Intent: that a formula is asked for the first time is no reason to forget the works of others. A few may share what
// is kept of them, which depends on their addresses.
TEST(FormulaTest, ANewFormulaLeavesTheWorksOfOthers) {
  std::deque<Made> known, others;
  int recalled = 0;
  for (int i = 0; i < 8; ++i) {
    Made &formula =
        known.emplace_back(std::vector<uint8_t>{0, 2, 0, 1, 0}, std::vector<double>{7, 1});
    EXPECT_EQ(formula.of(1), 8U);
    EXPECT_EQ(formula.of(2), 9U);
    formula.coefficients[0] = 70; // what is evaluated from now on
    others.emplace_back(std::vector<uint8_t>{0, 1, 0}, std::vector<double>{5}).of(3);
    recalled += formula.of(1) == 8 && formula.of(2) == 9;
  }
  EXPECT_GE(recalled, 5);
}

} // namespace
