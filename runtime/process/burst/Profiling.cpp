// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Making a profile of a run, and using one: bursts are matched by file, function and line, and
/// where the line has moved, by their ordinal in the function.
#include "process/Modules.h"
#include "process/burst/Bursts.h"

#include <algorithm>
#include <map>

namespace gnomon::process::burst {
namespace {

std::string text(const char *value) { return value ? value : ""; }

/// The keys of a module's bursts, in its order.
std::vector<BurstKey> keysOf(const gnomon_module &module) {
  std::map<std::pair<std::string, std::string>, uint32_t> counts;
  std::vector<BurstKey> keys;
  for (uint64_t i = 0; i < module.burst_count; ++i) {
    const gnomon_burst &record = *module.bursts[i];
    BurstKey key{text(record.name), text(record.file), text(record.function), record.line, 0};
    key.ordinal = counts[{key.file, key.function}]++;
    keys.push_back(std::move(key));
  }
  return keys;
}

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

std::string placeOf(const BurstKey &key) {
  return (key.name.empty() ? key.function : key.name) + " (" + key.file + ":" +
         std::to_string(key.line) + ")";
}

/// The row's figures for each Warmth; what one lacks, another gives.
void teach(Sampler &sampler, gnomon_burst &record, const std::vector<ProfileRow> &rows) {
  std::map<int, PerWarmth<double>> buckets;
  for (const ProfileRow &row : rows) {
    auto &rates = buckets.try_emplace(row.bucket, PerWarmth<double>{-1, -1, -1}).first->second;
    for (size_t kind = 0; kind < Warmths; ++kind)
      if (row.warmth == static_cast<int>(kind) || (row.warmth < 0 && rates[kind] < 0))
        rates[kind] = row.secondsPerWork;
  }
  for (auto &[bucket, rates] : buckets) {
    const double any = *std::max_element(rates.begin(), rates.end());
    for (size_t kind = Warmths; kind-- > 0;)
      if (rates[kind] < 0)
        rates[kind] = kind + 1 < Warmths && rates[kind + 1] >= 0 ? rates[kind + 1] : any;
    if (any >= 0)
      sampler.know(record, bucket < 0 ? Sampler::AnyBucket : static_cast<uint8_t>(bucket), rates);
  }
}

} // namespace

void Bursts::learn(gnomon_module &module) {
  const Profile &profile = *settings_.bursts.profile;
  const std::vector<BurstKey> keys = keysOf(module);
  for (size_t i = 0; i < keys.size(); ++i) {
    gnomon_burst &record = *module.bursts[i];
    const ProfileBurst *known = find(profile, keys[i]);
    double rate = profile.meanSecondsPerInstruction;
    if (known && !known->rows.empty()) {
      if (known->rows[0].secondsPerInstruction >= 0)
        rate = known->rows[0].secondsPerInstruction;
      teach(sampler_, record, known->rows);
    } else {
      missing_.push_back(placeOf(keys[i]));
    }
    ratePerInstruction_[&record] = rate;
  }
}

double Bursts::rateOf(const gnomon_burst &record) const {
  auto found = ratePerInstruction_.find(&record);
  return found == ratePerInstruction_.end() ? settings_.bursts.profile->meanSecondsPerInstruction
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

Profile Bursts::recorded() const {
  Profile profile;
  if (const gnomon_module *module = mainModule())
    profile.program = text(module->name);
  profile.hostSpeedFlops = flopsPerCost();
  std::map<const gnomon_burst *, size_t> places;
  for (const gnomon_module *module : modules()) {
    const std::vector<BurstKey> keys = keysOf(*module);
    for (size_t i = 0; i < keys.size(); ++i) {
      places[module->bursts[i]] = profile.bursts.size();
      profile.bursts.push_back({keys[i], {}});
    }
  }
  Counted all;
  std::vector<Counted> sums(profile.bursts.size());
  double burstSeconds = 0;
  for (size_t slot = 0; slot < counted_.size(); ++slot) {
    const Slot &place = sampler_.slots()[slot];
    auto found = places.find(sampler_.entries()[place.burst].record);
    if (found == places.end())
      continue;
    for (size_t kind = 0; kind < Warmths; ++kind) {
      const Counted &counted = counted_[slot][kind];
      if (counted.instances == 0)
        continue;
      ProfileRow row = rowOf(counted, place.bucket, static_cast<int>(kind));
      if (const Estimator &samples = place.samples[kind]; samples.rate() > 0)
        row.spread = samples.spread() / samples.rate();
      profile.bursts[found->second].rows.push_back(row);
      add(sums[found->second], counted);
      add(all, counted);
      burstSeconds += std::max(0.0, perInstruction(counted)) * counted.instructions;
    }
  }
  for (size_t i = 0; i < sums.size(); ++i)
    if (sums[i].instances) {
      auto &rows = profile.bursts[i].rows;
      rows.insert(rows.begin(), rowOf(sums[i], -1, -1));
    }
  std::erase_if(profile.bursts, [](const ProfileBurst &burst) { return burst.rows.empty(); });
  double computed = 0;
  for (const auto &rank : world_.ranks)
    computed += (rank->burst.computedSeconds) / ranks_[rank->number].secondsPerCost;
  const double gapInstructions = static_cast<double>(countedInstructions()) - all.instructions;
  if (gapInstructions > 0)
    profile.gapSecondsPerInstruction = std::max(0.0, computed - burstSeconds) / gapInstructions;
  profile.meanSecondsPerInstruction =
      all.measuredInstructions > 0 ? perInstruction(all) : profile.gapSecondsPerInstruction;
  profile.meanSecondsPerWork = sampler_.meanRate();
  return profile;
}

} // namespace gnomon::process::burst
