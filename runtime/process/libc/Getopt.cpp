// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// getopt, getopt_long and getopt_long_only with the semantics of the GNU C library's manual
/// ("Parsing program options using getopt"): operands are moved behind the options unless the
/// option string starts with '+' or POSIXLY_CORRECT is set; '-' hands operands over as option 1;
/// ':' first keeps quiet about missing arguments. Each rank has a place of its own in its argument
/// vector.
#include "process/libc/Interpose.h"

#include <algorithm>
#include <cstring>
#include <getopt.h>

extern "C" {
__attribute__((visibility("default"), used)) char *optarg = nullptr;
__attribute__((visibility("default"), used)) int optind = 1;
__attribute__((visibility("default"), used)) int opterr = 1;
__attribute__((visibility("default"), used)) int optopt = '?';
}

namespace gnomon::process {
namespace {

enum class LongStyle { None, DoubleDash, SingleDash };

/// One call of a getopt function.
class Parser {
public:
  Parser(GetoptState &state, int argc, char **argv, const char *options, const option *longOptions,
         int *longIndex, LongStyle style)
      : state_(state), argc_(argc), argv_(argv), options_(options), long_(longOptions),
        longIndex_(longIndex), style_(style) {}

  int next(bool posix);

private:
  using Order = GetoptState::Order;

  void start(bool posix);
  /// Goes to the next option element; \p result is set when the call is over.
  bool advance(int &result);
  int shortOption();
  int argumentOf(char letter, bool optional);
  int longOption(const char *prefix);
  /// Whether an abbreviation may mean \p a or \p b without being ambiguous: they do the same.
  bool alike(const option &a, const option &b) const {
    return style_ != LongStyle::SingleDash && a.has_arg == b.has_arg && a.flag == b.flag &&
           a.val == b.val;
  }
  /// Index in long_ of the option that the text \p name (of \p length) means; -1 none, -2
  /// ambiguous.
  int findLong(const char *name, size_t length) const;
  int takeLong(int index, const char *prefix, char *value);
  int ambiguous(const char *prefix, size_t length);
  void moveOperandsBehind();

  static bool isOperand(const char *word) { return word[0] != '-' || word[1] == '\0'; }
  bool quiet() const { return !opterr || options_[0] == ':'; }
  int missing() const { return options_[0] == ':' ? ':' : '?'; }
  template <class... Values> void complain(const char *format, Values... values) const {
    if (quiet())
      return;
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wformat-nonliteral"
#pragma clang diagnostic ignored "-Wformat-security"
    fprintf(stderr, format, argv_[0], values...);
#pragma clang diagnostic pop
  }

