// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "output/DecisionFile.h"

#include "output/File.h"
#include "support/Error.h"
#include "support/Format.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <zstd.h>

namespace gnomon::output {
namespace {

using process::burst::BurstLog;
using process::burst::DecisionLog;
using process::burst::InputLog;
using process::burst::PointKey;
using process::burst::PointLog;
using process::burst::ProfileRow;
using process::burst::StretchLog;
using process::burst::ValueRun;
using process::burst::Values;

constexpr std::string_view FirstLine = "gnomon decisions 2";
constexpr uint32_t MostRanks = 1 << 24;
/// Of a file, in memory: 256 MB.
constexpr size_t MostRuns = 1 << 24;
constexpr uint64_t MostTimes = uint64_t{1} << 40;

//===------------------------------------------- writing -------------------------------------------===//

/// Runs as items of a list: "1*231", "(1*4 0)*20". In lines of at most some hundred characters.
class Items {
public:
  explicit Items(bool real) : real_(real) {}

  /// The first line stands behind \p head.
  void append(std::string &text, const Values &values, const std::string &head) {
    constexpr size_t Width = 116;
    begin(values);
    text += head;
    size_t column = head.size();
    for (size_t at = 0; at < values.size();) {
      if (line_.end() - end_ < static_cast<ptrdiff_t>(MostOfItem))
        flush(text, end_);
      char *const item = end_;
      at += makeItem(at);
      const auto length = static_cast<size_t>(end_ - item);
      if (column + length > Width && column > head.size()) {
        char *const behind = end_;
        flush(text, item);
        text += "\n    ";
        column = 4;
        end_ = std::copy(item, behind, end_);
      }
      column += length;
    }
    flush(text, end_);
    text += '\n';
  }

private:
  /// Groups of runs are as long at most, and cover at least so many.
  static constexpr size_t Longest = 16, Least = 4;
  /// A space, parentheses, the runs of a group, and how often it comes; a number has up to 24 characters.
  static constexpr size_t MostOfItem = 32 + Longest * 50;

  void begin(const Values &values) {
    values_ = &values;
    likeUntil_.fill(0);
    keys_.assign(values.size() + KeysTogether, 0);
    for (size_t at = 0; at < values.size(); ++at)
      keys_[at] = static_cast<uint8_t>(
          (static_cast<uint64_t>(values[at].value) + values[at].times * 31) * Scatter >> 56);
  }
  void flush(std::string &text, const char *end) {
    text.append(line_.data(), static_cast<size_t>(end - line_.data()));
    end_ = line_.data();
  }
  /// Of the runs from \p at on, behind a space; how many they are.
  size_t makeItem(size_t at) {
    const Values &values = *values_;
    *end_++ = ' ';
    const auto [length, times] = repetitionAt(at);
    if (times == 1) {
      add(values[at]);
      return 1;
    }
    for (size_t i = 0; i < length; ++i) {
      *end_++ = i ? ' ' : '(';
      add(values[at + i]);
    }
    *end_++ = ')';
    *end_++ = '*';
    addDigits(times);
    return length * times;
  }
  void add(const ValueRun &run) {
    addNumber(run.value);
    if (run.times == 1)
      return;
    *end_++ = '*';
    addDigits(run.times);
  }
  /// The shortest digits that say the same number.
  void addNumber(int64_t value) {
    const double real = std::bit_cast<double>(value);
    if (!real_)
      addDigits(value);
    else if (std::isnan(real))
      end_ = std::copy_n("nan", 3, end_);
    else
      end_ = fmt::format_to(end_, "{}", real);
  }
  template <class Number> void addDigits(Number number) {
    end_ = std::to_chars(end_, line_.data() + line_.size(), number).ptr;
  }

