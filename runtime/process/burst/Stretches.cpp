// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "process/burst/Stretches.h"

#include "process/ranks/EqualWork.h"

#include <algorithm>
#include <cmath>

namespace gnomon::process::burst {
namespace {

/// Programs whose stretches never repeat: what comes later is measured by each run.
constexpr size_t MostAlike = 1 << 14;
/// Nor are those of many ranks kept beyond 64 MB.
constexpr size_t MostOfRanks = 1 << 22;
/// What is written makes up that part of the time, if so many do.
constexpr double Written = 0.999;
constexpr size_t MostWritten = 2048;
/// Ranks' own means beyond that many would make the file large.
constexpr size_t MostRanksApart = 1024;
/// So many stretches count what recorded ones should have cost.
constexpr double Recorded = 8;

} // namespace

uint64_t WholeStretch::name(uint64_t instructions) const {
  return shape != 0 ? shape : workOf(instructions);
}

Sizing sizingOf(const BurstLog *log) {
  if (!log || log->volumes.empty())
    return Sizing::Formula;
  const bool alike =
      std::ranges::all_of(log->volumes, [](const Values &values) { return values.size() <= 1; });
  return alike ? Sizing::Alike : Sizing::Volume;
}

void WholeStretch::add(const Stretch &part, const std::vector<Slot> &slots) {
  if (shape == 0)
    first = part.first;
  shape += part.shape;
  kind += part.kind;
  cost += part.charged + part.known;
  volume += static_cast<double>(part.volume);
  for (const Variation::Term &term : part.terms)
    kinds.push_back({slots[term.kind].burst + 1, slots[term.kind].bucket, term.times, term.work});
}

void WholeStretch::addVolume(uint32_t burst, uint64_t instructions, uint32_t times) {
  const auto bucket = static_cast<uint32_t>(bucketOf(instructions));
  volumeShape += times * shapeOf(burst, bucket);
  // The latest few are those that come again.
  for (size_t i = volumes.size(), looks = 32; i-- > 0 && looks-- > 0;)
    if (volumes[i].burst == burst && volumes[i].bucket == bucket) {
      volumes[i].times += times;
      volumes[i].work += times * unitsOf(instructions);
      return;
    }
  volumes.push_back({burst, bucket, times, times * unitsOf(instructions)});
}

/// Others like them had so much work: mostly they stand in the same order.
static void addWork(std::vector<Met> &sums, std::span<const Met> more, double times = 1) {
  for (size_t i = 0; i < more.size(); ++i) {
    const auto same = [&](const Met &met) {
      return met.burst == more[i].burst && met.bucket == more[i].bucket;
    };
    if (i < sums.size() && same(sums[i]))
      sums[i].work += times * more[i].work;
    else if (const auto found = std::ranges::find_if(sums, same); found != sums.end())
      found->work += times * more[i].work;
    else {
      sums.push_back(more[i]); // of another size
      sums.back().work *= times;
    }
  }
}

void StretchRecorder::Alike::add(uint32_t rank, double did, double took, uint64_t number) {
  if (rank >= ofRank.size())
    ofRank.resize(rank + 1);
  OfRank &mine = ofRank[rank];
  mine.work += did;
  mine.seconds += took;
  work += did;
  seconds += took;
  ++times;
  moments.add(rank, took / did, number);
}

/// As if all had been of one kind from the beginning.
void StretchRecorder::Alike::merge(const Alike &other) {
  if (times == 0)
    first = other.first;
  addWork(kinds, other.kinds);
  addWork(volumes, other.volumes);
  times += other.times;
  seconds += other.seconds;
  work += other.work;
  instructions += other.instructions;
  ofRank.resize(std::max(ofRank.size(), other.ofRank.size()));
  for (size_t rank = 0; rank < other.ofRank.size(); ++rank) {
    ofRank[rank].work += other.ofRank[rank].work;
    ofRank[rank].seconds += other.ofRank[rank].seconds;
  }
  moments.merge(other.moments);
}

void StretchRecorder::addTo(Alike &alike, uint32_t rank, double work, double instructions,
                            double seconds) {
  const size_t before = alike.ofRank.size();
  alike.instructions += instructions;
  alike.add(rank, work, seconds, count_++);
  ofRanks_ += alike.ofRank.size() - before;
}

bool StretchRecorder::knows(uint64_t composition, double seconds) const {
  if (composition == 0 || same_.empty())
    return false;
  const Same &same = same_[composition % MostSame];
  return same.composition == composition && !(same.onlyShort && seconds >= LongStretchSeconds);
}

void StretchRecorder::addSame(uint32_t rank, uint64_t composition, double seconds) {
  Same &same = same_[composition % MostSame];
  seconds_ += seconds;
  ++same.untold;
  addTo(*same.alike, rank, same.work, same.instructions, seconds);
}

void StretchRecorder::settle(Same &same) {
  if (same.untold == 0)
    return;
  addWork(same.alike->kinds, same.kinds, static_cast<double>(same.untold));
  addWork(same.alike->volumes, same.volumes, static_cast<double>(same.untold));
  same.untold = 0;
}

void StretchRecorder::settle() {
  for (Same &same : same_)
    settle(same);
}

void StretchRecorder::add(uint32_t rank, const WholeStretch &stretch, uint64_t instructions,
                          double seconds, uint64_t composition, Watches::Taught taught) {
  uint64_t name = stretch.name(instructions);
  if (name == 0)
    return;
  if (stretch.volumeShape != 0)
    name = mixed(name, stretch.volumeShape);
  seconds_ += seconds;
  auto found = alike_.find(name);
  if (found == alike_.end()) {
    if (alike_.size() >= MostAlike || ofRanks_ >= MostOfRanks)
      return;
    found = alike_.try_emplace(name).first;
    found->second.first = stretch.shape ? stretch.first : 0;
  }
  Alike &alike = found->second;
  if (alike.times == 0) {
    alike.kinds = stretch.kinds; // each part's: their times are one shape
    alike.volumes = stretch.volumes;
  } else {
    addWork(alike.kinds, stretch.kinds);
    addWork(alike.volumes, stretch.volumes);
  }
  addTo(alike, rank, stretch.volume > 0 ? stretch.volume : unitsOf(instructions),
        static_cast<double>(instructions), seconds);
  // Of what has no volume, no two need have counted as many instructions.
  if (composition == 0 || stretch.volume == 0 || taught == Watches::Taught::Little)
    return;
  same_.resize(MostSame);
  Same &same = same_[composition % MostSame];
  const bool onlyShort = taught == Watches::Taught::Much;
  if (same.composition == composition) {
    same.onlyShort &= onlyShort;
    return;
  }
  settle(same);
  same = {.composition = composition,
          .alike = &alike,
          .work = stretch.volume,
          .instructions = static_cast<double>(instructions),
          .untold = 0,
          .onlyShort = onlyShort,
          .kinds = stretch.kinds,
          .volumes = stretch.volumes};
}

Chances StretchRecorder::Alike::chances() const {
  std::vector<double> means;
  for (const OfRank &rank : ofRank)
    means.push_back(rank.seconds / rank.work);
  return moments.chances(means);
}

StretchLog StretchRecorder::Alike::log() const {
  StretchLog log;
  log.times = times;
  log.seconds = seconds / static_cast<double>(times);
  log.instructions = instructions / static_cast<double>(times);
  if (ofRank.size() <= MostRanksApart && log.seconds > 0)
    for (const OfRank &rank : ofRank)
      log.ofRank.push_back(rank.work > 0 ? rank.seconds / seconds * (work / rank.work) : 0);
  log.chances = chances();
  return log;
}

/// Its name in a run that knows bursts so.
uint64_t StretchRecorder::Alike::shape(std::span<const Later> bursts) const {
  uint64_t shape = 0;
  for (const Met &met : kinds)
    if (const Later &burst = bursts[met.burst - 1]; burst.sizing != Sizing::Volume)
      shape +=
          met.times * shapeOf(burst.name, burst.sizing == Sizing::Alike ? AnyBucket : met.bucket);
  for (const Met &met : volumes)
    if (const Later &burst = bursts[met.burst - 1]; burst.sizing == Sizing::Volume)
      shape += met.times * shapeOf(burst.name, met.bucket);
  return shape;
}

uint64_t StretchRecorder::Alike::kind(std::span<const Later> bursts) const {
  uint64_t kind = 0;
  for (const Met &met : kinds)
    kind += met.times * shapeOf(bursts[met.burst - 1].name, AnyBucket);
  return kind;
}

/// What the costs in \p log say of a unit of work.
static double rateOf(const BurstLog &log, uint32_t bucket) {
  double any = 0, ofBucket = 0;
  for (const ProfileRow &row : log.costs) {
    if (row.bucket < 0)
      any = row.secondsPerWork;
    else if (static_cast<uint32_t>(row.bucket) == bucket)
      ofBucket = row.secondsPerWork; // the warm ones stand last
  }
  return ofBucket > 0 ? ofBucket : any;
}

/// What the rates say of its bursts in the mean.
double StretchRecorder::Alike::cost(std::span<const Later> bursts) const {
  double sum = 0;
  for (const bool byVolume : {false, true})
    for (const Met &met : byVolume ? volumes : kinds)
      if (const Later &burst = bursts[met.burst - 1];
          burst.log && byVolume == (burst.sizing != Sizing::Formula))
        sum += met.work * rateOf(*burst.log, met.bucket);
  return sum / static_cast<double>(times);
}

std::vector<StretchLog> StretchRecorder::logs(std::span<const Later> bursts,
                                              std::vector<uint32_t> &firsts) const {
  // By name, in an order that no hash decides.
  std::map<uint64_t, const Alike *> recorded;
  for (const auto &[name, alike] : alike_)
    recorded[name] = &alike;
  std::map<uint64_t, Alike> given;
  std::map<uint64_t, uint64_t> kinds;
  for (const auto &[name, alike] : recorded) {
    const uint64_t later = alike->kinds.empty() ? name : alike->shape(bursts);
    given[later].merge(*alike);
    kinds[later] = alike->kind(bursts);
  }
  std::vector<std::pair<uint64_t, const Alike *>> all;
  for (const auto &[name, alike] : given)
    all.emplace_back(name, &alike);
  std::ranges::sort(all, [](const auto &a, const auto &b) {
    return a.second->seconds != b.second->seconds ? a.second->seconds > b.second->seconds
                                                  : a.first < b.first;
  });
  std::vector<StretchLog> logs;
  double seconds = 0;
  for (const auto &[name, alike] : all) {
    if (logs.size() >= MostWritten || seconds >= Written * seconds_)
      break;
    logs.push_back(alike->log());
    logs.back().name = name;
    logs.back().kind = kinds[name];
    logs.back().cost = alike->cost(bursts);
    firsts.push_back(alike->first);
    seconds += alike->seconds;
  }
  return logs;
}

GivenStretches::GivenStretches(const std::vector<StretchLog> &logs) {
  for (const StretchLog &log : logs) {
    alike_[log.name].log = log;
    if (log.kind != 0)
      addToKind(log);
  }
}

/// Of all sizes the mean, also that of each rank; and the chances of those of which there are most.
void GivenStretches::addToKind(const StretchLog &log) {
  StretchLog &all = kinds_[log.kind].log;
  const auto before = static_cast<double>(all.seconds > 0 ? all.times : 0);
  const auto more = static_cast<double>(log.times);
  const double seconds = (before * all.seconds + more * log.seconds) / (before + more);
  if (!(seconds > 0))
    return;
  const auto partOf = [](const StretchLog &of, size_t rank) {
    return of.ofRank.empty() ? 1 : rank < of.ofRank.size() ? of.ofRank[rank] : 0;
  };
  std::vector<double> ofRank(std::max(all.ofRank.size(), log.ofRank.size()));
  for (size_t rank = 0; rank < ofRank.size(); ++rank) {
    const double had = before > 0 && partOf(all, rank) > 0 ? before : 0;
    const double has = partOf(log, rank) > 0 ? more : 0;
    if (had + has > 0)
      ofRank[rank] =
          (had * all.seconds * partOf(all, rank) + has * log.seconds * partOf(log, rank)) /
          (had + has) / seconds;
  }
  all.cost = (before * all.cost + more * log.cost) / (before + more);
  all.instructions = (before * all.instructions + more * log.instructions) / (before + more);
  if (more > before)
    all.chances = log.chances;
  all.ofRank = std::move(ofRank);
  all.seconds = seconds;
  all.times = static_cast<uint64_t>(before + more);
}

double GivenStretches::Alike::Scale::part(double its, double recorded) {
  // Rates and sizes may lie off in the same way each time.
  const double expected = recorded > 0 ? Recorded : 0;
  ++times;
  sum += its;
  return its * (expected + static_cast<double>(times)) / (expected * recorded + sum);
}

/// What the next of them takes, of \p rank. \p cost: by its bursts' rates; 0: these say nothing.
double GivenStretches::Alike::next(uint32_t rank, double cost, double instructions) {
  double seconds = log.seconds;
  if (rank < log.ofRank.size() && log.ofRank[rank] > 0)
    seconds *= log.ofRank[rank];
  seconds *= chanceOf(log.chances, log.name, log.times, times++);
  if (cost > 0)
    return seconds * byRates.part(cost, log.cost);
  // Of skipped bursts with no rate nothing was counted: those that were recorded are no measure then.
  const double recorded = log.cost > 0 ? 0 : log.instructions;
  return instructions > 0 ? seconds * byInstructions.part(instructions, recorded) : seconds;
}

GivenStretches::Alike *GivenStretches::find(const WholeStretch &stretch, uint64_t instructions) {
  const uint64_t name = stretch.name(instructions);
  if (name == 0)
    return nullptr;
  if (const auto found = alike_.find(name); found != alike_.end())
    return &found->second;
  const auto found = kinds_.find(stretch.kind);
  return found != kinds_.end() ? &found->second : nullptr;
}

std::optional<double> GivenStretches::secondsOf(uint32_t rank, const WholeStretch &stretch,
                                                uint64_t instructions) {
  Alike *const alike = find(stretch, instructions);
  if (!alike)
    return std::nullopt;
  const double seconds = alike->next(rank, stretch.cost, static_cast<double>(instructions));
  givenSeconds_ += seconds;
  return seconds;
}

} // namespace gnomon::process::burst
