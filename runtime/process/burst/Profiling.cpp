// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Making a profile of a run, and using one: bursts are matched by file, function and line, and
/// where the line has moved, by their ordinal in the function.
#include "process/burst/Bursts.h"
#include "process/image/Modules.h"
#include "support/Hash.h"
#include "support/Number.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>

namespace gnomon::process::burst {
namespace {

std::string text(const char *value) { return value ? value : ""; }

const ProfileBurst *find(const Profile &profile, const BurstKey &key) {
  const ProfileBurst *byOrdinal = nullptr;
  for (const ProfileBurst &burst : profile.bursts) {
    if (burst.key.file != key.file || burst.key.function != key.function)
      continue;
    if (burst.key.line == key.line && burst.key.ordinal == key.ordinal)
      return &burst;
    if (burst.key.ordinal == key.ordinal)
      byOrdinal = &burst;
  }
  return byOrdinal;
}

/// Rates and errors of one bucket; what one Warmth lacks, another gives.
struct Figures {
  PerWarmth<Rate> rates;
  PerWarmth<double> errors{};

  void set(size_t kind, const ProfileRow &row) {
    rates[kind] = row.secondsPerWork;
    errors[kind] =
        row.spread / std::sqrt(static_cast<double>(std::max<uint64_t>(1, row.instances)));
  }
  /// False when nothing is known.
  bool complete() {
    for (size_t kind : {size_t{1}, size_t{0}, size_t{2}})
      for (size_t other : {size_t{2}, size_t{1}, size_t{0}})
        if (!rates[kind] && rates[other]) {
          rates[kind] = rates[other];
          errors[kind] = errors[other];
        }
    return bool(rates[0]);
  }
};

void teach(Sampler &sampler, gnomon_burst &record, const std::vector<ProfileRow> &rows) {
  std::map<int, Figures> buckets;
  for (const ProfileRow &row : rows)
    if (row.warmth >= 0)
      buckets[row.bucket].set(static_cast<size_t>(row.warmth), row);
    else
      for (size_t kind = 0; kind < Warmths; ++kind)
        buckets[row.bucket].set(kind, row);
  for (auto &[bucket, figures] : buckets)
    if (figures.complete())
      sampler.know(record, bucket < 0 ? AnyBucket : static_cast<uint8_t>(bucket), figures.rates,
                   figures.errors);
}

/// Costs of a unit of the work that the formula tells, in place of an instruction's.
std::vector<ProfileRow> perUnitOfWork(const BurstLog &log) {
  std::vector<ProfileRow> rows = log.costs;
  for (ProfileRow &row : rows) {
    row.bucket = -1; // buckets are of instructions
    row.secondsPerWork *= log.perWork;
  }
  return rows;
}

} // namespace

/// The same in each run of a program.
static uint64_t numberOf(const BurstKey &key) {
  const auto add = [](uint64_t hash, const std::string &text) {
    for (const char letter : text)
      hash = mixed(hash, static_cast<unsigned char>(letter));
    return mixed(hash, text.size());
  };
  return mixed(add(add(key.line, key.file), key.function), key.ordinal) | 1;
}

/// A burst is heard of: in a module's table, in the order of places, or when it is first met.
void Bursts::introduce(gnomon_burst &record) {
  BurstKey key{text(record.name), text(record.file), text(record.function), record.line, 0};
  key.ordinal = ordinals_[{key.file, key.function}]++;
  userSays_ = userSays_ || record.flops >= 0 || record.samples > 0;
  if (userSays_)
    givenStretches_.reset();
  anyUnsafe_ = anyUnsafe_ || (record.flags & GNOMON_BURST_UNSAFE);
  // First what is known of it: its entry is made of that.
  if (settings_.profile)
    learn(record, key);
  const BurstLog *log = givenLog(key);
  const bool byFormula = log && givenVolumes_->followsFormula(*log);
  if (log && givesCosts_)
    teach(sampler_, record, byFormula ? perUnitOfWork(*log) : log->costs);
  const uint64_t name = numberOf(key);
  keys_[&record] = std::move(key);
  sampler_.declare(record, name, byFormula || sizingOf(log) != Sizing::Alike);
  if (byFormula)
    ++followFormula_;
  else if (log)
    givenVolumes_->introduce(record, *log);
  else if (givenVolumes_ && settings_.decisions->given()->allBursts)
    sampler_.expectNone(record);
  countsVolumes_ |= givenVolumes_ && givenVolumes_->bursts() > 0;
  if (log && givesCosts_ && !log->chances.empty())
    sampler_.giveChances(record, log->chances);
}

std::string textOf(const BurstKey &key) {
  return fmt::format("{}:{} {} #{}", key.file.empty() ? "?" : key.file, key.line, key.function,
                     key.ordinal);
}

void Bursts::tellNew(BurstClock &clock, const gnomon_burst &record, int64_t ahead) {
  tellCounted(*world_.ranks[clock.bursts()->number], partOf(record), ahead);
}

/// The number of a burst for whoever records the run; that of the code between bursts for one that
/// has no name.
uint32_t Bursts::newPart(const gnomon_burst &record) {
  if (record.index >= parts_.size())
    parts_.resize(size_t{record.index} + 1, NoPart);
  namedParts_ = static_cast<uint32_t>(parts_.size() - 1);
  const auto key = keys_.find(&record);
  return parts_[record.index] = key == keys_.end() ? 0 : volumeSink->part(textOf(key->second));
}

/// What is computed from now on is of \p record; null: of the code between bursts. The counter is \p ahead of it.
void Bursts::enterBurst(BurstClock &clock, const gnomon_burst *record, int64_t ahead) {
  // What is counted and has yet to run is the next part's. What has run and is not counted yet is so, too: a call of
  // the runtime may come first, and charges what is counted.
  const bool instructions = mode_ != ComputeMode::Measured;
  const double yetToRun = instructions && ahead > 0 ? static_cast<double>(ahead) : 0;
  clock.takeOut(yetToRun);
  if (volumeSink) [[unlikely]]
    clock.tellFromNowOn(*world_.ranks[clock.bursts()->number], record ? partOf(*record) : 0);
  if (mode_ == ComputeMode::Profile) {
    const ProfileRate rate =
        record ? rateOf(*record) : ProfileRate{settings_.profile->gapSecondsPerInstruction};
    clock.changeRate(rate.secondsPerInstruction, rate.memoryShare);
  }
  clock.takeOut(-yetToRun);
}

namespace {

/// `lu.f:120 blts #3` read back; all empty where \p text names no burst.
BurstKey keyOf(const std::string &text) {
  BurstKey key;
  const size_t ordinal = text.rfind(" #"), blank = text.find(' ');
  const size_t colon = text.rfind(':', blank);
  if (ordinal == std::string::npos || colon == std::string::npos || blank >= ordinal)
    return key;
  try {
    key.ordinal = static_cast<uint32_t>(parseInteger(text.substr(ordinal + 2)));
    key.line = static_cast<uint32_t>(parseInteger(text.substr(colon + 1, blank - colon - 1)));
  } catch (const NumberError &) {
    return {};
  }
  key.file = text.substr(0, colon);
  key.function = text.substr(blank + 1, ordinal - blank - 1);
  return key;
}

} // namespace

std::optional<ProfileRate> rateOf(const Profile &profile, const std::string &text) {
  if (text.empty())
    return ProfileRate{profile.gapSecondsPerInstruction};
  const ProfileBurst *known = find(profile, keyOf(text));
  if (!known || known->rows.empty() || known->rows[0].secondsPerInstruction < 0)
    return std::nullopt;
  return ProfileRate{known->rows[0].secondsPerInstruction, known->memoryShare};
}

void Bursts::learn(gnomon_burst &record, const BurstKey &key) {
  const Profile &profile = *settings_.profile;
  const ProfileBurst *known = find(profile, key);
  ProfileRate rate{profile.meanSecondsPerInstruction};
  if (known)
    rate.memoryShare = known->memoryShare;
  knowsMemory_ |= rate.memoryShare >= 0;
  if (known && !known->rows.empty()) {
    if (known->rows[0].secondsPerInstruction >= 0)
      rate.secondsPerInstruction = known->rows[0].secondsPerInstruction;
    teach(sampler_, record, known->rows);
  } else {
    missing_.insert(&record);
  }
  profileRates_[&record] = rate;
}

ProfileRate Bursts::rateOf(const gnomon_burst &record) const {
  const auto found = profileRates_.find(&record);
  return found == profileRates_.end() ? ProfileRate{settings_.profile->meanSecondsPerInstruction}
                                      : found->second;
}

void Bursts::note(const RankState &rank, const OpenInstance &open, double cost, bool measured) {
  if (rank.slot >= counted_.size())
    counted_.resize(rank.slot + 1);
  Counted &counted = counted_[rank.slot][static_cast<size_t>(rank.warmth)];
  const auto instructions = static_cast<double>(countedInstructions() - open.instructions);
  ++counted.instances;
  counted.instructions += instructions;
  if (!measured)
    return;
  counted.measuredInstructions += instructions;
  counted.measuredCost += cost;
  counted.measuredWork += rank.work ? static_cast<double>(rank.work) : 1;
}

namespace {

void add(Counted &sum, const Counted &part) {
  sum.instances += part.instances;
  sum.instructions += part.instructions;
  sum.measuredInstructions += part.measuredInstructions;
  sum.measuredCost += part.measuredCost;
  sum.measuredWork += part.measuredWork;
}

double perInstruction(const Counted &counted) {
  return counted.measuredInstructions > 0 ? counted.measuredCost / counted.measuredInstructions
                                          : -1;
}

ProfileRow rowOf(const Counted &counted, int bucket, int warmth) {
  ProfileRow row;
  row.bucket = bucket;
  row.warmth = warmth;
  row.instances = counted.instances;
  if (counted.measuredWork > 0)
    row.secondsPerWork = counted.measuredCost / counted.measuredWork;
  row.secondsPerInstruction = perInstruction(counted);
  return row;
}

} // namespace

/// A row for each kind of \p entry's instances, after one for all; their sum in \p sum.
ProfileBurst Bursts::recordedBurst(const Entry &entry, Counted &sum, double &seconds) const {
  ProfileBurst burst;
  burst.key = keys_.at(entry.record);
  for (uint32_t number : entry.slots) {
    if (number == 0 || number > counted_.size())
      continue;
    const Slot &slot = sampler_.slots()[number - 1];
    for (size_t kind = 0; kind < Warmths; ++kind) {
      const Counted &counted = counted_[number - 1][kind];
      if (counted.instances == 0)
        continue;
      ProfileRow row = rowOf(counted, slot.bucket, static_cast<int>(kind));
      if (const Estimator &samples = slot.samples[kind]; samples.rate() > 0)
        row.spread = samples.spread() / samples.rate();
      burst.rows.push_back(row);
      add(sum, counted);
      seconds += std::max(0.0, perInstruction(counted)) * counted.instructions;
    }
  }
  if (!burst.rows.empty())
    burst.rows.insert(burst.rows.begin(), rowOf(sum, -1, -1));
  return burst;
}

Profile Bursts::recorded() const {
  Profile profile;
  if (const gnomon_module *module = mainModule())
    profile.program = text(module->name);
  profile.hostSpeedFlops = flopsPerCost();
  Counted all;
  double burstSeconds = 0, computed = 0;
  for (const Entry &entry : sampler_.entries()) {
    Counted sum;
    ProfileBurst burst = recordedBurst(entry, sum, burstSeconds);
    add(all, sum);
    computed -= entry.skippedCost;
    if (!burst.rows.empty())
      profile.bursts.push_back(std::move(burst));
  }
  for (const auto &rank : world_.ranks)
    computed += rank->burst.chargedSeconds() / ranks_[rank->number].secondsPerCost;
  const double gapInstructions = static_cast<double>(countedInstructions()) - all.instructions;
  if (gapInstructions > 0)
    profile.gapSecondsPerInstruction = std::max(0.0, computed - burstSeconds) / gapInstructions;
  profile.meanSecondsPerInstruction =
      all.measuredInstructions > 0 ? perInstruction(all) : profile.gapSecondsPerInstruction;
  profile.meanSecondsPerWork = sampler_.meanRate();
  return profile;
}

} // namespace gnomon::process::burst
