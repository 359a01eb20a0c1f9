// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The text form of what users say of functions outside the program.
#include "overrides/Effects.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace gnomon {
namespace {

/// What is said of arguments: the word, and what it means of each.
struct ArgumentWord {
  StringLiteral word;
  ArgumentEffect effect;
};

const ArgumentWord ArgumentWords[] = {
    {"reads", {.read = true}},
    {"writes", {.written = true}},
    {"updates", {.read = true, .written = true}},
    {"reads-all", {.read = true, .deep = true}},
    {"writes-all", {.written = true, .deep = true}},
    {"updates-all", {.read = true, .written = true, .deep = true}},
    {"keeps", {.read = true, .kept = true}},
    {"calls", {.called = true}},
};

/// What is said of the call as a whole.
struct KindWord {
  StringLiteral word;
  EffectKind kind;
};

constexpr KindWord KindWords[] = {
    {"computes", EffectKind::Pure},      {"copies", EffectKind::Copy},
    {"allocates", EffectKind::Allocate}, {"frees", EffectKind::Free},
    {"outputs", EffectKind::Output},     {"inputs", EffectKind::Input},
    {"varies", EffectKind::Clock},       {"communicates", EffectKind::Communicates},
    {"ends", EffectKind::NoReturn},
};

constexpr StringLiteral Known =
    "; known: reads, writes, updates, reads-all, writes-all, updates-all, keeps, calls (with the "
    "numbers of arguments, from 0), returns (value, new, library, argument N, inside N), computes, "
    "copies, allocates, frees, outputs, inputs, varies, communicates, ends";

/// Of a function with more arguments nobody counts them right.
constexpr unsigned MostArguments = 64;

/// One line, clause by clause.
class Parser {
public:
  std::string clause(StringRef text);
  /// What contradicts itself in the whole; empty: nothing.
  std::string finish();
  Effect effect;

private:
  std::string arguments(const ArgumentWord &word, ArrayRef<StringRef> numbers);
  std::string argument(const ArgumentWord &word, unsigned index);
  std::string returns(ArrayRef<StringRef> words);

