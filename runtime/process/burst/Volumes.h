// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What instances of bursts execute where the formula of their work does not tell it: sparse rows, particles, regions
/// of a mesh. A run that records decisions executes everything, and leaves the counted instructions of each instance;
/// one that is given decisions takes them for the instances' work, so that what skipped ones cost follows it.
#pragma once

#include "gnomon/Burst.h"
#include "process/burst/DecisionLog.h"
#include "process/burst/Kinds.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace gnomon::process::burst {

/// Of a run that executes everything.
class VolumeRecorder {
public:
  /// Of which bursts it is written what instances execute.
  enum class Kept : uint8_t {
    All, ///< so that nothing rests on what work is made of later, nor on what was measured
    /// Those whose formula misses it, and that make up a part of all that bursts execute; and those whose work may be made
    /// of stale data where volumes are given.
    Missed,
  };
  explicit VolumeRecorder(Kept kept) : kept_(kept) {}

  /// An instance of \p record, of \p work by its formula (0: unknown), has executed \p instructions; 0: nobody knows
  /// how many. Every instance of a recorded run comes here; \p times: so many of them, one behind the other.
  [[gnu::always_inline]] void note(uint32_t rank, const gnomon_burst &record, uint64_t work,
                                   uint64_t instructions, uint64_t times = 1) {
    const size_t index = record.index - 1;
    if (index >= lists_.size() || rank >= lists_[index].size()) [[unlikely]]
      makeRoom(rank, index);
    bursts_[index].noteWork(work, instructions, times);
    List &list = lists_[index][rank];
    list.instances += times;
    list.volume += times * instructions;
    volume_ += times * instructions;
    if (instructions == list.last && !list.runs.empty()) [[likely]]
      list.runs.back().times += times;
    else
      noteOther(list, instructions, times);
  }
  /// That instance was measured: it took \p cost.
  void noteCost(const gnomon_burst &record, Warmth warmth, uint64_t instructions, double cost);
  /// What an instruction of the burst costs: a row for each bucket of volumes and warmth with measured instances, and one
  /// for all others.
  std::vector<ProfileRow> costsPerInstruction(const gnomon_burst &record) const;
  /// Whether it is written what instances execute.
  bool writes(const gnomon_burst &record) const;
  /// By rank; none where nothing is written.
  std::vector<Values> volumesOf(const gnomon_burst &record) const;
  /// BurstLog::perWork.
  double perWork(const gnomon_burst &record) const;
  /// BurstLog::repeats of these.
  uint64_t repeatsOf(const gnomon_burst &record, const std::vector<Values> &volumes) const;

private:
  /// Amounts that shall be so much for a unit: volumes of work, or costs of volume.
  struct Fit {
    double amount = 0, units = 0, amountSquares = 0, products = 0, unitSquares = 0;
    uint64_t count = 0;

    void add(double of, double much, uint64_t times = 1);
    double ratio() const { return amount / units; }
    /// Σ (amount − ratio units)².
    double squaredErrors() const;
    /// \p bucket, \p warmth: -1 where it stands for all.
    ProfileRow row(int bucket, int warmth) const;
  };
  /// Of one rank's instances.
  struct List {
    Values runs; ///< of rounded volumes
    uint64_t instances = 0, volume = 0;
    uint64_t last = 0;     ///< what the last instance executed, not rounded
    bool averaged = false; ///< too many runs: their mean has to do

    Values values() const;
    int64_t mean() const;
  };
  /// Instances of volumes of so many bits.
  struct OfVolumes {
    double volume = 0;    ///< of all
    PerWarmth<Fit> costs; ///< of those that were measured, against their volumes
  };
  struct OfBurst {
    ByBucket<Fit> fits; ///< volumes against work, by its bucket
    ByBucket<OfVolumes> ofVolumes;
    bool hasWork = false,
         hasCosts = false; ///< somebody tells the work of instances, or has measured some

    void noteWork(uint64_t work, uint64_t instructions, uint64_t times);
    /// Of all \p volume that its instances have executed.
    /// \p most: as a part of the mean.
    bool isMissed(double volume, double most) const;
    bool mayBeStale(const gnomon_burst &record) const;
  };
  using Lists = std::vector<List>; ///< by rank
  /// Null: it has executed nothing.
  const Lists *find(const gnomon_burst &record) const;
  static double volumeOf(const Lists &lists);
  bool isSmall(const Lists &lists) const;
  // Where these are not called, nothing is saved for them.
  [[gnu::noinline, clang::preserve_most]] void makeRoom(uint32_t rank, size_t index);
  [[gnu::noinline, clang::preserve_most]] void noteOther(List &list, uint64_t instructions,
                                                         uint64_t times);

  Kept kept_;
  std::vector<Lists> lists_;    ///< by index − 1
  std::vector<OfBurst> bursts_; ///< as many
  size_t runs_ = 0;             ///< in all lists
  uint64_t volume_ = 0;         ///< of all bursts
};

/// Where a rank is in the volumes of a burst.
struct VolumeCursor {
  const ValueRun *runs = nullptr; ///< of the list that it is in
  uint32_t length = 0;            ///< of the list
  uint32_t run = 0;
  uint64_t taken = 0; ///< of the run
  bool introduced = false;
  bool steady = false;  ///< nothing is looked for
  Values own;           ///< found by the rank itself
  uint64_t missing = 0; ///< so many more are to be found
  bool begun = false;   ///< of which one is being executed
  uint64_t later = 0;   ///< instances since then, while others are waited for
};

/// How much work an instance has, known without a search.
struct SteadyWork {
  uint64_t units = 0;
  VolumeCursor *list = nullptr; ///< from which it is, where others in it have other volumes
};

