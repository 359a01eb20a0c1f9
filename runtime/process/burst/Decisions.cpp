// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "process/burst/Decisions.h"

#include "process/burst/Bursts.h"
#include "process/image/Modules.h"
#include "process/ranks/World.h"
#include "support/Error.h"
#include "support/FileHash.h"
#include "support/Names.h"

#include <algorithm>
#include <cstring>
#include <dlfcn.h>
#include <fmt/format.h>

namespace gnomon::process::burst {
namespace {

std::string text(const char *value) { return value ? value : ""; }

int64_t numberAt(const std::byte *place, size_t bytes) {
  if (bytes == sizeof(int64_t)) {
    int64_t number;
    std::memcpy(&number, place, bytes);
    return number;
  }
  int32_t number;
  std::memcpy(&number, place, sizeof(number));
  return number;
}

std::string hashText(const std::string &path) {
  const std::optional<FileContents> contents = contentsOf(path);
  return fmt::format("{:016x}", contents ? contents->hash.value_or(0) : 0);
}

/// Files that were built anew have another one: the program, its libraries that were built with the flag, and the
/// programs beside it.
std::string buildOf(const std::vector<JobPart> &companions) {
  std::string text = hashText("/proc/self/exe");
  size_t files = 1;
  auto add = [&](const std::string &path) {
    text += " " + hashText(path);
    ++files;
  };
  for (const gnomon_module *module : modules()) {
    Dl_info info;
    if (module != mainModule() && dladdr(module, &info) && info.dli_fname)
      add(info.dli_fname);
  }
  for (const JobPart &part : companions)
    add(part.program);
  return files == 1 ? text : fmt::format("{:016x}", hashOf(text));
}

/// Of a program beside the first: ": -n 2 ./other 7".
std::vector<std::string> wordsOf(const JobPart &part) {
  std::vector<std::string> words{":", "-n", std::to_string(part.ranks),
                                 part.program.substr(part.program.rfind('/') + 1)};
  if (!part.arguments.empty())
    words.insert(words.end(), part.arguments.begin() + 1, part.arguments.end());
  return words;
}

} // namespace

std::string nameOf(const PointKey &key) {
  return fmt::format("{}:{} {} #{}", key.file.empty() ? "?" : key.file, key.line, key.function,
                     key.ordinal);
}

PointKey PointNames::next(const gnomon_point &point) {
  PointKey key{text(point.file), text(point.function), point.line, 0};
  key.ordinal = ++ordinals_[{key.file, key.function}];
  return key;
}

Decisions::Decisions(DecisionWishes wishes, RunOrigin origin,
                     std::function<void(const std::string &)> fail)
    : wishes_(std::move(wishes)), origin_(std::move(origin)), fail_(std::move(fail)) {
  std::function<void(const InputFile &)> found;
  if (gives()) {
    checkFile();
    if (wishes_.given->inputsKnown)
      inputCheck_.emplace(wishes_.given->inputs);
    if (inputCheck_ && wishes_.learning && !wishes_.goOn)
      found = [this](const InputFile &file) { inputFound(file); };
  }
  inputs_ = std::make_shared<InputFiles>(
      gives() ? InputFiles::Contents::NotAsked : InputFiles::Contents::Hashed, std::move(found));
  if (wishes_.any() && !isAssumed())
    arrivals_.emplace(given(),
                      [this](uint32_t rank, const PointLog &point, const std::string &what) {
                        contradict(point, arrivalsTold_, rank, what);
                      });
}

std::string Decisions::remedy() const {
  if (wishes_.learning)
    return fmt::format(
        "; delete {}, and the next run with --shadow=learn records it anew, or go on with "
        "--decisions-check=warn",
        wishes_.given->path);
  return "; decisions hold for the program, input and number of ranks that they were recorded "
         "with: "
         "record them again with --record-decisions, or go on with --decisions-check=warn";
}

std::string Decisions::unrecordedInput(const std::string &who, const std::string &path) const {
  return fmt::format(
      "gnomon: error: {} reads the file {}, which was not read when the decisions of {} were "
      "recorded{}",
      who, path, wishes_.given->path, remedy());
}

/// A run that chose by itself to take what is given assumes nothing.
void Decisions::inputFound(const InputFile &file) {
  if (!inputCheck_->knows(file))
    fail_(unrecordedInput(fmt::format("rank {}", file.ranks.empty() ? 0 : *file.ranks.begin()),
                          file.path));
}

/// What the file was made from against what runs now.
void Decisions::checkFile() {
  const DecisionLog &given = *wishes_.given;
  sameBuild_ = given.build == origin_.build;
  if (!sameBuild_)
    notes_.push_back(fmt::format(
        "the decisions of {} come from another build of the program; its points were found "
        "by name",
        given.path));
  if (given.arguments != origin_.arguments)
    notes_.push_back(fmt::format(
        "the decisions of {} were recorded with the arguments '{}', not '{}': that they "
        "hold for these is an assumption",
        given.path, given.arguments, origin_.arguments));
  if (!isAssumed()) {
    if (const auto points = std::ranges::count_if(given.points, &PointLog::execute))
      notes_.push_back(fmt::format("points of {} executed, as it says: {} of {}", given.path,
                                   points, given.points.size()));
    return;
  }
  if (wishes_.fromRank && *wishes_.fromRank >= given.ranks)
    throw InputError(
        "--decisions-from-rank", 0,
        fmt::format("the decisions of {} are of {} ranks, from 0 on", given.path, given.ranks));
  size_t alike = 0, passed = 0, executed = 0;
  bool arrivals = false;
  for (const PointLog &point : given.points) {
    if (point.ofRank.empty() && !point.execute)
      continue;
    if (Arrivals::isOf(point.key)) {
      arrivals = true;
      continue;
    }
    ++passed;
    if (isExecuted(point))
      ++executed;
    else
      alike += valuesFor(point, origin_.ranks) != nullptr;
  }
  notes_.push_back(fmt::format(
      "the decisions of {} were recorded on {} ranks: that {} of {} points decide the same "
      "on {} ranks is an assumption{}",
      given.path, given.ranks, alike, passed, origin_.ranks,
      executed ? fmt::format("; points executed: {}", executed) : ""));
  if (arrivals)
    notes_.push_back(fmt::format("what receives from any source and polls found when the decisions "
                                 "of {} were recorded is not given on another number of ranks",
                                 given.path));
}

bool Decisions::nothingDiffers() const {
  const DecisionLog *given = this->given();
  return given && sameBuild_ && given->arguments == origin_.arguments && !isAssumed() &&
         inputCheck_ && inputCheck_->before().count() == 0;
}

void Decisions::introduce(gnomon_module &module) {
  std::string missing;
  size_t count = 0;
  for (uint64_t i = 0; i < module.point_count; ++i) {
    if (module.points[i]->index)
      continue;
    introduce(*module.points[i]);
    const Point &point = points_.back();
    if (gives() && !point.given && ++count <= 5)
      missing += "\n  " + nameOf(point.log.key) + ": " + point.log.what;
  }
  if (module.points_on)
    *module.points_on = gives() ? GNOMON_POINTS_GIVEN : GNOMON_POINTS_RECORDED;
  if (!missing.empty() && !sameBuild_)
    throw InputError(
        wishes_.given->path, 0,
        fmt::format(
            "these decisions come from another build, and {} of the program's points are not "
            "among them:{}{}\nrecord them again with --record-decisions",
            count, missing, count > 5 ? "\n  …" : ""));
}

void Decisions::introduce(gnomon_point &point) {
  Point known;
  known.log.key = names_.next(point);
  known.log.bits = point.bits;
  known.log.real = point.real;
  known.log.each = point.length != GNOMON_LENGTH_ONE;
  known.log.what = text(point.what);
  if (gives())
    known.given = find(known.log);
  known.executes = known.given && isExecuted(*known.given);
  await(known);
  points_.push_back(std::move(known));
  point.index = static_cast<uint32_t>(points_.size());
}

/// By all of its name; or, where lines have moved, by the rest.
const PointLog *Decisions::find(const PointLog &sought) const {
  const PointKey &key = sought.key;
  const PointLog *moved = nullptr;
  for (const PointLog &point : wishes_.given->points) {
    if (point.key.function != key.function || point.key.file != key.file ||
        point.key.ordinal != key.ordinal || point.bits != sought.bits ||
        point.real != sought.real || point.each != sought.each)
      continue;
    if (point.key.line == key.line)
      return &point;
    moved = &point;
  }
  return sameBuild_ ? nullptr : moved;
}

/// Null: it was not recorded what the rank decides.
const Values *Decisions::valuesFor(const PointLog &given, uint32_t rank) const {
  static const Values none;
  if (given.each && isAssumed())
    return nullptr; // there are more numbers in the array, or fewer
  if (given.alike)
    return &given.ofRank[0];
  if (!isAssumed())
    return rank < given.ofRank.size() ? &given.ofRank[rank] : &none;
  if (wishes_.fromRank)
    return *wishes_.fromRank < given.ofRank.size() ? &given.ofRank[*wishes_.fromRank] : &none;
  // What all ranks that passed the point agree on.
  const Values *common = &none;
  for (const Values &values : given.ofRank)
    if (!values.empty()) {
      if (!common->empty() && values != *common)
        return nullptr;
      common = &values;
    }
  return common;
}

/// The user has said so, of the point or of all whose recorded ranks differ.
bool Decisions::isExecuted(const PointLog &given) const {
  return given.execute || (wishes_.execute && isAssumed() && !valuesFor(given, 0));
}

/// Whatever was alike on the recorded ranks may be otherwise on some of more: whether a rank has a neighbour, say.
void Decisions::await(Point &point) {
  if (wishes_.trusts || !isAssumed() || !point.given || point.executes || isForced(*point.given))
    return;
  const std::vector<Values> &recorded = point.given->ofRank;
  const bool onAll = point.given->alike || (recorded.size() == wishes_.given->ranks &&
                                            std::ranges::none_of(recorded, &Values::empty));
  const Values *values = valuesFor(*point.given, 0);
  if (!onAll || !values)
    return;
  const uint64_t passes = timesOf(*values);
  if (passes < LeastPasses)
    return;
  point.awaited = origin_.ranks;
  awaited_ += origin_.ranks;
  expected_ += passes * origin_.ranks;
}

/// While nothing has been skipped.
void Decisions::notePass(Point &point, uint32_t rank) {
  if (point.awaited == 0)
    return;
  ++passedAwaiting_;
  const bool first = cursorOf(point, rank).passed == 1;
  const uint32_t known = point.executes ? point.awaited : first;
  point.awaited -= known;
  awaited_ -= known;
}

bool Decisions::executesAny() const {
  return std::any_of(points_.begin(), points_.end(),
                     [](const Point &point) { return point.executes; });
}

/// A rank that comes to a point for the first time once something has been skipped takes what others
/// decided, and nobody has seen what it would have decided itself. Points that are passed a few times
/// only are not awaited: the file does not say when they come, and one that comes at the end of the
/// program would have all of it executed. So it is told which these are.
void Decisions::noteAssumed(Point &point, uint32_t rank) {
  if (!isAssumed())
    return;
  ++assumed_;
  point.unseen += !cursorOf(point, rank).computed && !isForced(*point.given);
}

std::string Decisions::unseenSentence(uint64_t values) const {
  constexpr size_t MostNamed = 5;
  std::string names;
  size_t count = 0;
  for (const Point &point : points_)
    if (point.unseen > 0 && ++count <= MostNamed)
      names += fmt::format("{}{}", names.empty() ? "" : ", ", nameOf(point.log.key));
  return fmt::format("{} of the {} values that were assumed went to ranks that had not come to the "
                     "point before something was skipped, so that what they decide themselves is "
                     "not known: {}{}",
                     values, assumed_, names, count > MostNamed ? ", …" : "");
}

int64_t Decisions::decide(uint32_t rank, gnomon_point &point, int64_t value, bool exact) {
  return gives() ? give(points_[point.index - 1], rank, value, exact) : record(point, rank, value);
}

/// MPI may read the array when other ranks have gone on, and have skipped: what lies there then need not be right any more
/// (folded memory, say). So where it is given it is read elsewhere, also while it is as it was recorded.
const void *Decisions::decideEach(uint32_t rank, gnomon_point &point, PointArray array,
                                  bool exact) {
  if (!gives())
    return recordEach(rank, point, array);
  std::vector<std::vector<std::byte>> &arrays = points_[point.index - 1].arrays;
  if (rank >= arrays.size())
    arrays.resize(rank + 1);
  const size_t bytes = point.bits / 8;
  std::vector<std::byte> numbers(array.count * bytes);
  for (size_t at = 0; at < numbers.size(); at += bytes) {
    const auto *computed = static_cast<const std::byte *>(array.numbers) + at;
    const int64_t counts = give(points_[point.index - 1], rank, numberAt(computed, bytes), exact);
    std::memcpy(numbers.data() + at, &counts, bytes); // the low bytes of a little-endian number
  }
  if (executes(point) || numbers.empty())
    return array.numbers;
  arrays[rank] = std::move(numbers);
  return arrays[rank].data();
}

Values &Decisions::valuesOf(PointLog &log, uint32_t rank) {
  if (rank >= log.ofRank.size())
    log.ofRank.resize(rank + 1);
  return log.ofRank[rank];
}

int64_t Decisions::record(const gnomon_point &point, uint32_t rank, int64_t value) {
  if (rank >= noted_.size()) [[unlikely]]
    noted_.resize(rank + 1);
  std::vector<Noted> &noted = noted_[rank];
  noted.push_back({point.index, value});
  if (noted.size() == MostNoted) [[unlikely]]
    sortOut(rank);
  return value;
}

void Decisions::sortOut(uint32_t rank) {
  for (const Noted &noted : noted_[rank])
    appendRun(valuesOf(points_[noted.point - 1].log, rank), {noted.value, 1});
  noted_[rank].clear();
}

/// Of all points, with what is not sorted out.
std::vector<PointLog> Decisions::logs() const {
  std::vector<PointLog> logs;
  for (const Point &point : points_)
    logs.push_back(point.log);
  for (uint32_t rank = 0; rank < noted_.size(); ++rank)
    for (const Noted &noted : noted_[rank])
      appendRun(valuesOf(logs[noted.point - 1], rank), {noted.value, 1});
  return logs;
}

const void *Decisions::recordEach(uint32_t rank, const gnomon_point &point, PointArray array) {
  Values &values = valuesOf(points_[point.index - 1].log, rank);
  const size_t bytes = point.bits / 8;
  for (size_t i = 0; i < array.count; ++i)
    appendRun(values,
              {numberAt(static_cast<const std::byte *>(array.numbers) + i * bytes, bytes), 1});
  return array.numbers;
}

Decisions::Cursor &Decisions::cursorOf(Point &point, uint32_t rank) {
  if (rank >= point.cursors.size())
    point.cursors.resize(rank + 1);
  return point.cursors[rank];
}

bool Decisions::hasNext(Point &point, uint32_t rank) {
  Cursor &cursor = cursorOf(point, rank);
  if (!cursor.values && point.given)
    cursor.values = valuesFor(*point.given, rank);
  return cursor.values && cursor.run != cursor.values->size();
}

bool Decisions::computes(uint32_t rank, const gnomon_point &point, bool exact) {
  Point &known = points_[point.index - 1];
  return !gives() || exact || known.executes || !hasNext(known, rank);
}

/// The next of the rank's values; nothing when there is none.
std::optional<int64_t> Decisions::next(Point &point, uint32_t rank) {
  if (!hasNext(point, rank))
    return std::nullopt;
  Cursor &cursor = cursorOf(point, rank);
  return cursor.next(*cursor.values);
}

/// Why there is no value for the rank.
std::string Decisions::whyNone(const Point &point, uint32_t rank) const {
  if (point.cursors[rank].values)
    return fmt::format("it is passed once more than the {} times that were recorded",
                       point.cursors[rank].passed);
  if (point.given && point.given->each)
    return "it is an array with a number for each rank, and another number of ranks was recorded; "
           "run what it rests on with --decisions-from-rank=execute, or the line 'execute' at it";
  return point.given
             ? "its ranks decided differently, and another number of them was recorded; say "
               "with --decisions-from-rank whose decisions all take, or 'execute' to run what "
               "they rest on"
             : "the file has no decisions of it";
}

/// Whether what was computed counts as long as nothing was skipped: what rests on the number of ranks (its root, a
/// neighbour), and numbers that may come from a clock.
bool Decisions::holdsAsComputed(const Point &point) const {
  return (isAssumed() || point.log.real) && !(point.given && isForced(*point.given));
}

int64_t Decisions::give(Point &point, uint32_t rank, int64_t value, bool exact) {
  if (point.executes) {
    ++cursorOf(point, rank).passed;
    return value;
  }
  const std::optional<int64_t> given = next(point, rank);
  if (exact && holdsAsComputed(point) && (isAssumed() || given)) {
    point.otherwise |= !point.log.real && given != value;
    // As long as nothing has been skipped, what it rests on may still be run.
    point.executes |= point.otherwise && wishes_.execute;
    notePass(point, rank);
    cursorOf(point, rank).computed = true;
    return value;
  }
  if (!given)
    return contradict(point, rank, whyNone(point, rank), value);
  noteAssumed(point, rank);
  const uint64_t pass = point.cursors[rank].passed;
  if (point.otherwise)
    return contradict(point, rank,
                      fmt::format("on {} ranks it decided otherwise than on the {} that were "
                                  "recorded, and pass {} comes after computations were skipped "
                                  "(--decisions-from-rank=execute runs what it rests on)",
                                  origin_.ranks, wishes_.given->ranks, pass),
                      *given);
  if (exact && *given != value && !isForced(*point.given))
    return contradict(
        point, rank, fmt::format("pass {} computed {}, where {} was recorded", pass, value, *given),
        *given);
  return *given;
}

int64_t Decisions::contradict(Point &point, uint32_t rank, const std::string &what,
                              int64_t otherwise) {
  contradict(point.log, point.told, rank, what);
  return otherwise;
}

void Decisions::contradict(const PointLog &point, bool &told, uint32_t rank,
                           const std::string &what) {
  const std::string message =
      fmt::format("rank {}, at {} ({}): {}", rank, nameOf(point.key), point.what, what);
  if (!wishes_.goOn)
    fail_(fmt::format("gnomon: error: the run contradicts the decisions of {}: {}{}",
                      wishes_.given->path, message, remedy()));
  ++contradicted_;
  if (!std::exchange(told, true))
    notes_.push_back("the run contradicts its decisions: " + message);
}

std::string Decisions::ended() {
  allInputs_ = inputs_->all();
  if (!gives() || wishes_.goOn)
    return {};
  if (inputCheck_ && wishes_.learning)
    for (const std::string &path : inputCheck_->after(*allInputs_).unrecorded)
      return unrecordedInput("the program", path) + "\n";
  if (std::string points = missedAtEnd(); !points.empty() || !arrivals_)
    return points;
  const std::optional<Arrivals::Missed> missed = arrivals_->missed(origin_.ranks);
  return missed ? missedSentence(*missed) : std::string();
}

std::string Decisions::missedSentence(const Arrivals::Missed &missed) const {
  return fmt::format("gnomon: error: the run contradicts the decisions of {}: rank {}, at {} "
                     "({}): it was passed {} times, where {} were recorded{}\n",
                     wishes_.given->path, missed.rank, nameOf(missed.point.key), missed.point.what,
                     missed.passed, missed.recorded, remedy());
}

/// The first point that was passed less often than recorded.
std::string Decisions::missedAtEnd() const {
  for (const Point &point : points_)
    for (uint32_t rank = 0; point.given && !point.executes && rank < origin_.ranks; ++rank) {
      const Values *values = valuesFor(*point.given, rank);
      if (!values)
        continue;
      const uint64_t all = timesOf(*values);
      const uint64_t passed = rank < point.cursors.size() ? point.cursors[rank].passed : 0;
      // Ranks that did not pass it when it was recorded need not pass it now.
      if (passed < all && (!isAssumed() || passed > 0))
        return missedSentence({rank, point.log, passed, all});
    }
  return {};
}

DecisionReport Decisions::report() const {
  DecisionReport report;
  report.kind = gives() ? DecisionReport::Kind::Given : DecisionReport::Kind::Recorded;
  report.learning = wishes_.learning;
  report.assumed = assumed_;
  report.contradicted = contradicted_;
  report.notes = notes_;
  report.inputs = allInputs_ ? allInputs_->size() : 0;
  if (inputCheck_) {
    const InputDifferences differences =
        allInputs_ ? inputCheck_->after(*allInputs_) : inputCheck_->before();
    report.inputsDifferent = differences.count();
    for (std::string &sentence : differences.sentences())
      report.notes.push_back(std::move(sentence));
  }
  if (const auto later = std::ranges::count_if(
          points_, [](const Point &point) { return point.otherwise && point.executes; }))
    report.notes.push_back(fmt::format("points that decide otherwise on {} ranks than on the {} "
                                       "recorded ones, and are executed: {}",
                                       origin_.ranks, wishes_.given->ranks, later));
  const std::vector<PointLog> recorded = logs();
  for (const Point &point : points_) {
    uint64_t passed = 0;
    for (const Cursor &cursor : point.cursors)
      passed += cursor.passed;
    for (const Values &values : recorded[static_cast<size_t>(&point - points_.data())].ofRank)
      passed += timesOf(values);
    report.passed += passed;
    report.points += passed > 0;
    report.executed += passed > 0 && point.executes;
    report.unseen += point.unseen;
  }
  if (arrivals_) {
    report.passed += arrivals_->passed();
    report.points += arrivals_->points();
  }
  if (report.unseen > 0)
    report.notes.push_back(unseenSentence(report.unseen));
  return report;
}

DecisionLog Decisions::recorded() const {
  DecisionLog log;
  static_cast<RunOrigin &>(log) = origin_;
  log.inputsKnown = true;
  log.inputs = inputLogs(allInputs_ ? *allInputs_ : inputs_->all(), origin_.ranks);
  log.points = logs();
  if (arrivals_)
    for (PointLog &point : arrivals_->recorded())
      log.points.push_back(std::move(point));
  for (const PointLog &point : log.points)
    if (const size_t ranks = point.ofRank.size(); ranks > origin_.ranks)
      log.spawned = std::max(log.spawned, static_cast<uint32_t>(ranks - origin_.ranks));
  return log;
}

RunOrigin originOf(int argc, char **argv, const std::vector<JobPart> &companions, uint32_t ranks) {
  std::vector<std::string> words(argv + std::min(1, argc), argv + argc);
  for (const JobPart &part : companions)
    for (std::string &word : wordsOf(part))
      words.push_back(std::move(word));
  const gnomon_module *program = mainModule();
  return {text(program ? program->name : nullptr), buildOf(companions), shellText(words), ranks};
}

bool programDecides() {
  return std::ranges::any_of(modules(),
                             [](const gnomon_module *module) { return module->point_count > 0; });
}

std::shared_ptr<Decisions> makeDecisions(DecisionWishes wishes, const process::Settings &ranks) {
  if (!ranks.launched || !wishes.any())
    return nullptr;
  RunOrigin origin =
      originOf(ranks.argc, ranks.argv, ranks.companions, static_cast<uint32_t>(ranks.hosts.size()));
  auto decisions = std::make_shared<Decisions>(
      std::move(wishes), std::move(origin), [](const std::string &message) {
        abortWorld(static_cast<int>(ExitCode::BadInput), message);
      });
  for (gnomon_module *module : modules())
    decisions->introduce(*module);
  return decisions;
}

static Decisions *running() { return bursts() ? bursts()->decisions() : nullptr; }

DecisionLog recordedDecisions() {
  if (!running())
    return {};
  DecisionLog log = running()->recorded();
  log.bursts = bursts()->recordedBursts();
  log.stretches = bursts()->recordedStretches(log.bursts);
  log.allBursts = bursts()->recordsBursts();
  if (std::ranges::any_of(log.bursts, [](const BurstLog &burst) { return !burst.costs.empty(); }))
    log.machine = bursts()->costUnit();
  return log;
}
std::string decisionsEnded() { return running() ? running()->ended() : std::string(); }

} // namespace gnomon::process::burst