  /// The group of runs that repeats from there on and covers most; times 1: none. Asked for places that follow each other.
  /// At most places a few words of keys say that there is none; runs of each distance are compared once in all.
  std::pair<size_t, size_t> repetitionAt(size_t at) {
    std::pair<size_t, size_t> best{1, 1};
    if (at + Least > values_->size())
      return best;
    for (size_t shortest : {size_t{2}, 2 + sizeof(uint64_t)})
      for (uint64_t like = likeKeys(at, shortest) & likeKeys(at + 1, shortest); like;
           like &= like - 1)
        compare(at, shortest + static_cast<size_t>(std::countr_zero(like)) / 8, best);
    return best;
  }
  /// Of eight distances from \p distance on, a byte each: not 0 where the run so far behind that at \p at may be like it.
  uint64_t likeKeys(size_t at, size_t distance) const {
    constexpr uint64_t Ones = 0x0101010101010101;
    uint64_t keys = 0;
    std::memcpy(&keys, keys_.data() + at + distance, sizeof keys);
    keys ^= Ones * keys_[at];
    return (keys - Ones) & ~keys & Ones << 7;
  }
  void compare(size_t at, size_t length, std::pair<size_t, size_t> &best) {
    const Values &values = *values_;
    if (length > Longest || at + 2 * length > values.size())
      return;
    size_t &end = likeUntil_[length];
    if (end <= at)
      for (end = at; end + length < values.size() && values[end] == values[end + length];)
        ++end;
    const size_t times = 1 + (end - at) / length;
    if (times > 1 && length * times >= Least && length * times > best.first * best.second)
      best = {length, times};
  }

  /// Behind the last run there are keys for the longest distance, and for what is read of them at once.
  static constexpr size_t KeysTogether = Longest + 2 * sizeof(uint64_t);
  static constexpr uint64_t Scatter = 0x9E3779B97F4A7C15; ///< 2^64 by the golden ratio