  SmallVector<const ArgumentWord *> said_; ///< of each argument; null: nothing
  const KindWord *kind_ = nullptr;
  std::string returned_; ///< as it was said
};

std::string Parser::argument(const ArgumentWord &word, unsigned index) {
  if (index >= MostArguments)
    return "'" + std::to_string(index) + "' is no argument: there are at most " +
           std::to_string(MostArguments);
  if (said_.size() <= index)
    said_.resize(index + 1);
  if (said_[index] && said_[index] != &word)
    return "both '" + said_[index]->word.str() + "' and '" + word.word.str() + "' of argument " +
           std::to_string(index) + "; what is read and written is said by 'updates'";
  said_[index] = &word;
  return {};
}

/// Numbers and ranges of them: 0 2-4.
std::string Parser::arguments(const ArgumentWord &word, ArrayRef<StringRef> numbers) {
  if (numbers.empty())
    return "'" + word.word.str() + "' of which arguments? They are numbered from 0";
  std::string error;
  for (StringRef text : numbers) {
    auto [low, high] = text.split('-');
    unsigned first = 0, last = 0;
    if (low.getAsInteger(10, first) || (text.contains('-') && high.getAsInteger(10, last)))
      return "'" + text.str() + "' is no argument's number";
    last = text.contains('-') ? last : first;
    if (last < first)
      return "'" + text.str() + "' ends before it begins";
    for (unsigned index = first; index <= std::min(last, MostArguments) && error.empty(); ++index)
      error = argument(word, index);
  }
  return error;
}

std::string Parser::returns(ArrayRef<StringRef> words) {
  const std::string text = join(words, " ");
  if (!returned_.empty() && returned_ != text)
    return "both 'returns " + returned_ + "' and 'returns " + text + "'";
  returned_ = text;
  unsigned index = 0;
  const bool numbered =
      words.size() == 2 && !words[1].getAsInteger(10, index) && index < MostArguments;
  if (text == "value")
    effect.returned = Returned::Value;
  else if (text == "new")
    effect.returned = Returned::Fresh;
  else if (text == "library")
    effect.returned = Returned::Library;
  else if (numbered && words[0] == "argument")
    effect.returned = Returned::Argument;
  else if (numbered && words[0] == "inside")
    effect.returned = Returned::InsideArgument;
  else
    return "unknown result '" + text + "'; known: value, new, library, argument N, inside N";
  effect.returnedArgument = uint8_t(index);
  return {};
}

std::string Parser::clause(StringRef text) {
  SmallVector<StringRef, 8> words;
  SplitString(text, words);
  if (words.empty())
    return "nothing between two commas";
  const ArrayRef<StringRef> rest = ArrayRef(words).drop_front();
  if (words[0] == "returns")
    return returns(rest);
  const auto *said =
      find_if(ArgumentWords, [&](const ArgumentWord &each) { return each.word == words[0]; });
  if (said != std::end(ArgumentWords))
    return arguments(*said, rest);
  const auto *kind =
      find_if(KindWords, [&](const KindWord &each) { return each.word == words[0]; });
  if (kind == std::end(KindWords))
    return "unknown word '" + words[0].str() + "'" + Known.str();
  if (!rest.empty())
    return "'" + words[0].str() + "' takes no arguments";
  if (kind_ && kind_ != kind)
    return "both '" + kind_->word.str() + "' and '" + kind->word.str() + "'";
  kind_ = kind;
  return {};
}

std::string Parser::finish() {
  bool writes = false, calls = false, deep = false, shallow = false;
  for (const ArgumentWord *word : said_) {
    effect.arguments.push_back(word ? word->effect : ArgumentEffect());
    writes |= word && word->effect.written;
    calls |= word && word->effect.called;
    deep |= word && word->effect.written && word->effect.deep;
    shallow |= word && (word->effect.read || word->effect.written) && !word->effect.deep;
  }
  effect.known = true;
  effect.kind = kind_ ? kind_->kind : EffectKind::Pure;
  effect.readsFiles = effect.kind == EffectKind::Input;
  if (effect.returned == Returned::Unknown)
    effect.returned = Returned::Value;
  if (effect.kind == EffectKind::NoReturn)
    effect.ending = Ending::Error;
  if (calls && kind_ && effect.kind != EffectKind::Pure)
    return "both 'calls' and '" + kind_->word.str() + "': leave the latter out";
  if (effect.kind == EffectKind::Copy && (!deep || shallow))
    return "'copies' goes with 'reads-all', 'writes-all' and 'updates-all'";
  if (effect.returned == Returned::Fresh && effect.kind != EffectKind::Allocate)
    return "'returns new' goes with 'allocates'";
  if (calls)
    effect.kind = EffectKind::Callback;
  else if (effect.kind == EffectKind::Pure && writes)
    effect.kind = EffectKind::Fill;
  effect.mayBeLong = effect.kind == EffectKind::Pure || effect.kind == EffectKind::Fill ||
                     effect.kind == EffectKind::Copy;
  return {};
}

} // namespace

std::optional<EffectsLine> parseEffectsLine(StringRef text, std::string &error) {
  error.clear();
  text = text.trim();
  if (text.empty())
    return std::nullopt;
  constexpr StringLiteral Form = "a line is 'function NAME: what it does, returns what'";
  StringRef rest = text;
  if (!rest.consume_front("function") || rest.empty() || !isSpace(rest.front())) {
    error = Form.str() + ", not '" + text.take_until(isSpace).str() + " …'";
    return std::nullopt;
  }
  rest = rest.ltrim();
  const bool quoted = rest.consume_front("\""); // C++ names have colons
  const size_t end = rest.find(quoted ? '"' : ':');
  EffectsLine line;
  if (end != StringRef::npos) {
    line.function = rest.take_front(end).trim().str();
    rest = rest.drop_front(end + quoted).ltrim();
  }
  if (end == StringRef::npos || line.function.empty() || !rest.consume_front(":") ||
      rest.trim().empty()) {
    error = Form.str();
    return std::nullopt;
  }
  Parser parser;
  SmallVector<StringRef, 8> clauses;
  rest.split(clauses, ',');
  for (StringRef clause : clauses)
    if (error.empty())
      error = parser.clause(clause);
  if (error.empty())
    error = parser.finish();
  if (!error.empty())
    return std::nullopt;
  line.effect = std::move(parser.effect);
  return line;
}

} // namespace gnomon