  GetoptState &state_;
  int argc_;
  char **argv_;
  const char *options_;
  const option *long_;
  int *longIndex_;
  LongStyle style_;
};

void Parser::start(bool posix) {
  bool first = optind == 0 || !state_.started;
  if (first) {
    if (optind == 0)
      optind = 1;
    state_ = {.started = true,
              .unknown = state_.unknown,
              .firstNonOption = optind,
              .lastNonOption = optind};
    state_.order = options_[0] == '-'                   ? Order::ReturnInOrder
                   : options_[0] == '+'                 ? Order::RequireOrder
                   : posix || getenv("POSIXLY_CORRECT") ? Order::RequireOrder
                                                        : Order::Permute;
  }
  if (options_[0] == '-' || options_[0] == '+')
    ++options_;
}

/// The operands [firstNonOption, lastNonOption) and the options after them, up to optind, change
/// places.
void Parser::moveOperandsBehind() {
  std::rotate(argv_ + state_.firstNonOption, argv_ + state_.lastNonOption, argv_ + optind);
  state_.firstNonOption += optind - state_.lastNonOption;
  state_.lastNonOption = optind;
}

bool Parser::advance(int &result) {
  // The program may have set optind back.
  state_.lastNonOption = std::min(state_.lastNonOption, optind);
  state_.firstNonOption = std::min(state_.firstNonOption, optind);
  auto gather = [this] {
    if (state_.firstNonOption != state_.lastNonOption && state_.lastNonOption != optind)
      moveOperandsBehind();
    else if (state_.firstNonOption == state_.lastNonOption)
      state_.firstNonOption = optind;
  };
  if (state_.order == Order::Permute) {
    if (state_.lastNonOption != optind)
      gather();
    while (optind < argc_ && isOperand(argv_[optind]))
      ++optind;
    state_.lastNonOption = optind;
  }
  if (optind != argc_ && std::strcmp(argv_[optind], "--") == 0) {
    ++optind;
    gather();
    state_.lastNonOption = argc_;
    optind = argc_;
  }
  if (optind == argc_) {
    if (state_.firstNonOption != state_.lastNonOption)
      optind = state_.firstNonOption;
    result = -1;
    return true;
  }
  if (!isOperand(argv_[optind]))
    return false;
  result = -1;
  if (state_.order != Order::RequireOrder) {
    optarg = argv_[optind++];
    result = 1;
  }
  return true;
}

int Parser::next(bool posix) {
  if (argc_ < 1)
    return -1;
  optarg = nullptr;
  start(posix);
  if (!state_.next || !*state_.next) {
    int result = 0;
    if (advance(result))
      return result;
    char *word = argv_[optind];
    if (style_ != LongStyle::None && word[1] == '-') {
      state_.next = word + 2;
      return longOption("--");
    }
    if (style_ == LongStyle::SingleDash && (word[2] || !std::strchr(options_, word[1]))) {
      state_.next = word + 1;
      int code = longOption("-");
      if (code != -1)
        return code;
    }
    state_.next = word + 1;
  }
  return shortOption();
}

int Parser::shortOption() {
  char letter = *state_.next++;
  const char *entry = std::strchr(options_, letter);
  if (!*state_.next)
    ++optind;
  if (!entry || letter == ':' || letter == ';') {
    complain("%s: invalid option -- '%c'\n", letter);
    state_.unknown = letter;
    return '?';
  }
  if (letter == 'W' && entry[1] == ';' && style_ != LongStyle::None) {
    if (*state_.next)
      optarg = state_.next;
    else if (optind == argc_) {
      complain("%s: option requires an argument -- '%c'\n", letter);
      state_.unknown = letter;
      return missing();
    } else
      optarg = argv_[optind];
    state_.next = optarg;
    optarg = nullptr;
    style_ = LongStyle::DoubleDash;
    return longOption("-W ");
  }
  if (entry[1] == ':')
    return argumentOf(letter, entry[2] == ':');
  return letter;
}

int Parser::argumentOf(char letter, bool optional) {
  int result = letter;
  if (*state_.next) {
    optarg = state_.next;
    ++optind;
  } else if (optional) {
    optarg = nullptr;
  } else if (optind == argc_) {
    complain("%s: option requires an argument -- '%c'\n", letter);
    state_.unknown = letter;
    result = missing();
  } else {
    optarg = argv_[optind++];
  }
  state_.next = nullptr;
  return result;
}

int Parser::findLong(const char *name, size_t length) const {
  int found = -1;
  for (int i = 0; long_[i].name; ++i) {
    if (std::strncmp(long_[i].name, name, length) != 0)
      continue;
    if (std::strlen(long_[i].name) == length)
      return i;
    if (found == -1) {
      found = i;
      continue;
    }
    if (found < 0 || !alike(long_[found], long_[i]))
      found = -2;
  }
  // An exact match after an ambiguous prefix has returned above.
  return found;
}

int Parser::ambiguous(const char *prefix, size_t length) {
  if (!quiet()) {
    fprintf(stderr, "%s: option '%s%s' is ambiguous; possibilities:", argv_[0], prefix,
            state_.next);
    const option *first = nullptr;
    for (const option *entry = long_; entry->name; ++entry) {
      if (std::strncmp(entry->name, state_.next, length) != 0 || (first && alike(*first, *entry)))
        continue;
      if (!first)
        first = entry;
      fprintf(stderr, " '%s%s'", prefix, entry->name);
    }
    fprintf(stderr, "\n");
  }
  state_.next += std::strlen(state_.next);
  ++optind;
  state_.unknown = 0;
  return '?';
}

int Parser::longOption(const char *prefix) {
  size_t length = std::strcspn(state_.next, "=");
  int index = findLong(state_.next, length);
  if (index == -2)
    return ambiguous(prefix, length);
  if (index >= 0)
    return takeLong(index, prefix, state_.next + length);
  bool mayBeShort = style_ == LongStyle::SingleDash && argv_[optind][1] != '-' &&
                    std::strchr(options_, *state_.next);
  if (mayBeShort)
    return -1;
  complain("%s: unrecognized option '%s%s'\n", prefix, state_.next);
  state_.next = nullptr;
  ++optind;
  state_.unknown = 0;
  return '?';
}

int Parser::takeLong(int index, const char *prefix, char *value) {
  const option &entry = long_[index];
  ++optind;
  state_.next = nullptr;
  if (*value == '=') {
    if (entry.has_arg == no_argument) {
      complain("%s: option '%s%s' doesn't allow an argument\n", prefix, entry.name);
      state_.unknown = entry.val;
      return '?';
    }
    optarg = value + 1;
  } else if (entry.has_arg == required_argument) {
    if (optind == argc_) {
      complain("%s: option '%s%s' requires an argument\n", prefix, entry.name);
      state_.unknown = entry.val;
      return missing();
    }
    optarg = argv_[optind++];
  }
  if (longIndex_)
    *longIndex_ = index;
  if (!entry.flag)
    return entry.val;
  *entry.flag = entry.val;
  return 0;
}

GetoptState processState;

int parse(int argc, char *const *argv, const char *options, const option *longOptions,
          int *longIndex, LongStyle style, bool posix = false) {
  Rank *rank = callingRank();
  GetoptState &state = rank ? *rank->libc->getopt : processState;
  if (!longOptions)
    style = LongStyle::None;
  // POSIX declares the vector const and lets it be permuted.
  int result =
      Parser(state, argc, const_cast<char **>(argv), options, longOptions, longIndex, style)
          .next(posix);
  optopt = state.unknown;
  return result;
}

} // namespace
} // namespace gnomon::process

using namespace gnomon::process;

GNOMON_INTERPOSE int getopt(int argc, char *const *argv, const char *options) noexcept {
  return parse(argc, argv, options, nullptr, nullptr, LongStyle::None);
}

GNOMON_INTERPOSE int __posix_getopt(int argc, char *const *argv, const char *options) noexcept {
  return parse(argc, argv, options, nullptr, nullptr, LongStyle::None, true);
}

GNOMON_INTERPOSE int getopt_long(int argc, char *const *argv, const char *options,
                                 const option *longOptions, int *longIndex) noexcept {
  return parse(argc, argv, options, longOptions, longIndex, LongStyle::DoubleDash);
}

GNOMON_INTERPOSE int getopt_long_only(int argc, char *const *argv, const char *options,
                                      const option *longOptions, int *longIndex) noexcept {
  return parse(argc, argv, options, longOptions, longIndex, LongStyle::SingleDash);
}