  const bool real_;
  const Values *values_ = nullptr;
  /// By distance: runs from the last place that was asked for up to there are like those so much behind them.
  std::array<size_t, Longest + 1> likeUntil_{};
  std::vector<uint8_t> keys_;             ///< of equal runs: equal
  std::array<char, 2 * MostOfItem> line_; ///< the end of the line that is being made
  char *end_ = line_.data();
};

/// "0,4-7".
std::string rankText(const std::vector<uint32_t> &ranks) {
  std::string text;
  for (size_t i = 0; i < ranks.size();) {
    size_t last = i;
    while (last + 1 < ranks.size() && ranks[last + 1] == ranks[last] + 1)
      ++last;
    text += fmt::format("{}{}", text.empty() ? "" : ",", ranks[i]);
    if (last > i)
      text += fmt::format("-{}", ranks[last]);
    i = last + 1;
  }
  return text;
}

/// "input 734 ef46db3751d8e999 all clover.in": bytes, hash, who read it, name.
std::string inputText(const InputLog &input, const std::string &name) {
  const std::string files = input.files == 1 ? "input" : fmt::format("inputs {}", input.files);
  const auto &[bytes, hash] = input.contents;
  return fmt::format("{} {} {} {} {}\n", files, bytes, hash ? fmt::format("{:016x}", *hash) : "-",
                     input.ranks.empty() ? "all" : rankText(input.ranks), name);
}

/// In an order that is quickly known: most lists that differ differ in their lengths.
struct LessByContents {
  bool operator()(const Values *a, const Values *b) const {
    return a->size() != b->size() ? a->size() < b->size() : *a < *b;
  }
};

/// Equal lists once, in the order of their first ranks. \p alike: the one list is of all. \p real: of doubles.
std::string listText(const std::vector<Values> &ofRank, bool alike, bool real, uint32_t ranks) {
  std::map<const Values *, size_t, LessByContents> known;
  std::vector<std::pair<const Values *, std::vector<uint32_t>>> lists;
  for (size_t rank = 0; rank < ofRank.size(); ++rank) {
    const Values &values = ofRank[rank];
    if (values.empty())
      continue;
    const auto [place, isNew] = known.try_emplace(&values, lists.size());
    if (isNew)
      lists.emplace_back(&values, std::vector<uint32_t>());
    lists[place->second].second.push_back(static_cast<uint32_t>(rank));
  }
  std::string text;
  Items items(real);
  for (const auto &[values, who] : lists) {
    const bool all = alike || (lists.size() == 1 && who.size() == ranks);
    items.append(text, *values, all ? "  all:" : "  " + rankText(who) + ":");
  }
  return text;
}

std::string sizeText(const PointLog &point) {
  return point.real ? "real"
                    : fmt::format("{} bit{}{}", point.bits, point.bits == 1 ? "" : "s",
                                  point.each ? " each" : "");
}

/// One line: what a name holds of line ends becomes spaces.
std::string oneLine(std::string text) {
  std::replace_if(text.begin(), text.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
  return text;
}

/// How a row's warmth is called, by its number + 1.
constexpr std::string_view WarmthNames[] = {"any", "first", "cold", "warm"};

/// "  cost 13 warm 4.1e-10 0.03 12": four digits of each number.
std::string costText(const ProfileRow &row) {
  return fmt::format("  cost {} {} {:.4g} {:.4g} {}\n",
                     row.bucket < 0 ? "any" : std::to_string(row.bucket),
                     WarmthNames[row.warmth + 1], row.secondsPerWork, row.spread, row.instances);
}

/// "lulesh.cc:2745 #1".
std::string placeText(const PointKey &key) {
  return fmt::format("{}:{} #{}", key.file.empty() ? "?" : oneLine(key.file), key.line,
                     key.ordinal);
}

//===------------------------------------------- reading -------------------------------------------===//

class Parser {
public:
  Parser(std::string_view text, const std::string &path) : rest_(text), path_(path) {}

  DecisionLog parse() {
    DecisionLog log;
    log.path = path_;
    if (!next() || line_ != FirstLine)
      fail(fmt::format("the first line must be '{}': a file of --record-decisions of this version",
                       FirstLine));
    bool more = next();
    for (; more && !beginsSection(); more = next())
      parseHeader(log);
    while (more)
      more = parseSection(log);
    return log;
  }

private:
  [[noreturn]] void fail(const std::string &what) const { throw InputError(path_, number_, what); }

  /// The next line that is not empty and no comment, without spaces around it.
  bool next() {
    while (!rest_.empty()) {
      const size_t end = std::min(rest_.find('\n'), rest_.size());
      line_ = rest_.substr(0, end);
      rest_.remove_prefix(std::min(end + 1, rest_.size()));
      ++number_;
      constexpr std::string_view Blanks = " \t\r";
      line_.remove_prefix(std::min(line_.find_first_not_of(Blanks), line_.size()));
      line_ = line_.substr(0, line_.find_last_not_of(Blanks) + 1);
      if (!line_.empty() && !line_.starts_with('#'))
        return true;
    }
    line_ = {};
    return false;
  }

  /// What stands behind the word that the line begins with.
  std::optional<std::string_view> behind(std::string_view word) const {
    if (!line_.starts_with(word) || (line_.size() > word.size() && line_[word.size()] != ' '))
      return std::nullopt;
    return line_.substr(std::min(word.size() + 1, line_.size()));
  }

  template <class Number>
  Number number(std::string_view digits, Number least, Number most, const char *what) const {
    Number value{};
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc() || end != digits.data() + digits.size() || value < least ||
        value > most)
      fail(fmt::format("'{}' is no {}: a whole number from {} to {}", digits.substr(0, 40), what,
                       least, most));
    return value;
  }

  void parseHeader(DecisionLog &log) {
    if (auto value = behind("program"))
      log.program = *value;
    else if (auto value = behind("build"))
      log.build = *value;
    else if (auto value = behind("arguments"))
      log.arguments = *value;
    else if (auto value = behind("ranks"))
      parseRankCount(*value, log);
    else if (auto value = behind("spawned"))
      log.spawned = number<uint32_t>(*value, 0, MostRanks, "number of ranks");
    else if (auto value = behind("machine"))
      log.machine = *value;
    else if (line_ == "bursts all")
      log.allBursts = true;
    else if (auto value = behind("input"))
      parseInput(*value, 1, log);
    else if (auto value = behind("inputs"))
      parseInputs(*value, log);
    else
      fail(fmt::format(
          "'{}' is none of program, build, arguments, ranks, spawned, machine, bursts all, input, "
          "inputs, point, burst and stretch",
          line_.substr(0, 40)));
  }

  void parseRankCount(std::string_view value, DecisionLog &log) const {
    if (log.inputsKnown)
      fail("the number of ranks stands before the files that they read");
    log.ranks = number<uint32_t>(value, 1, MostRanks, "number of ranks");
  }

  /// What stands before the next space; \p rest moves behind it.
  static std::string_view takeWord(std::string_view &rest) {
    const size_t end = std::min(rest.find(' '), rest.size());
    const std::string_view word = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    return word;
  }

  std::optional<uint64_t> parseHash(std::string_view digits) const {
    uint64_t hash = 0;
    if (digits == "-")
      return std::nullopt;
    const char *end = digits.data() + digits.size();
    if (digits.size() != 16 || std::from_chars(digits.data(), end, hash, 16).ptr != end)
      fail(fmt::format("'{}' is no hash: 16 hexadecimal digits, or - where there is none",
                       digits.substr(0, 40)));
    return hash;
  }

  void parseInput(std::string_view text, uint32_t files, DecisionLog &log) {
    log.inputsKnown = true;
    if (text == "none")
      return;
    InputLog input;
    input.files = files;
    input.contents.bytes =
        number<uint64_t>(takeWord(text), 0, uint64_t{1} << 62, "number of bytes");
    input.contents.hash = parseHash(takeWord(text));
    bool all = false;
    input.ranks = parseRanks(takeWord(text), log.ranks, all);
    if (!all && input.ranks.empty())
      fail("the ranks that read the file are missing, as in 'input 734 ef46db3751d8e999 all "
           "in.dat'");
    input.path = text;
    if (text.empty())
      fail("the name of the file is missing, as in 'input 734 ef46db3751d8e999 all in.dat'");
    if (files > 1 && process::burst::filesNamed(input.path) != files)
      fail(fmt::format("'{}' is no name of {} files, as 'in.[00-63]' is of 64", input.path, files));
    log.inputs.push_back(std::move(input));
  }

  void parseInputs(std::string_view text, DecisionLog &log) {
    const auto files = number<uint32_t>(takeWord(text), 2, MostRuns, "number of files");
    count(files);
    parseInput(text, files, log);
  }

  bool beginsSection() const { return behind("point") || behind("burst") || behind("stretch"); }

  /// A point or a burst with its lists; whether another one follows.
  bool parseSection(DecisionLog &log) {
    const uint32_t ranks = log.ranks + log.spawned;
    if (const std::optional<std::string_view> text = behind("stretch")) {
      log.stretches.emplace_back();
      return parseStretch(*text, ranks, log.stretches.back());
    }
    if (std::optional<std::string_view> text = behind("burst")) {
      BurstLog burst;
      PointLog lists;
      lists.key = parseKey(*text, "a burst is written 'burst FILE:LINE #NUMBER'");
      lists.bits = 64;
      const bool more = parseLists(lists, ranks, &burst);
      checkVolumes(lists);
      burst.key = std::move(lists.key);
      burst.volumes = std::move(lists.ofRank);
      burst.alike = lists.alike;
      log.bursts.push_back(std::move(burst));
      return more;
    }
    log.points.push_back(parsePointLine());
    return parseLists(log.points.back(), ranks, nullptr);
  }

  /// The lines of a stretch; whether another section follows.
  bool parseStretch(std::string_view name, uint32_t ranks, StretchLog &stretch) {
    const auto take = [&] {
      const std::optional<uint64_t> number = parseHash(takeWord(name));
      if (!number)
        fail("a stretch is written 'stretch NAME KIND', of 16 hexadecimal digits each");
      return *number;
    };
    stretch.name = take();
    stretch.kind = take();
    if (!stretches_.insert(stretch.name).second)
      fail("there are two stretches of that name");
    bool took = false, more = next();
    for (; more && !beginsSection(); more = next()) {
      if (auto text = behind("first"))
        stretch.first = parseKey(*text, "a burst is written 'first FILE:LINE #NUMBER'");
      else if (auto text = behind("took"); text && (took = true))
        parseTook(*text, stretch);
      else if (auto text = behind("varies"))
        parseChances(*text, stretch.chances.moments);
      else if (auto text = behind("apart"))
        parseChances(*text, stretch.chances.own);
      else if (auto text = behind("apart-slow"))
        parseSlow(*text, stretch.chances);
      else if (auto text = behind("ranks"))
        parseChances(*text, stretch.ofRank);
      else
        fail(fmt::format("'{}' is none of first, took, ranks, varies, apart and apart-slow",
                         line_.substr(0, 40)));
      if (stretch.ofRank.size() > ranks)
        fail(fmt::format("'ranks' has {} numbers, and there are {} ranks", stretch.ofRank.size(),
                         ranks));
    }
    if (!took)
      fail(fmt::format(
          "stretch {:016x} above does not say what it took: 'took SECONDS TIMES COST INSTRUCTIONS'",
          stretch.name));
    return more;
  }

  /// "1.5e-4 320 1.4e-4 51200": seconds, times, cost, instructions.
  void parseTook(std::string_view text, StretchLog &stretch) const {
    stretch.seconds = positive(takeWord(text), "number of seconds");
    stretch.times = number<uint64_t>(takeWord(text), 1, MostTimes, "number of times");
    stretch.cost = positive(takeWord(text), "cost");
    stretch.instructions = positive(text, "number of instructions");
  }

  void checkVolumes(const PointLog &lists) const {
    for (const Values &values : lists.ofRank)
      for (const ValueRun &run : values)
        if (run.value < 0)
          fail(fmt::format("{}: no instance of a burst executes {} instructions",
                           placeText(lists.key), run.value));
  }

  double positive(std::string_view digits, const char *what) const {
    double value{};
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc() || end != digits.data() + digits.size() || !(value >= 0) ||
        std::isinf(value))
      fail(fmt::format("'{}' is no {}: a number of at least 0", digits.substr(0, 40), what));
    return value;
  }

