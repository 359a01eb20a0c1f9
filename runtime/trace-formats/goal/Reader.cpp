// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "trace-formats/goal/Reader.h"

#include "support/Error.h"
#include "trace-formats/LineReader.h"
#include "trace-formats/goal/Schedule.h"

#include <cctype>
#include <fmt/format.h>
#include <optional>

namespace gnomon::trace::goal {
namespace {

bool isDigit(char c) { return c >= '0' && c <= '9'; }
bool isLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

/// The text as tokens: words, numbers, and single characters; comments are left out.
class Tokens {
public:
  explicit Tokens(LineReader &reader) : reader_(reader) {}

  /// On to the next line that has a token; false at the end.
  bool nextLine() {
    do {
      if (!reader_.next(rest_))
        return false;
      skip();
    } while (rest_.empty());
    return true;
  }
  bool atEnd() const { return rest_.empty(); }
  std::string_view peek() const { return rest_.substr(0, length()); }
  std::string_view take() {
    const std::string_view token = peek();
    rest_.remove_prefix(token.size());
    skip();
    return token;
  }
  bool takeIf(std::string_view token) {
    if (peek() != token)
      return false;
    take();
    return true;
  }
  bool inComment() const { return inComment_; }
  void expect(std::string_view token) {
    if (!takeIf(token))
      fail(fmt::format("'{}' is expected", token));
  }
  int64_t number(const char *what, int64_t least, int64_t most) {
    int64_t value = 0;
    const bool negative = takeIf("-");
    const std::string_view token = take();
    if (token.empty() || !isDigit(token[0]) || !readInteger(token, 0, INT64_MAX, value))
      fail(fmt::format("{} is no {}", token.empty() ? "the line's end" : quoted(token), what));
    value = negative ? -value : value;
    if (value < least || value > most)
      fail(fmt::format("{} is no {}: it must be from {} to {}", value, what, least, most));
    return value;
  }
  [[noreturn]] void fail(const std::string &text) const { reader_.fail(text); }
  LineReader &reader() { return reader_; }

private:
  size_t length() const {
    if (rest_.empty())
      return 0;
    size_t end = 1;
    if (isDigit(rest_[0]))
      while (end < rest_.size() && isDigit(rest_[end]))
        ++end;
    else if (isLetter(rest_[0]))
      while (end < rest_.size() && (isLetter(rest_[end]) || isDigit(rest_[end])))
        ++end;
    return end;
  }

  /// Over blanks and comments.
  void skip() {
    while (!rest_.empty()) {
      if (inComment_) {
        const size_t end = rest_.find("*/");
        inComment_ = end == std::string_view::npos;
        rest_.remove_prefix(inComment_ ? rest_.size() : end + 2);
      } else if (rest_.starts_with("//")) {
        rest_ = {};
      } else if (rest_.starts_with("/*")) {
        inComment_ = true;
        rest_.remove_prefix(2);
      } else if (rest_[0] == ' ' || rest_[0] == '\t') {
        rest_.remove_prefix(1);
      } else {
        return;
      }
    }
  }

  LineReader &reader_;
  std::string_view rest_;
  bool inComment_ = false;
};

constexpr int64_t MostTag = int64_t{UINT32_MAX} - 1; // LogGOPSim's -1 is the one above
constexpr int64_t MostBytes = int64_t{1} << 60;

class Parser {
public:
  Parser(LineReader &reader, const OpenSink &open, Conversion &conversion)
      : tokens_(reader), conversion_(conversion) {
    readRanks();
    Facts facts;
    facts.ranks = ranks_;
    facts.origin = "gnomon trace convert (GOAL)";
    sink_.emplace(open(facts));
    seen_.resize(ranks_);
  }

  void parse() {
    uint32_t ranks = 0;
    while (!tokens_.atEnd() || tokens_.nextLine()) {
      tokens_.expect("rank");
      readRank();
      ++ranks;
      if (conversion_.progress)
        conversion_.progress(tokens_.reader().bytesRead(), tokens_.reader().bytes());
    }
    if (tokens_.inComment())
      tokens_.fail("a comment does not end");
    if (ranks < ranks_)
      for (uint32_t rank = 0; rank < ranks_; ++rank)
        if (!seen_[rank])
          tokens_.fail(fmt::format("rank {} of {} is missing", rank, ranks_));
  }

private:
  void readRanks() {
    if (!tokens_.nextLine() || !tokens_.takeIf("num_ranks"))
      tokens_.fail("a GOAL text begins with 'num_ranks N'");
    ranks_ = static_cast<uint32_t>(tokens_.number("number of ranks", 1, MostRanks));
    constexpr uint64_t Shortest = 8; // "rank 0{}"
    if (ranks_ > tokens_.reader().bytes() / Shortest)
      tokens_.fail(fmt::format("{} ranks in a file of {} bytes: the text is cut short", ranks_,
                               tokens_.reader().bytes()));
  }

