// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Who is told how much each rank computes, as the run is recorded for replay (room api). Room ranks
/// measures, and knows no trace.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace gnomon::process {

class Rank;

/// Of a part of a computation: a burst, or the code between bursts. What was skipped is in it as what
/// it would have taken.
struct Volume {
  double instructions = std::numeric_limits<double>::quiet_NaN(); ///< NaN: not counted
  double seconds = std::numeric_limits<double>::quiet_NaN(); ///< of this machine; NaN: not measured
};

/// What a rank has computed and is not yet recorded, by part, in the order in which they came. Every
/// call and every burst adds to it, so it stands here, where no virtual call is needed.
class VolumeTally {
public:
  struct Part {
    uint32_t number;
    Volume volume;
  };

  /// The volume may be negative, where the part before got too much: code counts its instructions
  /// some way ahead. The sum is right when it is played.
  void add(uint32_t part, const Volume &volume) {
    const auto isSome = [](double value) { return value < 0 || value > 0; };
    if (!isSome(volume.instructions) && !isSome(volume.seconds))
      return;
    for (size_t i = parts_.size(); i-- > 0;) {
      if (parts_[i].number != part)
        continue;
      // What is not known of a part of it is not known of the whole.
      parts_[i].volume.instructions += volume.instructions;
      parts_[i].volume.seconds += volume.seconds;
      return;
    }
    parts_.push_back({part, volume});
  }
  /// The same of so many instructions, which are all that is ever told of the run.
  void addInstructions(uint32_t part, double instructions) {
    if (instructions == 0)
      return;
    Part *const begin = parts_.data();
    for (Part *at = begin + parts_.size(); at-- != begin;)
      if (at->number == part) {
        at->volume.instructions += instructions;
        return;
      }
    if (parts_.size() == parts_.capacity()) [[unlikely]]
      return addPart(part, instructions);
    parts_.push_back({part, {.instructions = instructions}});
  }
  /// Where those of \p part are; null: it has none yet. Valid until another part comes, or all are taken.
  double *instructionsOf(uint32_t part) {
    for (Part &each : parts_)
      if (each.number == part)
        return &each.volume.instructions;
    return nullptr;
  }
  bool empty() const { return parts_.empty(); }
  std::vector<Part> &parts() { return parts_; }

private:
  /// Where there is no room. Leaves its caller's registers alone: nothing is saved for it where it is not called.
  [[gnu::noinline, clang::preserve_most]] void addPart(uint32_t part, double instructions) {
    parts_.push_back({part, {.instructions = instructions}});
  }

  std::vector<Part> parts_;
};

class VolumeSink {
public:
  virtual ~VolumeSink() = default;
  /// Of the rank of that number; it stays where it is.
  VolumeTally &tally(uint32_t rank) {
    if (rank >= tallies_.size()) [[unlikely]]
      addTallies(rank);
    return *tallies_[rank];
  }
  /// The number of the burst of that name; 0 is the code between bursts.
  virtual uint32_t part(const std::string &name) = 0;
  /// What it has computed takes simulated time now.
  virtual void played(const Rank &rank) = 0;
  /// The program has read a clock \p readings times since the last call of this.
  virtual void readClock(const Rank &rank, uint32_t readings) = 0;
  virtual void sleeps(const Rank &rank, double seconds) = 0;

private:
  [[gnu::noinline, clang::preserve_most]] void addTallies(uint32_t rank) {
    while (tallies_.size() <= rank)
      tallies_.push_back(std::make_unique<VolumeTally>());
  }

  std::vector<std::unique_ptr<VolumeTally>> tallies_; ///< by rank
};

/// Of the running simulation; null: the run is not recorded.
inline constinit VolumeSink *volumeSink = nullptr;
/// Whether the meter counts instructions (--compute=counted): they are all that is told. Decided when
/// the world is made: each burst of a recorded run asks.
inline constinit bool volumesAreCounted = false;

} // namespace gnomon::process