  /// "0.9 0.95 1 1.15".
  void parseSlow(std::string_view text, process::burst::Chances &chances) {
    std::vector<double> &own = chances.ownOfSlow;
    parseChances(text, own);
    if (own.size() < 2)
      fail("slow moments are written 'apart-slow FROM PART…'");
    chances.slowFrom = own.front();
    own.erase(own.begin());
  }

  void parseChances(std::string_view text, std::vector<double> &chances) {
    while (!text.empty()) {
      count(1);
      chances.push_back(positive(takeWord(text), "part of a mean"));
    }
  }

  /// "13 warm 4.1e-10 0.03 12": bucket, warmth, seconds a unit, spread, samples.
  ProfileRow parseCost(std::string_view text) const {
    ProfileRow row;
    const std::string_view bucket = takeWord(text), warmth = takeWord(text);
    row.bucket = bucket == "any" ? -1 : number<int>(bucket, 0, 64, "number of bits of work");
    const auto known = std::find(std::begin(WarmthNames), std::end(WarmthNames), warmth);
    if (known == std::end(WarmthNames))
      fail(fmt::format("'{}' is none of any, first, cold, warm", warmth.substr(0, 40)));
    row.warmth = static_cast<int>(known - std::begin(WarmthNames)) - 1;
    row.secondsPerWork = positive(takeWord(text), "time of a unit of work");
    row.spread = positive(takeWord(text), "relative spread");
    row.instances = number<uint64_t>(text, 1, MostTimes, "number of samples");
    return row;
  }