/// Of a run that is given them. On another number of ranks than recorded, each rank finds its own by executing as many
/// instances as the shortest recorded list has, if these are few and come again: what a rank's cells or rows are is its own matter.
/// Where they are many, ranks are taken to be like those that were recorded, in turn.
class GivenVolumes {
public:
  struct Volume {
    uint64_t work = 0;
    bool known = true; ///< false: the instance is to be executed, and `found` told
  };
  /// Of bursts; a list has as many instances at most that ranks find out.
  static constexpr uint64_t MostFound = 256;
  /// And comes round so often at least.
  static constexpr uint64_t LeastRepeats = 4;
  /// Instances after which a rank that has found its own, and has come round again, waits for no other.
  static constexpr uint64_t LeastLater = 16;
  /// So many times what is looked for is executed while all wait for it.
  static constexpr double MostWaited = 100;

  /// \p log: outlives it. \p ranks: of this run. \p fromRank: whose volumes all take.
  /// \p finds: ranks find volumes of their own where there are other ranks than recorded. \p sameRun: ranks, input and
  /// program are those that were recorded.
  GivenVolumes(const DecisionLog &log, uint32_t ranks, std::optional<uint32_t> fromRank,
               bool finds = true, bool sameRun = true);
  /// What instances of that burst execute is told by the formula of their work, and not by what was recorded of others:
  /// they have other ranks, or another input.
  bool followsFormula(const BurstLog &log) const {
    return log.perWork > 0 && !(sameRun_ && sameRanks_) && !finds_ && !fromRank_;
  }

  /// \p record is that burst: its flags say from now on that next is to be asked, if there are any volumes.
  void introduce(gnomon_burst &record, const BurstLog &log);
  /// The volume of the instance that \p rank begins now; \p work where none is known. Behind the last that was
  /// recorded they begin again.
  Volume next(uint32_t rank, const gnomon_burst &record, uint64_t work);
  /// Of an instance of which no volume is known: its work is what its formula says.
  static constexpr uint64_t ByFormula = ~uint64_t{0};
  /// What next would say, where nothing is looked for any more; nothing where it must be asked. An instance that begins
  /// goes on in the list, if there is one.
  [[gnu::always_inline]] std::optional<SteadyWork> steady(uint32_t rank,
                                                          const gnomon_burst &record) {
    const size_t place = kindOf(rank) * stride_ + record.index - 1;
    if (place < same_.size() && same_[place] != 0) [[likely]]
      return SteadyWork{same_[place]};
    OfBurst &burst = bursts_[record.index - 1];
    if (rank >= burst.cursors.size()) [[unlikely]]
      return std::nullopt;
    VolumeCursor &cursor = burst.cursors[rank];
    const uint64_t volume =
        cursor.steady ? static_cast<uint64_t>(cursor.runs[cursor.run].value) : 0;
    if (volume == 0) [[unlikely]]
      return std::nullopt;
    return SteadyWork{volume, &cursor};
  }
  static void goOn(VolumeCursor &cursor) {
    if (++cursor.taken < cursor.runs[cursor.run].times)
      return;
    cursor.taken = 0;
    if (++cursor.run == cursor.length)
      cursor.run = 0;
  }
  /// The instance that \p rank has begun last has executed \p instructions; 0: nobody knows how many.
  void found(uint32_t rank, const gnomon_burst &record, uint64_t instructions);
  /// Bursts of the program that have volumes, and those of which ranks find their own.
  uint64_t bursts() const { return given_; }
  uint64_t foundAnew() const { return foundAnew_; }
  /// An instance of some burst has executed \p instructions while ranks look for theirs.
  void waited(uint64_t instructions) { executed_ += static_cast<double>(instructions); }
  /// Whether there is nothing more to wait for: all ranks have found what they look for, or one has come to the end of
  /// its list again, or so much has been executed that the others will hardly come to it.
  bool isComplete() const { return looking_ == 0 || executed_ > MostWaited * lookedFor_; }

private:
  struct OfBurst {
    const BurstLog *log = nullptr;
    uint64_t toFind = 0;               ///< instances that each rank executes first
    uint64_t looking = 0;              ///< ranks that have not, as far as they are waited for
    std::vector<VolumeCursor> cursors; ///< by rank
  };

  const Values *valuesFor(const BurstLog &log, uint32_t rank) const;
  /// Ranks of one kind take the same values, and look for none.
  size_t kindOf(uint32_t rank) const { return kinds_ < ranks_ ? rank % kinds_ : rank; }
  VolumeCursor &cursorOf(OfBurst &burst, uint32_t rank) const;
  uint64_t toFind(const BurstLog &log) const;
  static void comeTo(VolumeCursor &cursor, const Values &values);
  void becomeSteady(VolumeCursor &cursor, uint32_t rank, const gnomon_burst &record);
  void looksNoMore(OfBurst &burst, uint64_t ranks);

  const DecisionLog &log_;
  const uint32_t ranks_;
  const bool sameRanks_, finds_, sameRun_;
  const std::optional<uint32_t> fromRank_;
  const uint32_t kinds_;        ///< of ranks
  std::vector<OfBurst> bursts_; ///< by index − 1
  /// Of ranks that look for nothing, where all instances of a burst have the same volume, or ByFormula; else 0. By kind of
  /// rank, in each by index − 1: a rank meets bursts that stand together in the program, and with thousands of ranks what
  /// is kept for each of them is in no near cache.
  std::vector<uint64_t> same_;
  size_t stride_ = 0; ///< bursts of a rank in it
  uint64_t given_ = 0, foundAnew_ = 0;
  uint64_t looking_ = 0;                ///< of all bursts
  double lookedFor_ = 0, executed_ = 0; ///< instructions
};

} // namespace gnomon::process::burst
