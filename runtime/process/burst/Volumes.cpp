// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "process/burst/Volumes.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

namespace gnomon::process::burst {
namespace {

/// A formula misses volumes that lie farther from it than this, as a root mean square of their mean.
constexpr double MostMissed = 0.02;
/// The same where all that is known otherwise is what instances of other ranks, or of another input, have executed.
constexpr double MostMissedElsewhere = 0.25;
/// And it has no meaning when what a unit of work executes differs by more than this between small and large instances.
constexpr double MostApart = 2;
/// Of all that bursts execute: less is not worth a line.
constexpr double LeastShare = 1e-3;
/// How many bits of a number are written, and to how many numbers a list may come with them: the shorter ones find more
/// that is alike. Of a list that is too long with all of these, the mean is written.
struct Precision {
  int bits;
  size_t most;
};
constexpr int FinestBits = 9;
constexpr Precision Precisions[] = {{FinestBits, 128}, {7, 512}, {5, 1024}};
/// Runs of one burst on one rank, and of all (16 bytes each).
constexpr size_t MostRunsOfList = 1 << 16, MostRuns = 1 << 22;

/// The table of volumes that do not change grows by so many bursts: a line of the cache.
constexpr size_t BurstsTogether = 8;

int64_t rounded(uint64_t volume, int bits) {
  const int shift = std::max(0, static_cast<int>(std::bit_width(volume)) - bits);
  const uint64_t half = shift ? uint64_t{1} << (shift - 1) : 0;
  return static_cast<int64_t>((volume + half) >> shift << shift);
}

Values rounded(const Values &runs, int bits) {
  Values all;
  for (const ValueRun &run : runs)
    appendRun(all, {rounded(static_cast<uint64_t>(run.value), bits), run.times});
  return all;
}

/// How many runs of a list are left without the repetitions of its beginning: a program does the same in each step. More
/// than \p most: too many.
size_t lengthWithoutRepetition(const Values &runs, size_t most) {
  size_t period = 1;
  for (size_t at = 1; at < runs.size() && period <= most; ++at) {
    const ValueRun &now = runs[at], &then = runs[at - period];
    const bool isLast = at + 1 == runs.size();
    if (now.value != then.value || now.times > then.times || (now.times < then.times && !isLast))
      period = at + 1;
  }
  return period;
}

} // namespace

void VolumeRecorder::Fit::add(double of, double much, uint64_t times) {
  const auto each = static_cast<double>(times);
  amount += each * much;
  units += each * of;
  amountSquares += each * much * much;
  products += each * much * of;
  unitSquares += each * of * of;
  count += times;
}

double VolumeRecorder::Fit::squaredErrors() const {
  return std::max(0.0, amountSquares - 2 * ratio() * products + ratio() * ratio() * unitSquares);
}

Values VolumeRecorder::List::values() const {
  if (instances == 0)
    return {};
  if (averaged)
    return {{mean(), instances}};
  Values coarser;
  for (const Precision &precision : Precisions) {
    if (precision.bits != FinestBits)
      coarser = rounded(runs, precision.bits);
    const Values &all = precision.bits == FinestBits ? runs : coarser;
    const size_t length = lengthWithoutRepetition(all, precision.most);
    if (length > precision.most)
      continue;
    Values written(all.begin(), all.begin() + static_cast<ptrdiff_t>(length));
    if (length == 1)
      written[0].times = 1;
    return written;
  }
  return {{mean(), instances}};
}

int64_t VolumeRecorder::List::mean() const {
  const double each = static_cast<double>(volume) / static_cast<double>(instances);
  return rounded(std::max<uint64_t>(1, static_cast<uint64_t>(each)), FinestBits);
}

bool VolumeRecorder::OfBurst::isMissed(double volume, double mostMissed) const {
  double errors = 0, instances = 0, least = HUGE_VAL, most = 0;
  fits.forEach([&](size_t, const Fit &fit) {
    errors += fit.squaredErrors();
    instances += static_cast<double>(fit.count);
    if (fit.amount < LeastShare * volume)
      return;
    least = std::min(least, fit.ratio());
    most = std::max(most, fit.ratio());
  });
  return std::sqrt(errors * instances) > mostMissed * volume || most > MostApart * least;
}

void VolumeRecorder::OfBurst::noteWork(uint64_t work, uint64_t instructions, uint64_t times) {
  hasWork |= work > 0;
  if (instructions == 0)
    return;
  const double amount = unitsOf(instructions);
  fits[bucketOf(work)].add(unitsOf(work), amount, times);
  ofVolumes[bucketOf(instructions)].volume += static_cast<double>(times) * amount;
}

void VolumeRecorder::makeRoom(uint32_t rank, size_t index) {
  if (index >= lists_.size()) {
    lists_.resize(index + 1);
    bursts_.resize(index + 1);
  }
  if (rank >= lists_[index].size())
    lists_[index].resize(rank + 1);
}

/// An instance that has executed something else than the one before, or nearly the same.
void VolumeRecorder::noteOther(List &list, uint64_t instructions, uint64_t times) {
  const int64_t value = rounded(instructions, FinestBits);
  // The list's end lies far from what else is read here.
  const bool same = !list.runs.empty() && value == rounded(list.last, FinestBits);
  list.last = instructions;
  if (list.averaged)
    return;
  const size_t before = list.runs.size();
  if (same)
    list.runs.back().times += times;
  else
    append(list.runs, {value, times});
  runs_ += list.runs.size() - before;
  if (list.runs.size() <= MostRunsOfList && (runs_ <= MostRuns || list.runs.size() == before))
    return;
  runs_ -= list.runs.size();
  list.runs = {};
  list.averaged = true;
}

const VolumeRecorder::Lists *VolumeRecorder::find(const gnomon_burst &record) const {
  const size_t index = record.index - 1;
  return index < lists_.size() && !lists_[index].empty() ? &lists_[index] : nullptr;
}

static uint64_t instancesOf(const Values &values) {
  uint64_t instances = 0;
  for (const ValueRun &run : values)
    instances += run.times;
  return instances;
}

/// Its work follows the ends of its loops, by a formula or as the program tells it. Where these rest on what is skipped or
/// folded, it is right in a run that executes everything, and may be wrong where the volumes are asked for.
bool VolumeRecorder::OfBurst::mayBeStale(const gnomon_burst &record) const {
  const uint32_t flags = record.flags | (record.decided ? record.decided->flags : 0);
  return hasWork && flags & (GNOMON_BURST_FRAIL | GNOMON_BURST_UNSAFE);
}

double VolumeRecorder::volumeOf(const Lists &lists) {
  uint64_t volume = 0;
  for (const List &list : lists)
    volume += list.volume;
  return static_cast<double>(volume);
}

bool VolumeRecorder::isSmall(const Lists &lists) const {
  return volumeOf(lists) <= LeastShare * static_cast<double>(volume_);
}

bool VolumeRecorder::writes(const gnomon_burst &record) const {
  const Lists *lists = find(record);
  if (!lists)
    return false;
  return kept_ == Kept::All || bursts_[record.index - 1].mayBeStale(record) ||
         (!isSmall(*lists) && bursts_[record.index - 1].isMissed(volumeOf(*lists), MostMissed));
}

double VolumeRecorder::perWork(const gnomon_burst &record) const {
  const Lists *lists = find(record);
  if (!lists)
    return 0;
  const OfBurst &burst = bursts_[record.index - 1];
  if (!burst.hasWork || burst.mayBeStale(record) ||
      burst.isMissed(volumeOf(*lists), MostMissedElsewhere))
    return 0;
  double instructions = 0, units = 0;
  burst.fits.forEach([&](size_t, const Fit &fit) {
    instructions += fit.amount;
    units += fit.units;
  });
  return instructions / units;
}

std::vector<Values> VolumeRecorder::volumesOf(const gnomon_burst &record) const {
  std::vector<Values> volumes;
  if (!writes(record))
    return volumes;
  const Lists &lists = *find(record);
  const bool small = isSmall(lists);
  // Of a small part the mean will do. But a number that is stale may be any, and that much would be charged.
  volumes.reserve(lists.size());
  for (const List &list : lists)
    volumes.push_back(!small           ? list.values()
                      : list.instances ? Values{{list.mean(), 1}}
                                       : Values{});
  return volumes;
}

/// Null: all are empty.
static const Values *shortest(const std::vector<Values> &lists) {
  const Values *found = nullptr;
  for (const Values &values : lists)
    if (!values.empty() && (!found || instancesOf(values) < instancesOf(*found)))
      found = &values;
  return found;
}

uint64_t VolumeRecorder::repeatsOf(const gnomon_burst &record,
                                   const std::vector<Values> &volumes) const {
  const Values *list = shortest(volumes);
  if (!list)
    return 0;
  return (*find(record))[static_cast<size_t>(list - volumes.data())].instances / instancesOf(*list);
}

void VolumeRecorder::noteCost(const gnomon_burst &record, Warmth warmth, uint64_t instructions,
                              double cost) {
  if (kept_ == Kept::All || record.index - 1 >= bursts_.size() || instructions == 0)
    return;
  OfBurst &burst = bursts_[record.index - 1];
  burst.hasCosts = true;
  burst.ofVolumes[bucketOf(instructions)].costs[static_cast<size_t>(warmth)].add(
      unitsOf(instructions), cost);
}

ProfileRow VolumeRecorder::Fit::row(int bucket, int warmth) const {
  ProfileRow row{.bucket = bucket, .warmth = warmth, .instances = count};
  row.secondsPerWork = ratio();
  if (amount > 0)
    row.spread = std::sqrt(squaredErrors() * static_cast<double>(count)) / amount;
  return row;
}

std::vector<ProfileRow> VolumeRecorder::costsPerInstruction(const gnomon_burst &record) const {
  std::vector<ProfileRow> rows;
  if (!find(record) || !bursts_[record.index - 1].hasCosts)
    return rows;
  ProfileRow all{.bucket = -1, .warmth = -1};
  double cost = 0, volume = 0, squares = 0;
  bursts_[record.index - 1].ofVolumes.forEach([&](size_t bucket, const OfVolumes &of) {
    double amount = 0, units = 0, errors = 0;
    for (size_t kind = 0; kind < Warmths; ++kind) {
      const Fit &fit = of.costs[kind];
      if (fit.count == 0)
        continue;
      rows.push_back(fit.row(static_cast<int>(bucket), static_cast<int>(kind)));
      amount += fit.amount;
      units += fit.units;
      errors += fit.squaredErrors();
      all.instances += fit.count;
    }
    if (units == 0)
      return;
    // As much as all instances have executed, so many times what was measured.
    const double times = of.volume / units;
    cost += amount * times;
    volume += units * times;
    squares += errors * times * times;
  });
  all.secondsPerWork = cost / volume;
  if (cost > 0)
    all.spread = std::sqrt(squares * static_cast<double>(all.instances)) / cost;
  rows.push_back(all);
  return rows;
}

/// What a rank that was recorded executed in its first instances.
static double meanOfFirst(const BurstLog &log, uint64_t instances) {
  double sum = 0;
  for (const Values &values : log.volumes) {
    uint64_t left = instances;
    for (const ValueRun &run : values) {
      const uint64_t times = std::min(left, run.times);
      sum += static_cast<double>(times) * static_cast<double>(run.value);
      left -= times;
    }
  }
  return sum / static_cast<double>(log.volumes.size());
}

/// How many kinds of ranks there are where nobody looks for anything (valuesFor).
static uint32_t kindsOf(const DecisionLog &log, uint32_t ranks, bool fromRank, bool finds) {
  if (ranks == log.ranks || finds)
    return ranks;
  return fromRank ? 1 : std::min(ranks, std::max(log.ranks, 1U));
}

GivenVolumes::GivenVolumes(const DecisionLog &log, uint32_t ranks, std::optional<uint32_t> fromRank,
                           bool finds, bool sameRun)
    : log_(log), ranks_(ranks), sameRanks_(ranks == log.ranks), finds_(finds && !sameRanks_),
      sameRun_(sameRun), fromRank_(fromRank),
      kinds_(kindsOf(log, ranks, fromRank.has_value(), finds_)) {}

void GivenVolumes::introduce(gnomon_burst &record, const BurstLog &log) {
  if (log.volumes.empty())
    return;
  if (record.index > bursts_.size())
    bursts_.resize(record.index);
  OfBurst &burst = bursts_[record.index - 1];
  burst.log = &log;
  burst.toFind = toFind(log);
  if (record.index > stride_) { // found anew, for more bursts
    stride_ = (record.index + BurstsTogether - 1) / BurstsTogether * BurstsTogether;
    same_.clear();
  }
  ++given_;
  if (burst.toFind > 0) {
    ++foundAnew_;
    burst.looking = ranks_;
    looking_ += ranks_;
    lookedFor_ += meanOfFirst(log, burst.toFind) * ranks_;
  }
  record.flags |= GNOMON_BURST_VOLUMES;
}

/// Ranks that were not recorded are like those that were, in turn.
const Values *GivenVolumes::valuesFor(const BurstLog &log, uint32_t rank) const {
  static const Values none;
  if (log.alike)
    return &log.volumes[0];
  if (fromRank_ && !sameRanks_)
    rank = *fromRank_;
  else if (!sameRanks_)
    rank %= log_.ranks;
  return rank < log.volumes.size() ? &log.volumes[rank] : &none;
}

/// 0: it takes what is given.
uint64_t GivenVolumes::toFind(const BurstLog &log) const {
  if (!finds_ || fromRank_ || log.alike || log.repeats < LeastRepeats)
    return 0;
  const Values *list = shortest(log.volumes);
  return list && instancesOf(*list) <= MostFound ? instancesOf(*list) : 0;
}

void GivenVolumes::comeTo(VolumeCursor &cursor, const Values &values) {
  cursor.runs = values.data();
  cursor.length = static_cast<uint32_t>(values.size());
  cursor.run = 0;
  cursor.taken = 0;
}

VolumeCursor &GivenVolumes::cursorOf(OfBurst &burst, uint32_t rank) const {
  if (rank >= burst.cursors.size())
    burst.cursors.resize(rank + 1);
  VolumeCursor &cursor = burst.cursors[rank];
  if (!std::exchange(cursor.introduced, true)) {
    comeTo(cursor, *valuesFor(*burst.log, rank));
    cursor.missing = burst.toFind;
  }
  return cursor;
}

/// Nothing will be looked for any more.
void GivenVolumes::becomeSteady(VolumeCursor &cursor, uint32_t rank, const gnomon_burst &record) {
  cursor.steady = true;
  if (cursor.length > 1)
    return;
  const size_t kind = kindOf(rank);
  if (same_.size() < (kind + 1) * stride_)
    same_.resize((kind + 1) * stride_);
  same_[kind * stride_ + record.index - 1] = cursor.length == 1 && cursor.runs[0].value != 0
                                                 ? static_cast<uint64_t>(cursor.runs[0].value)
                                                 : ByFormula;
}

void GivenVolumes::looksNoMore(OfBurst &burst, uint64_t ranks) {
  const uint64_t fewer = std::min(ranks, burst.looking);
  burst.looking -= fewer;
  looking_ -= fewer;
}

GivenVolumes::Volume GivenVolumes::next(uint32_t rank, const gnomon_burst &record, uint64_t work) {
  OfBurst &burst = bursts_[record.index - 1];
  VolumeCursor &cursor = cursorOf(burst, rank);
  if (std::exchange(cursor.begun, false)) { // and did not come to its end
    cursor.missing = 0;
    cursor.own.clear();
    looksNoMore(burst, 1);
  }
  cursor.begun = cursor.missing > 0;
  if (cursor.length == 0) {
    if (burst.looking == 0 && cursor.missing == 0)
      becomeSteady(cursor, rank, record);
    return {work, !cursor.begun};
  }
  const int64_t value = cursor.runs[cursor.run].value;
  goOn(cursor);
  // The others will hardly come to the burst.
  if (burst.looking > 0 && cursor.missing == 0 &&
      ++cursor.later >= std::max(burst.toFind, LeastLater))
    looksNoMore(burst, burst.looking);
  if (burst.looking == 0 && cursor.missing == 0)
    becomeSteady(cursor, rank, record);
  return {value ? static_cast<uint64_t>(value) : work, !cursor.begun};
}

void GivenVolumes::found(uint32_t rank, const gnomon_burst &record, uint64_t instructions) {
  OfBurst &burst = bursts_[record.index - 1];
  VolumeCursor &cursor = cursorOf(burst, rank);
  if (!cursor.begun || instructions == 0)
    return;
  cursor.begun = false;
  appendRun(cursor.own, {static_cast<int64_t>(instructions), 1});
  if (--cursor.missing == 0) {
    comeTo(cursor, cursor.own);
    looksNoMore(burst, 1);
  }
}

} // namespace gnomon::process::burst