  /// "lulesh.cc:2745 #1".
  PointKey parseKey(std::string_view text, const char *form) const {
    const size_t ordinal = text.rfind(" #"), colon = text.rfind(':', ordinal);
    if (ordinal == std::string_view::npos || colon == std::string_view::npos)
      fail(form);
    PointKey key;
    key.file = text.substr(0, colon);
    if (key.file == "?")
      key.file.clear();
    key.line = number<uint32_t>(text.substr(colon + 1, ordinal - colon - 1), 0, UINT32_MAX, "line");
    key.ordinal = number<uint32_t>(text.substr(ordinal + 2), 1, UINT32_MAX, "number of a place");
    return key;
  }

  /// "point lulesh.cc:2745 #1, 1 bit".
  PointLog parsePointLine() const {
    PointLog point;
    const std::string_view all = behind("point").value();
    constexpr const char *Form =
        "a point is written 'point FILE:LINE #NUMBER, BITS bits', '…, BITS bits each' or '…, real'";
    const size_t comma = all.rfind(", ");
    if (comma == std::string_view::npos)
      fail(Form);
    point.key = parseKey(all.substr(0, comma), Form);
    std::string_view bits = all.substr(comma + 2);
    point.each = bits.ends_with(" each");
    bits = bits.substr(0, bits.find(' '));
    point.real = bits == "real";
    point.bits = point.real ? 64 : number<uint32_t>(bits, 1, 64, "number of bits");
    return point;
  }

