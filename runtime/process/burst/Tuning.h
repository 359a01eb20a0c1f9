// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The numbers that the sampler was tuned with (docs/bursts.md has the measurements): seconds are
/// costs, where costs are seconds.
#pragma once

#include <cstdint>

namespace gnomon::process::burst {

// What samples say (Rates).

/// Relative difference up to which two rates are the same, in relative errors asked for: each of
/// the two may be off by one.
inline constexpr double AgreeErrors = 2;
/// Samples over all ranks are kept up to this number when each rank samples for itself.
inline constexpr uint32_t MostKept = 512;
/// Every burst is measured so often even where no sample is needed, for the table; and where rates
/// are wanted of every burst. After that, each time a quarter more has been executed.
inline constexpr uint64_t AlwaysMeasured = 10;
inline constexpr uint64_t AlwaysMeasuredForRates = 1000;
inline constexpr uint64_t MeasuredGrowth = 4;

// Who may be skipped (Openings).

/// A weakening burst waits for the samples of frail ones during so many passes on each rank, and
/// during so many instances in one pass: nothing else is met before that ends.
inline constexpr uint64_t PatiencePasses = 50;
inline constexpr uint64_t PatienceInstances = 10000;
/// It looks at the frail ones at each of so many instances, then at every 64th.
inline constexpr uint64_t InstancesLookedAt = 1000;
inline constexpr uint64_t InstancesBetweenLooks = 64;

// Who must learn (Watches).

/// Ranks that execute a sample of their own before they skip.
inline constexpr uint64_t MostWitnesses = 8;
/// Seconds of executing everything after which the caches have forgotten what was skipped: they are
/// filled from memory at some 10 GB/s.
inline constexpr double CleanSeconds = 300e-6;
/// Samples in a row that are not taken because they would stand too near to skipped instances.
inline constexpr uint8_t MostUntaken = 2;
/// Part of a watch that must have had nothing more to teach.
inline constexpr double QuietShare = 0.33;
/// Seconds of warm instances that the ranks of a run watch at least, all together: the machine's
/// own speed wanders within a tenth of a second.
inline constexpr double LeastWatched = 0.1;
/// Samples of a kind while ranks watch, however they differ.
inline constexpr uint32_t MostWatchedSamples = 12;
/// Equations that a kind should have, and stretches with it after which it goes without.
inline constexpr uint32_t Equations = 8;
inline constexpr uint32_t MostStretches = 64;
/// Stretches with a kind after which ranks that watch to their end look at one of so many only, of those that do not
/// last so long, and of longer ones: to look at one takes a microsecond, and as much again for each few bursts.
inline constexpr uint32_t StretchesOfMany = 256, StretchesOfManyLong = 1024;
inline constexpr double LongStretchSeconds = 100e-6;
inline constexpr uint64_t StretchesBetweenLooks = 64;
/// And stretches after which the ranks' factors are found anew.
inline constexpr uint64_t StretchesBetweenWeighings = 1024;
/// An instance so long is not disturbed by being measured (some microseconds): where ranks watch, so
/// many of a kind are, though fewer would do. A core's state lasts for some ten milliseconds.
inline constexpr double UndisturbedSeconds = 200e-6;
inline constexpr uint32_t MostUndisturbedSamples = 100;
/// A pass so long makes the caches its own: the rest of it may be skipped.
inline constexpr uint64_t LongPassInstances = 8;
inline constexpr double LongPassSeconds = 5e-3;
/// What a sample costs the code around it, in caches and predictors, and how much of a stretch that
/// may be.
inline constexpr double SampleDisturbs = 5e-6;
inline constexpr double MostDisturbed = 0.01;

// When skipping has become the rule (Prevalence).

/// Skipped instances between two looks, at least; simulated seconds that must have been skipped, all ranks together;
/// and how much may have been executed meanwhile, of that.
inline constexpr uint64_t SkipsBetweenLooks = 64;
inline constexpr double PrevailingSeconds = 1;
inline constexpr double PrevailingShare = 0.05;

} // namespace gnomon::process::burst
