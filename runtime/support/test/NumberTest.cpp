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

TEST(Number, EveryPrefixOfSimGrid) {
  double decimal = 1, binary = 1;
  const char *letters[] = {"", "k", "M", "G", "T", "P", "E", "Z", "Y"};
  const char *names[] = {"",     "kilo", "mega", "giga", "tera",
                         "peta", "exa",  "zeta", "yotta"}; // "zeta" as SimGrid spells it
  for (int i = 0; i < 9; ++i, decimal *= 1000, binary *= 1024) {
    auto value = [](const std::string &unit, Unit kind) {
      return parseQuantity("3" + unit, kind).value;
    };
    const std::string si = letters[i];
    const std::string iec = i == 0 ? "" : i == 1 ? "Ki" : si + "i";
    EXPECT_DOUBLE_EQ(value(si + "Bps", Unit::BytesPerSecond), 3 * decimal) << si;
    EXPECT_DOUBLE_EQ(value(si + "bps", Unit::BytesPerSecond), 3 * decimal / 8) << si;
    EXPECT_DOUBLE_EQ(value(iec + "Bps", Unit::BytesPerSecond), 3 * binary) << iec;
    EXPECT_DOUBLE_EQ(value(iec + "bps", Unit::BytesPerSecond), 3 * binary / 8) << iec;
    EXPECT_DOUBLE_EQ(value(si + "B", Unit::Bytes), 3 * decimal) << si;
    EXPECT_DOUBLE_EQ(value(iec + "b", Unit::Bytes), 3 * binary / 8) << iec;
    EXPECT_DOUBLE_EQ(value(si + "f", Unit::FlopsPerSecond), 3 * decimal) << si;
    EXPECT_DOUBLE_EQ(value(names[i] + std::string("flops"), Unit::FlopsPerSecond), 3 * decimal);
  }
  EXPECT_DOUBLE_EQ(parseQuantity("3zettaflops", Unit::FlopsPerSecond).value, 3e21);
}

TEST(Number, EveryTimeOfSimGrid) {
  const std::pair<const char *, double> units[] = {
      {"ps", 1e-12}, {"ns", 1e-9}, {"us", 1e-6},     {"ms", 1e-3},        {"s", 1},
      {"m", 60},     {"h", 3600},  {"d", 24 * 3600}, {"w", 7 * 24 * 3600}};
  for (auto [unit, seconds] : units)
    EXPECT_DOUBLE_EQ(parseQuantity(std::string("3") + unit, Unit::Seconds).value, 3 * seconds);
}

TEST(Number, MissingUnitIsNoticedButZeroNeedsNone) {
  EXPECT_FALSE(parseQuantity("125", Unit::BytesPerSecond).hadUnit);
  EXPECT_TRUE(parseQuantity("0", Unit::Seconds).hadUnit);
}

TEST(Number, UnknownUnitsAreRefused) {
  EXPECT_THROW(parseQuantity("1KBps", Unit::BytesPerSecond), NumberError);
  EXPECT_THROW(parseQuantity("1kiBps", Unit::BytesPerSecond), NumberError);
  EXPECT_THROW(parseQuantity("1Kf", Unit::FlopsPerSecond), NumberError);
  EXPECT_THROW(parseQuantity("1min", Unit::Seconds), NumberError);
  EXPECT_THROW(parseQuantity("1s", Unit::BytesPerSecond), NumberError);
  EXPECT_THROW(parseQuantity("1GBps", Unit::Seconds), NumberError);
  EXPECT_THROW(parseQuantity("-5us", Unit::Seconds), NumberError);
  EXPECT_THROW(parseQuantity("nanus", Unit::Seconds), NumberError);
}

TEST(Number, FormatsShortest) {
  EXPECT_EQ(formatNumber(0.1), "0.1");
  EXPECT_EQ(formatNumber(1.25e9), "1.25e+09");
}

TEST(Number, RatesAndTimesThatNoSumIsMadeOfAreRefused) {
  for (const char *text : {"1e-320Bps", "1e-308", "8e-13kbps"})
    EXPECT_THROW(parseQuantity(text, Unit::BytesPerSecond), NumberError) << text;
  EXPECT_THROW(parseQuantity("1e-300Gf", Unit::FlopsPerSecond), NumberError);
  EXPECT_THROW(parseQuantity("1e101s", Unit::Seconds), NumberError);
  EXPECT_EQ(parseQuantity("0Bps", Unit::BytesPerSecond).value, 0);
  EXPECT_EQ(parseQuantity("1e-9Bps", Unit::BytesPerSecond).value, LeastRate);
  EXPECT_EQ(parseQuantity("1e-300B", Unit::Bytes).value, 1e-300);
}