  /// The lines of a point or a burst; whether another one follows.
  bool parseLists(PointLog &point, uint32_t ranks, BurstLog *burst) {
    std::vector<uint32_t> who;
    Values values;
    bool open = false, all = false;
    auto close = [&] {
      if (open)
        add(point, all, who, values);
      open = false;
    };
    bool more = next();
    for (; more && !beginsSection(); more = next()) {
      const size_t colon = line_.find(':');
      if (auto text = behind("function")) {
        point.key.function = *text;
      } else if (auto text = behind("what")) {
        point.what = *text;
      } else if (line_ == "execute" && !burst) {
        point.execute = true;
      } else if (auto text = behind("cost"); text && burst) {
        count(1);
        burst->costs.push_back(parseCost(*text));
      } else if (auto text = behind("varies"); text && burst) {
        parseChances(*text, burst->chances);
      } else if (auto text = behind("repeats"); text && burst) {
        burst->repeats = number<uint64_t>(*text, 1, UINT64_MAX, "number of times");
      } else if (auto text = behind("formula"); text && burst) {
        burst->perWork = positive(*text, "number of instructions for a unit of work");
      } else if (colon != std::string_view::npos) {
        close();
        who = parseRanks(line_.substr(0, colon), ranks, all);
        values.clear();
        open = true;
        parseItems(line_.substr(colon + 1), values, point);
      } else if (open) {
        parseItems(line_, values, point);
      } else {
        fail("a list of values begins with the ranks that it is of, as in 'all: 1*20 0'");
      }
    }
    close();
    return more;
  }

  void add(PointLog &point, bool all, const std::vector<uint32_t> &who,
           const Values &values) const {
    if (point.alike || (all && !point.ofRank.empty()))
      fail("there is a list of all ranks, and another one");
    if (all) {
      point.alike = true;
      point.ofRank = {values};
      return;
    }
    for (uint32_t rank : who) {
      if (rank >= point.ofRank.size())
        point.ofRank.resize(rank + 1);
      if (!point.ofRank[rank].empty())
        fail(fmt::format("rank {} has two lists", rank));
      point.ofRank[rank] = values;
    }
  }

