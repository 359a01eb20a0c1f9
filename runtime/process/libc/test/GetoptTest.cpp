// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: our getopt family gives what the C library's gives, on many random argument vectors.
#include "process/image/Real.h"

#include <getopt.h>
#include <gtest/gtest.h>
#include <random>
#include <string>
#include <vector>

namespace {

using namespace gnomon::process;

enum class Style { Short, Long, LongOnly };

struct Trial {
  Style style;
  std::string options;
  std::vector<std::string> words;
};

int flagValue = 0;
const option LongOptions[] = {{"verbose", no_argument, nullptr, 'v'},
                              {"version", no_argument, nullptr, 'V'},
                              {"verb", no_argument, nullptr, 'v'},
                              {"size", required_argument, nullptr, 's'},
                              {"size-hint", optional_argument, nullptr, 'h'},
                              {"flag", no_argument, &flagValue, 17},
                              {"a", required_argument, nullptr, 1000},
                              {nullptr, 0, nullptr, 0}};

/// Everything that the calls on one argument vector gave.
std::vector<std::string> play(const Trial &trial, bool ours) {
  std::vector<std::string> copy = trial.words;
  std::vector<char *> argv;
  for (std::string &word : copy)
    argv.push_back(word.data());
  argv.push_back(nullptr);
  int argc = static_cast<int>(copy.size());
  std::vector<std::string> log;
  optind = 0;
  opterr = 0;
  flagValue = 0;
  for (int calls = 0; calls < 40; ++calls) {
    int index = -7;
    optarg = nullptr;
    optopt = 0;
    int code = 0;
    const char *options = trial.options.c_str();
    switch (trial.style) {
    case Style::Short:
      code = (ours ? &getopt : GNOMON_REAL(getopt))(argc, argv.data(), options);
      break;
    case Style::Long:
      code = (ours ? &getopt_long : GNOMON_REAL(getopt_long))(argc, argv.data(), options,
                                                              LongOptions, &index);
      break;
    case Style::LongOnly:
      code = (ours ? &getopt_long_only : GNOMON_REAL(getopt_long_only))(argc, argv.data(), options,
                                                                        LongOptions, &index);
      break;
    }
    log.push_back("code " + std::to_string(code) + " optind " + std::to_string(optind) +
                  " optopt " + std::to_string(optopt) + " index " + std::to_string(index) +
                  " flag " + std::to_string(flagValue) + " optarg " + (optarg ? optarg : "(null)"));
    if (code == -1)
      break;
  }
  std::string order = "argv";
  for (char *word : argv)
    order += std::string(" ") + (word ? word : "");
  log.push_back(order);
  return log;
}

template <class T> const T &pick(std::mt19937 &random, const std::vector<T> &from) {
  return from[random() % from.size()];
}

Trial randomTrial(std::mt19937 &random) {
  static const std::vector<std::string> optionStrings = {
      "ab:c::d", "+ab:c::d", "-ab:c::d", ":ab:c::d", "-:ab:c::", "+:ab:", "abW;", "abc:W;vs:", ""};
  static const std::vector<std::string> words = {
      "-a",     "-b",      "-bx",         "-ab",      "-c",      "-cfoo",       "-abc",
      "-x",     "-",       "--",          "operand",  "another", "--verbose",   "--ver",
      "--verb", "--verbo", "--size",      "--size=3", "--siz",   "--size-hint", "--size-h=1",
      "--flag", "--fl=2",  "--nothing",   "-size",    "-size=4", "-verbose",    "-Wverbose",
      "-W",     "--a",     "-a=1",        "--=",      "-d",      "-da",         "-:",
      "-flag",  "-v",      "--version=1", "-s",       "",        "-Wsize=1"};
  Trial trial;
  trial.style = static_cast<Style>(random() % 3);
  trial.options = pick(random, optionStrings);
  trial.words = {"program"};
  for (size_t count = random() % 8; count > 0; --count)
    trial.words.push_back(pick(random, words));
  return trial;
}

TEST(Getopt, AgreesWithTheCLibrary) {
  std::mt19937 random(12345);
  for (int i = 0; i < 50000; ++i) {
    Trial trial = randomTrial(random);
    std::string shown = "style " + std::to_string(static_cast<int>(trial.style)) + " options '" +
                        trial.options + "'";
    for (const std::string &word : trial.words)
      shown += " '" + word + "'";
    ASSERT_EQ(play(trial, true), play(trial, false)) << shown;
  }
}

// Intent: the messages are the C library's, word for word.
TEST(Getopt, ComplainsAsTheCLibrary) {
  for (const char *word : {"-x", "-b", "--nothing", "--ver", "--size", "--flag=1"}) {
    std::string name = "program", argument = word;
    char *argv[] = {name.data(), argument.data(), nullptr};
    std::string texts[2];
    for (bool ours : {false, true}) {
      optind = 0;
      opterr = 1;
      testing::internal::CaptureStderr();
      (ours ? &getopt_long : GNOMON_REAL(getopt_long))(2, argv, "ab:", LongOptions, nullptr);
      texts[ours] = testing::internal::GetCapturedStderr();
    }
    EXPECT_EQ(texts[0], texts[1]);
    EXPECT_FALSE(texts[1].empty());
  }
}

} // namespace
