// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: what is no plain decimal number is refused, and units mean what SimGrid's platform files
// mean by them.
#include "support/Number.h"

#include <gtest/gtest.h>

#include <clocale>

using namespace gnomon;

TEST(Number, RefusesWhatIsNoPlainDecimal) {
  for (const char *text : {"", "nan", "NaN", "inf", "-1", "+1", "-0", "0x10", "1e400", "1,5", " 1",
                           "1 ", "abc", "1..2", "--", "e5", "infinity", "1e", "1e-"})
    EXPECT_THROW(parseNumber(text), NumberError) << text;
}

TEST(Number, ReadsDecimals) {
  EXPECT_EQ(parseNumber("0"), 0);
  EXPECT_EQ(parseNumber("1.25e9"), 1.25e9);
  EXPECT_EQ(parseNumber(".5"), .5);
  EXPECT_EQ(parseNumber("1E-4"), 1e-4);
}

TEST(Number, DoesNotDependOnTheLocale) {
  std::string old = setlocale(LC_ALL, nullptr);
  setlocale(LC_ALL, "de_DE.UTF-8");
  EXPECT_EQ(parseNumber("1.5"), 1.5);
  setlocale(LC_ALL, old.c_str());
}

TEST(Number, Integers) {
  EXPECT_EQ(parseInteger("42"), 42u);
  for (const char *text : {"", "-1", "+1", "1.0", "1e3", "99999999999999999999", "4x", " 4"})
    EXPECT_THROW(parseInteger(text), NumberError) << text;
}

TEST(Number, UnitsOfSimGrid) {
  struct Case {
    const char *text;
    Unit unit;
    double value;
  };
  const Case cases[] = {
      {"125MBps", Unit::BytesPerSecond, 125e6},
      {"10Gbps", Unit::BytesPerSecond, 1.25e9},
      {"1KiBps", Unit::BytesPerSecond, 1024},
      {"1.25E9Bps", Unit::BytesPerSecond, 1.25e9},
      {"8Mibps", Unit::BytesPerSecond, 1048576},
      {"24us", Unit::Seconds, 24e-6},
      {"2m", Unit::Seconds, 120},
      {"1.0E-4s", Unit::Seconds, 1e-4},
      {"286.087kf", Unit::FlopsPerSecond, 286087},
      {"1Gf", Unit::FlopsPerSecond, 1e9},
      {"2gigaflops", Unit::FlopsPerSecond, 2e9},
      {"8MiB", Unit::Bytes, 8388608},
      {"64kB", Unit::Bytes, 64000},
      {"1w", Unit::Seconds, 604800},
  };
  for (const Case &c : cases) {
    Quantity quantity = parseQuantity(c.text, c.unit);
    EXPECT_DOUBLE_EQ(quantity.value, c.value) << c.text;
    EXPECT_TRUE(quantity.hadUnit) << c.text;
  }
}

TEST(Number, MissingUnitIsNoticedButZeroNeedsNone) {
  EXPECT_FALSE(parseQuantity("125", Unit::BytesPerSecond).hadUnit);
  EXPECT_TRUE(parseQuantity("0", Unit::Seconds).hadUnit);
}

TEST(Number, UnknownUnitsAreRefused) {
  EXPECT_THROW(parseQuantity("1KBps", Unit::BytesPerSecond), NumberError);
  EXPECT_THROW(parseQuantity("1s", Unit::BytesPerSecond), NumberError);
  EXPECT_THROW(parseQuantity("1GBps", Unit::Seconds), NumberError);
  EXPECT_THROW(parseQuantity("-5us", Unit::Seconds), NumberError);
  EXPECT_THROW(parseQuantity("nanus", Unit::Seconds), NumberError);
}

TEST(Number, FormatsShortest) {
  EXPECT_EQ(formatNumber(0.1), "0.1");
  EXPECT_EQ(formatNumber(1.25e9), "1.25e+09");
}