  std::vector<uint32_t> parseRanks(std::string_view text, uint32_t ranks, bool &all) {
    std::vector<uint32_t> who;
    all = text == "all";
    while (!all && !text.empty()) {
      const size_t comma = std::min(text.find(','), text.size());
      const std::string_view part = text.substr(0, comma);
      text.remove_prefix(std::min(comma + 1, text.size()));
      const size_t dash = std::min(part.find('-'), part.size());
      const auto first = number<uint32_t>(part.substr(0, dash), 0, ranks - 1, "rank");
      const auto last = dash == part.size()
                            ? first
                            : number<uint32_t>(part.substr(dash + 1), first, ranks - 1, "rank");
      // Each has the runs that follow.
      count(last - first + 1);
      for (uint32_t rank = first; rank <= last; ++rank)
        who.push_back(rank);
    }
    copies_ = std::max<size_t>(1, who.size());
    return who;
  }

  void count(size_t runs) {
    if (runs > MostRuns - runs_)
      fail(fmt::format("there are more than {} values with different neighbours in the file",
                       MostRuns));
    runs_ += runs;
  }

  void append(Values &values, ValueRun run) {
    if (!values.empty() && values.back().value == run.value) {
      values.back().times += run.times;
      if (values.back().times > MostTimes)
        fail(fmt::format("{} stands more than {} times in a row", run.value, MostTimes));
      return;
    }
    count(copies_);
    values.push_back(run);
  }

  int64_t realNumber(std::string_view digits) const {
    double value{};
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc() || end != digits.data() + digits.size())
      fail(fmt::format("'{}' is no value of the point: a number such as 0.25, 1e-9, inf or nan",
                       digits.substr(0, 40)));
    return std::bit_cast<int64_t>(value);
  }

  ValueRun parseRun(std::string_view item, const PointLog &point) const {
    const uint32_t bits = point.bits;
    const size_t star = std::min(item.find('*'), item.size());
    const int64_t most = bits == 64 ? INT64_MAX : bits == 1 ? 1 : (int64_t{1} << (bits - 1)) - 1;
    const int64_t least = bits == 1 ? 0 : -most - 1;
    const std::string_view digits = item.substr(0, star);
    ValueRun run{point.real ? realNumber(digits)
                            : number<int64_t>(digits, least, most, "value of the point"),
                 1};
    if (star < item.size())
      run.times = number<uint64_t>(item.substr(star + 1), 1, MostTimes, "count");
    return run;
  }

  /// Groups do not hold groups, and end in the line in which they begin.
  void parseItems(std::string_view text, Values &values, const PointLog &point) {
    while (true) {
      text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
      if (text.empty())
        return;
      if (!text.starts_with('(')) {
        const size_t end = std::min(text.find_first_of(" \t"), text.size());
        append(values, parseRun(text.substr(0, end), point));
        text.remove_prefix(end);
        continue;
      }
      const size_t close = text.find(")*");
      if (close == std::string_view::npos)
        fail("a group is written '(1*4 0)*20', in one line");
      Values group;
      const std::string_view inner = text.substr(1, close - 1);
      if (inner.find('(') != std::string_view::npos)
        fail("a group holds no groups");
      parseItems(inner, group, point);
      text.remove_prefix(close + 2);
      const size_t end = std::min(text.find_first_of(" \t"), text.size());
      const auto times = number<uint64_t>(text.substr(0, end), 1, MostRuns, "count");
      text.remove_prefix(end);
      for (uint64_t i = 0; i < times && !group.empty(); ++i)
        for (const ValueRun &run : group)
          append(values, run);
    }
  }

  std::string_view rest_, line_;
  const std::string &path_;
  int number_ = 0;
  size_t runs_ = 0, copies_ = 1;
  std::set<uint64_t> stretches_; ///< their names
};

