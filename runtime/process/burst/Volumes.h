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
#include <map>
#include <optional>
#include <vector>

namespace gnomon::process::burst {

/// Of a run that executes everything.
class VolumeRecorder {
public:
  /// An instance of \p record, of \p work by its formula (0: unknown), has executed \p instructions; 0: nobody knows
  /// how many.
  void note(uint32_t rank, const gnomon_burst &record, uint64_t work, uint64_t instructions);
  /// That instance was measured: it took \p cost.
  void noteCost(const gnomon_burst &record, Warmth warmth, uint64_t instructions, double cost);
  /// What an instruction of the burst costs, a row for each warmth with measured instances.
  std::vector<ProfileRow> costsPerInstruction(const gnomon_burst &record) const;
  /// Of a burst whose formula misses them, and that makes up a part of all that bursts execute; else none.
  std::vector<Values> volumesOf(const gnomon_burst &record) const;

private:
  /// Amounts that shall be so much for a unit: volumes of work, or costs of volume.
  struct Fit {
    double amount = 0, units = 0, amountSquares = 0, products = 0, unitSquares = 0;
    uint64_t count = 0;

    void add(double of, double much);
    double ratio() const { return amount / units; }
    /// Σ (amount − ratio units)².
    double squaredErrors() const;
  };
  /// Of one rank's instances.
  struct List {
    Values runs;
    uint64_t instances = 0;
    double volume = 0;
    bool averaged = false; ///< too many runs: their mean has to do

    void add(uint64_t instructions);
    Values values() const;
  };
  struct OfBurst {
    std::map<size_t, Fit> fits; ///< by bucket
    double volume = 0;
    PerWarmth<Fit> costs; ///< of measured instances, against their volumes
    std::vector<List> ofRank;

    bool isMissed() const;
  };
  const OfBurst *find(const gnomon_burst &record) const;

  std::vector<OfBurst> bursts_; ///< by index − 1
  size_t runs_ = 0;             ///< in all lists
  double volume_ = 0;           ///< of all bursts
};

/// Of a run that is given them.
class GivenVolumes {
public:
  /// \p log: outlives it. \p ranks: of this run. \p fromRank: whose volumes all take.
  GivenVolumes(const DecisionLog &log, uint32_t ranks, std::optional<uint32_t> fromRank);

  /// \p record is that burst: its flags say from now on that next is to be asked, if there are any volumes.
  void introduce(gnomon_burst &record, const BurstLog &log);
  /// The volume of the instance that \p rank begins now; \p work where none is known. Behind the last that was
  /// recorded they begin again.
  uint64_t next(uint32_t rank, const gnomon_burst &record, uint64_t work);
  /// Bursts of the program that have volumes.
  uint64_t bursts() const { return found_; }

private:
  struct Cursor {
    const Values *values = nullptr;
    size_t run = 0;
    uint64_t taken = 0; ///< of the run
  };
  struct OfBurst {
    const BurstLog *log = nullptr;
    std::vector<Cursor> cursors; ///< by rank
  };

  const Values *valuesFor(const BurstLog &log, uint32_t rank) const;

  const DecisionLog &log_;
  const bool sameRanks_;
  const std::optional<uint32_t> fromRank_;
  std::vector<OfBurst> bursts_; ///< by index − 1
  uint64_t found_ = 0;
};

} // namespace gnomon::process::burst