  /// "0 {", the operations and dependencies, "}".
  void readRank() {
    const auto rank = static_cast<uint32_t>(tokens_.number("rank", 0, int64_t{ranks_} - 1));
    const uint64_t line = tokens_.reader().line();
    if (seen_[rank])
      tokens_.fail(fmt::format("rank {} is described a second time", rank));
    seen_[rank] = true;
    if (tokens_.atEnd() && !tokens_.nextLine())
      tokens_.fail("'{' is expected, and the text ends");
    tokens_.expect("{");
    schedule_ = {};
    labels_.clear();
    while (true) {
      if (tokens_.atEnd() && !tokens_.nextLine())
        tokens_.fail(fmt::format("rank {}, which begins at line {}, has no '}}'", rank, line));
      if (tokens_.takeIf("}"))
        break;
      readStatement();
      if (!tokens_.atEnd() && tokens_.peek() != "}")
        tokens_.fail(fmt::format("{} after the end of the operation", quoted(tokens_.peek())));
    }
    if (const uint64_t circle = schedule_.write(rank, *sink_))
      failAt(
          tokens_.reader().path(), circle,
          fmt::format("the operation waits for itself: the dependencies of rank {} have a circle",
                      rank));
  }

  void readStatement() {
    const std::string_view word = tokens_.peek();
    if (word == "send" || word == "recv" || word == "calc") {
      readOperation();
      return;
    }
    if (word.empty() || !isLetter(word[0]))
      tokens_.fail(fmt::format("{}: an operation (send, recv, calc), a label or '}}' is expected",
                               quoted(word)));
    const std::string label(tokens_.take());
    if (tokens_.takeIf(":")) {
      const auto [place, isNew] = labels_.try_emplace(label, 0);
      if (!isNew)
        tokens_.fail(fmt::format("label {} is there already", quoted(label)));
      place->second = readOperation();
      return;
    }
    const bool startOnly = tokens_.peek() == "irequires";
    if (!startOnly && tokens_.peek() != "requires")
      tokens_.fail(fmt::format("{} after a label: ':', 'requires' or 'irequires' is expected",
                               quoted(tokens_.peek())));
    tokens_.take();
    const uint32_t then = find(label);
    schedule_.depend(then, find(std::string(tokens_.take())), startOnly);
  }

  uint32_t find(const std::string &label) const {
    const auto found = labels_.find(label);
    if (found == labels_.end())
      tokens_.fail(fmt::format("there is no label {} before this line", quoted(label)));
    return found->second;
  }

  uint32_t readOperation() {
    const std::string_view word = tokens_.take();
    Operation of;
    of.line = tokens_.reader().line();
    if (word == "calc") {
      of.amount = tokens_.number("number of nanoseconds", 0, MostBytes);
    } else if (word == "send" || word == "recv") {
      const bool isSend = word == "send";
      of.what = isSend ? Operation::What::Send : Operation::What::Receive;
      of.amount = tokens_.number("number of bytes", 0, MostBytes);
      tokens_.expect("b");
      tokens_.expect(isSend ? "to" : "from");
      of.peer = tokens_.number("rank", isSend ? 0 : AnyPeer, int64_t{ranks_} - 1);
      if (tokens_.takeIf("tag"))
        of.tag = tokens_.number("tag", AnyTag, MostTag);
      if (of.tag == AnyTag && isSend)
        tokens_.fail("a message is sent with one tag");
    } else {
      tokens_.fail(fmt::format("{} is no operation: send, recv, calc", quoted(word)));
    }
    readPlace("cpu");
    readPlace("nic");
    return schedule_.add(of);
  }

  /// A rank is one sequence here.
  void readPlace(std::string_view what) {
    if (tokens_.takeIf(what) && tokens_.number("number", 0, UINT8_MAX) != 0)
      tokens_.fail(fmt::format("{} other than 0: a rank of a trace has one", what));
  }

  Tokens tokens_;
  Conversion &conversion_;
  uint32_t ranks_ = 0;
  std::optional<CallSink> sink_;
  std::vector<bool> seen_;
  Schedule schedule_;
  std::unordered_map<std::string, uint32_t> labels_;
};

} // namespace

void read(const std::string &path, const OpenSink &open, Conversion &conversion) {
  LineReader reader(path);
  Parser(reader, open, conversion).parse();
}

} // namespace gnomon::trace::goal