std::string decompressed(const std::string &bytes, const std::string &path) {
  std::string text;
  ZSTD_DStream *stream = ZSTD_createDStream();
  ZSTD_inBuffer in{bytes.data(), bytes.size(), 0};
  std::string part(ZSTD_DStreamOutSize(), '\0');
  size_t left = 1;
  while (in.pos < in.size && !ZSTD_isError(left)) {
    ZSTD_outBuffer out{part.data(), part.size(), 0};
    left = ZSTD_decompressStream(stream, &out, &in);
    text.append(part.data(), out.pos);
  }
  ZSTD_freeDStream(stream);
  if (left != 0)
    throw InputError(path, 0, "this is no whole zstd file");
  return text;
}

} // namespace

static std::string stretchText(const StretchLog &stretch) {
  std::string text = fmt::format("stretch {:016x} {:016x}\n", stretch.name, stretch.kind);
  if (stretch.first)
    text += fmt::format("  first {}\n", placeText(*stretch.first));
  text += fmt::format("  took {:.4g} {} {:.4g} {:.4g}\n", stretch.seconds, stretch.times,
                      stretch.cost, stretch.instructions);
  // Ranks that differ by less than what is written are one.
  const bool alike = std::ranges::all_of(
      stretch.ofRank, [](double part) { return part == 0 || std::abs(part - 1) < 5e-4; });
  if (!alike)
    text += fmt::format("  ranks {:.4g}\n", fmt::join(stretch.ofRank, " "));
  if (!stretch.chances.moments.empty())
    text += fmt::format("  varies {:.3g}\n", fmt::join(stretch.chances.moments, " "));
  if (!stretch.chances.own.empty())
    text += fmt::format("  apart {:.3g}\n", fmt::join(stretch.chances.own, " "));
  if (const process::burst::Chances &chances = stretch.chances; std::isfinite(chances.slowFrom))
    text += fmt::format(
        "  apart-slow {:.3g} {:.3g}\n", chances.slowFrom,
        fmt::join(chances.ownOfSlow.empty() ? std::vector<double>{1} : chances.ownOfSlow, " "));
  return text;
}

DecisionLog parseDecisions(std::string_view text, const std::string &path) {
  return Parser(text, path).parse();
}

DecisionLog readDecisions(const std::string &path) {
  const std::string bytes = readFile(path);
  return parseDecisions(path.ends_with(".zst") ? decompressed(bytes, path) : bytes, path);
}

std::string decisionText(const DecisionLog &log) {
  std::string text =
      fmt::format("{}\nprogram {}\nbuild {}\narguments {}\nranks {}\n", FirstLine,
                  oneLine(log.program), log.build, oneLine(log.arguments), log.ranks);
  if (log.spawned)
    text += fmt::format("spawned {}\n", log.spawned);
  if (!log.machine.empty())
    text += fmt::format("machine {}\n", oneLine(log.machine));
  if (log.allBursts)
    text += "bursts all\n";
  for (const InputLog &input : log.inputs)
    text += inputText(input, oneLine(input.path));
  if (log.inputsKnown && log.inputs.empty())
    text += "input none\n";
  const uint32_t ranks = log.ranks + log.spawned;
  for (const PointLog &point : log.points)
    text += fmt::format("point {}, {}\n  function {}\n  what {}\n{}{}", placeText(point.key),
                        sizeText(point), oneLine(point.key.function), oneLine(point.what),
                        point.execute ? "  execute\n" : "",
                        listText(point.ofRank, point.alike, point.real, ranks));
  for (const BurstLog &burst : log.bursts) {
    text +=
        fmt::format("burst {}\n  function {}\n", placeText(burst.key), oneLine(burst.key.function));
    for (const ProfileRow &row : burst.costs)
      text += costText(row);
    if (!burst.chances.empty())
      text += fmt::format("  varies {:.3g}\n", fmt::join(burst.chances, " "));
    if (burst.repeats)
      text += fmt::format("  repeats {}\n", burst.repeats);
    if (burst.perWork > 0)
      text += fmt::format("  formula {:.6g}\n", burst.perWork);
    text += listText(burst.volumes, burst.alike, false, ranks);
  }
  for (const StretchLog &stretch : log.stretches)
    text += stretchText(stretch);
  return text;
}

} // namespace gnomon::output
