// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Points of the running simulation (gnomon_decide): what they decide is written down, or given back from an earlier run.
/// A run that is given decisions ends when it asks for more than there are, or leaves some, or computes another value
/// where nothing that the value may rest on was skipped.
#pragma once

#include "gnomon/Burst.h"
#include "gnomon/Module.h"
#include "process/burst/DecisionLog.h"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace gnomon::process {
struct Settings;
}

namespace gnomon::process::burst {

/// What the user wants of decisions.
struct DecisionWishes {
  bool record = false;                                ///< --record-decisions
  std::shared_ptr<const DecisionLog> given = nullptr; ///< --decisions; null: none
  /// With another number of ranks than recorded: where ranks differ, all get what this one decided.
  std::optional<uint32_t> fromRank = std::nullopt;
  bool goOn = false; ///< where the run contradicts what is given

  bool any() const { return record || given; }
};

/// For the summary.
struct DecisionReport {
  bool recorded = false;          ///< else given
  uint64_t points = 0;            ///< passed by some rank
  uint64_t passed = 0;            ///< values, on all ranks together
  uint64_t assumed = 0;           ///< values given to ranks that were not recorded so
  uint64_t contradicted = 0;      ///< where the user said to go on
  std::vector<std::string> notes; ///< sentences without an end
};

class Decisions {
public:
  /// \p fail: ends the run with a message. Throws InputError when \p wishes cannot be met on \p ranks ranks.
  Decisions(DecisionWishes wishes, uint32_t ranks, std::string program, std::string build,
            std::string arguments, std::function<void(const std::string &)> fail);

  /// The points of a module, once each. Throws InputError when another build's decisions lack one.
  void introduce(gnomon_module &module);
  /// The rank \p rank has computed \p value at a point. \p exact: nothing has been skipped so far.
  int64_t decide(uint32_t rank, gnomon_point &point, int64_t value, bool exact);
  /// All ranks have ended well. What the run contradicts by that; empty: nothing.
  std::string contradictionAtEnd() const;

  bool gives() const { return wishes_.given != nullptr; }
  DecisionReport report() const;
  /// What --record-decisions writes.
  DecisionLog recorded() const;

private:
  /// What is left of a rank's values.
  struct Cursor {
    const Values *values = nullptr;
    size_t run = 0;
    uint64_t taken = 0; ///< of the run
    uint64_t passed = 0;
  };
  struct Point {
    PointLog log;
    const PointLog *given = nullptr; ///< null: the file has none of it
    std::vector<Cursor> cursors;     ///< by rank
    bool told = false;               ///< of its contradiction
    bool otherwise = false; ///< on other ranks than recorded, it was seen to decide otherwise
  };

  void introduce(gnomon_point &point);
  const PointLog *find(const PointKey &key, uint32_t bits) const;
  const Values *valuesFor(const PointLog &given, uint32_t rank) const;
  bool isAssumed() const { return wishes_.given && wishes_.given->ranks != ranks_; }
  /// The user has said what all ranks take, whatever each would decide.
  bool isForced(const PointLog &given) const {
    return isAssumed() && wishes_.fromRank && !given.alike;
  }
  int64_t record(Point &point, uint32_t rank, int64_t value);
  std::optional<int64_t> next(Point &point, uint32_t rank);
  std::string whyNone(const Point &point, uint32_t rank) const;
  int64_t give(Point &point, uint32_t rank, int64_t value, bool exact);
  int64_t contradict(Point &point, uint32_t rank, const std::string &what, int64_t otherwise);
  void checkFile();

  const DecisionWishes wishes_;
  const uint32_t ranks_;
  const std::string program_, build_, arguments_;
  const std::function<void(const std::string &)> fail_;
  std::vector<Point> points_; ///< by index
  std::map<std::pair<std::string, std::string>, uint32_t>
      ordinals_; ///< points introduced, by file and function
  std::vector<std::string> notes_;
  uint64_t assumed_ = 0, contradicted_ = 0;
  bool sameBuild_ = true;
};

/// For the program and the world that will be made of \p ranks, with the points of all modules that are loaded; null
/// when there is nothing to do. Throws InputError.
std::shared_ptr<Decisions> makeDecisions(DecisionWishes wishes, const process::Settings &ranks);

/// Of the running simulation.
DecisionLog recordedDecisions();
std::string decisionsContradictedAtEnd();

} // namespace gnomon::process::burst
