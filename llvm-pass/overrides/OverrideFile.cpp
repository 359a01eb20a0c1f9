// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The text forms of overrides: clauses of annotations and markers, lines of the file of
/// GNOMON_BURSTS.
#include "overrides/OverrideText.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Function.h"

#include <cmath>

using namespace llvm;

namespace gnomon {

void BurstOverride::merge(const BurstOverride &other) {
  if (!other.name.empty())
    name = other.name;
  if (other.decision != Decision::Auto)
    decision = other.decision;
  if (other.samples)
    samples = other.samples;
  if (other.flops)
    flops = other.flops;
  stay |= other.stay;
}

std::string parseClause(StringRef clause, BurstOverride &words) {
  using Decision = BurstOverride::Decision;
  auto [key, value] = clause.split('=');
  const bool valued = clause.contains('=');
  if (key == "skip" || key == "run") {
    if (valued)
      return "'" + key.str() + "' takes no value";
    words.decision = key == "skip" ? Decision::Skip : Decision::Run;
  } else if (clause == "stay") {
    words.stay = true;
  } else if (key == "name" && valued) {
    words.name = value.str();
  } else if (key == "samples" && valued) {
    unsigned samples;
    if (value.getAsInteger(10, samples))
      return "'" + value.str() + "' is no number of instances";
    words.samples = samples;
  } else if (key == "flops" && valued) {
    double flops;
    if (value.getAsDouble(flops) || !std::isfinite(flops) || flops < 0)
      return "'" + value.str() + "' is no number of flops";
    words.flops = flops;
  } else {
    return "unknown word '" + clause.str() +
           "'; known: skip, run, stay, name=TEXT, flops=NUMBER, samples=NUMBER";
  }
  return {};
}

bool contradict(const BurstOverride &a, const BurstOverride &b) {
  using Decision = BurstOverride::Decision;
  return (a.decision != Decision::Auto && b.decision != Decision::Auto &&
          a.decision != b.decision) ||
         (!a.name.empty() && !b.name.empty() && a.name != b.name) ||
         (a.samples && b.samples && a.samples != b.samples) ||
         (a.flops && b.flops && a.flops != b.flops);
}

BurstOverride parseClauses(StringRef text) {
  BurstOverride words;
  while (!text.empty()) {
    // A name is the rest: it may hold any character.
    auto [clause, rest] =
        text.starts_with("name=") ? std::pair(text, StringRef()) : text.split(';');
    parseClause(clause, words);
    text = rest;
  }
  return words;
}

std::optional<BurstLine> parseBurstLine(StringRef text, std::string &error) {
  error.clear();
  text = text.trim();
  if (text.empty())
    return std::nullopt;
  const bool quoted = text.consume_front("\"");
  const size_t end = quoted ? text.find('"') : text.find_first_of(" \t");
  if (quoted && end == StringRef::npos) {
    error = "a quotation mark without its other";
    return std::nullopt;
  }
  StringRef place = text.substr(0, end), rest = text.substr(quoted ? end + 1 : place.size());
  BurstLine line;
  // `a::b` has colons of its own: only digits behind the last one are a line.
  StringRef number = quoted ? rest.take_until(isSpace) : place.substr(place.rfind(':'));
  if (number.consume_front(":") && !number.empty() && all_of(number, isDigit)) {
    if (number.getAsInteger(10, line.line) || line.line == 0) {
      error = "'" + number.str() + "' is no line";
      return std::nullopt;
    }
    (quoted ? rest : place) =
        quoted ? rest.drop_front(number.size() + 1) : place.drop_back(number.size() + 1);
  }
  line.function = place.str();
  SmallVector<StringRef, 4> clauses;
  SplitString(rest, clauses, " \t");
  if (clauses.empty())
    error = "nothing is said of '" + line.function +
            "'; known: skip, run, stay, name=TEXT, flops=NUMBER, "
            "samples=NUMBER";
  for (StringRef text : clauses) {
    BurstClause clause{text.str(), {}};
    if (error.empty())
      error = parseClause(text, clause.words);
    for (const BurstClause &other : line.clauses)
      if (error.empty() && contradict(other.words, clause.words))
        error = "both '" + other.text + "' and '" + clause.text + "'";
    line.words.merge(clause.words);
    line.clauses.push_back(std::move(clause));
  }
  if (error.empty() && line.words.stay && line.line == 0)
    error = "'stay' is said of a line: " + line.function + ":LINE stay";
  return error.empty() ? std::optional(line) : std::nullopt;
}

bool parseFilesLine(StringRef text, FilesWish &wish, std::string &error) {
  error.clear();
  text = text.trim();
  if (!text.consume_front("files="))
    return false;
  if (text == "needed")
    wish = FilesWish::Needed;
  else if (text == "unread")
    wish = FilesWish::Unread;
  else
    error = "unknown word '" + text.str() + "' for files; known: files=needed, files=unread";
  return true;
}

bool parseConsoleLine(StringRef text, ConsoleWish &wish, std::string &error) {
  text = text.trim();
  if (!text.consume_front("console="))
    return false;
  error.clear();
  if (text == "needed")
    wish = ConsoleWish::Needed;
  else
    error = "unknown word '" + text.str() + "' for the console; known: console=needed";
  return true;
}

static bool isFortran(DISourceLanguageName language) {
  if (language.hasVersionedName())
    return language.getName() == dwarf::DW_LNAME_Fortran;
  return dwarf::isFortran(static_cast<dwarf::SourceLanguage>(language.getUnversionedName()));
}

bool isCalled(const Function &function, StringRef name) {
  StringRef symbol = function.getName();
  if (symbol == name)
    return true;
  const DISubprogram *source = function.getSubprogram();
  const DICompileUnit *unit = source ? source->getUnit() : nullptr;
  if ((unit && isFortran(unit->getSourceLanguage())) || symbol.starts_with("_Q"))
    return (source && source->getName().equals_insensitive(name)) ||
           symbol.rtrim('_').equals_insensitive(name) ||
           symbol.rsplit('P').second.equals_insensitive(name);
  const std::string whole = demangle(symbol);
  StringRef demangled = whole;
  return demangled == name || demangled.substr(0, demangled.find('(')) == name ||
         (source && source->getName() == name);
}

} // namespace gnomon
