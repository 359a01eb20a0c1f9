// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Points of the running simulation (gnomon_decide): what they decide is written down, or given back from an earlier run.
/// A run that is given decisions ends when it asks for more than there are, or leaves some, or computes another value
/// where nothing that the value may rest on was skipped.
#pragma once

#include "gnomon/Burst.h"
#include "gnomon/Module.h"
#include "process/burst/Arrivals.h"
#include "process/burst/DecisionLog.h"
#include "process/burst/InputCheck.h"
#include "process/ranks/Job.h"

#include <cstddef>
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
  /// Or: what such a point rests on runs, and each rank decides what it computes.
  bool execute = false;
  bool goOn = false; ///< where the run contradicts what is given
  /// On another number of ranks nothing is executed for the sake of being compared, or in order to find volumes.
  bool trusts = false;
  /// The run chose by itself to record, or what it is given (--shadow=learn).
  struct Learning {
    std::string path; ///< of the file of decisions
    std::string date; ///< of its recording, if it is given
    std::string why;  ///< it is recorded anew; empty: it was not there
  };
  std::optional<Learning> learning = std::nullopt;

  bool any() const { return record || given; }
};

/// What MPI is about to read at a point of several numbers, each of 32 or 64 bits as the point says.
struct PointArray {
  const void *numbers;
  size_t count;
};

/// Names points, in the order of their code.
class PointNames {
public:
  PointKey next(const gnomon_point &point);

private:
  std::map<std::pair<std::string, std::string>, uint32_t>
      ordinals_; ///< so far, by file and function
};

/// For the summary.
struct DecisionReport {
  enum class Kind : uint8_t { None, Recorded, Given };
  Kind kind = Kind::None;
  std::optional<DecisionWishes::Learning> learning;
  uint64_t inputs = 0;            ///< files that were read, as far as they are recorded
  uint64_t inputsDifferent = 0;   ///< given: those that are not as they were recorded
  uint64_t points = 0;            ///< passed by some rank
  uint64_t passed = 0;            ///< values, on all ranks together
  uint64_t volumes = 0;           ///< bursts whose instances' volumes are recorded or given
  uint64_t executed = 0;          ///< points that some rank passed, where what is computed holds
  uint64_t assumed = 0;           ///< values given to ranks that were not recorded so
  uint64_t unseen = 0;            ///< of these, given to ranks that had computed none at the point
  uint64_t contradicted = 0;      ///< where the user said to go on
  std::vector<std::string> notes; ///< sentences without an end
};

class Decisions {
public:
  /// \p fail: ends the run with a message. Throws InputError when \p wishes cannot be met by a run of \p origin.
  Decisions(DecisionWishes wishes, RunOrigin origin, std::function<void(const std::string &)> fail);
  Decisions(const Decisions &) = delete;
  Decisions &operator=(const Decisions &) = delete;

  /// Is to be told which files the ranks read.
  std::shared_ptr<InputFiles> inputs() const { return inputs_; }

  /// The points of a module, once each. Throws InputError when another build's decisions lack one.
  void introduce(gnomon_module &module);
  /// Whether what is computed at the point holds throughout the run, so that what it rests on must run.
  bool executes(const gnomon_point &point) const { return points_[point.index - 1].executes; }
  bool executesAny() const;
  /// The rank \p rank has computed \p value at a point. \p exact: nothing has been skipped so far.
  int64_t decide(uint32_t rank, gnomon_point &point, int64_t value, bool exact);
  /// The same of each number of an array. Where the numbers lie that count, until the rank comes to the point again.
  const void *decideEach(uint32_t rank, gnomon_point &point, PointArray array, bool exact);
  /// Whether the rank's next value at the point is computed: else it is given, and must not rest on what was skipped.
  bool computes(uint32_t rank, const gnomon_point &point, bool exact);
  /// On another number of ranks than recorded: whether some rank has not yet computed what all are assumed to decide
  /// alike, at a point that comes again and again, and is expected to do so soon. Nothing should be skipped until then.
  bool awaits() const { return awaited_ > 0 && passedAwaiting_ < expected_ / AwaitedPart; }
  /// All ranks have ended. What the run contradicts by that; empty: nothing.
  std::string ended();

  bool gives() const { return wishes_.given != nullptr; }
  /// What is given; null: nothing.
  const DecisionLog *given() const { return wishes_.given.get(); }
  std::optional<uint32_t> fromRank() const { return wishes_.fromRank; }
  bool trusts() const { return wishes_.trusts; }
  /// Before the run nothing is known of it that was otherwise when they were recorded.
  bool nothingDiffers() const;
  DecisionReport report() const;
  /// What --record-decisions writes.
  DecisionLog recorded() const;

private:
  /// Points that a rank passes so often come again, and soon: their first round is an eighth of the passes at most.
  static constexpr uint64_t LeastPasses = 8;
  /// Of the expected passes, the part after which nobody is waited for: a rank may be a round ahead of others.
  static constexpr uint64_t AwaitedPart = 4;
  struct Cursor : ValueCursor {
    const Values *values = nullptr;
    bool computed = false; ///< by the rank itself, before anything was skipped
  };
  struct Point {
    PointLog log;
    const PointLog *given = nullptr;            ///< null: the file has none of it
    std::vector<Cursor> cursors;                ///< by rank
    std::vector<std::vector<std::byte>> arrays; ///< by rank: given in place of the program's
    bool executes = false;
    uint32_t awaited = 0;   ///< ranks that have not come to it
    bool told = false;      ///< of its contradiction
    bool otherwise = false; ///< on other ranks than recorded, it was seen to decide otherwise
    uint64_t unseen = 0;    ///< values that were given to ranks that had computed none
  };

  void introduce(gnomon_point &point);
  const PointLog *find(const PointLog &sought) const;
  const Values *valuesFor(const PointLog &given, uint32_t rank) const;
  bool isExecuted(const PointLog &given) const;
  bool isAssumed() const { return wishes_.given && wishes_.given->ranks != origin_.ranks; }
  /// The user has said what all ranks take, whatever each would decide.
  bool isForced(const PointLog &given) const {
    return isAssumed() && wishes_.fromRank && !given.alike && !given.each;
  }
  static Values &valuesOf(PointLog &log, uint32_t rank);
  int64_t record(const gnomon_point &point, uint32_t rank, int64_t value);
  void sortOut(uint32_t rank);
  std::vector<PointLog> logs() const;
  const void *recordEach(uint32_t rank, const gnomon_point &point, PointArray array);
  static Cursor &cursorOf(Point &point, uint32_t rank);
  void await(Point &point);
  void notePass(Point &point, uint32_t rank);
  void noteAssumed(Point &point, uint32_t rank);
  bool hasNext(Point &point, uint32_t rank);
  std::optional<int64_t> next(Point &point, uint32_t rank);
  std::string whyNone(const Point &point, uint32_t rank) const;
  bool holdsAsComputed(const Point &point) const;
  int64_t give(Point &point, uint32_t rank, int64_t value, bool exact);
  int64_t contradict(Point &point, uint32_t rank, const std::string &what, int64_t otherwise);
  void contradict(const PointLog &point, bool &told, uint32_t rank, const std::string &what);
  std::string missedSentence(const Arrivals::Missed &missed) const;
  void checkFile();
  std::string remedy() const;
  std::string missedAtEnd() const;
  std::string unseenSentence(uint64_t values) const;
  std::string unrecordedInput(const std::string &who, const std::string &path) const;
  void inputFound(const InputFile &file);

  const DecisionWishes wishes_;
  const RunOrigin origin_;
  const std::function<void(const std::string &)> fail_;
  std::shared_ptr<InputFiles> inputs_;
  std::optional<InputCheck> inputCheck_;            ///< where the files that were read are known
  std::optional<std::vector<InputFile>> allInputs_; ///< once the ranks have ended
  std::vector<Point> points_;                       ///< by index
  std::optional<Arrivals> arrivals_;                ///< none where other ranks were recorded
  bool arrivalsTold_ = false;                       ///< of their contradiction
  /// What a rank decides is noted one behind the other, and sorted out when that is much: the lists of points would be
  /// lines of the cache that the program has driven out each time.
  struct Noted {
    uint32_t point = 0; ///< its index
    int64_t value = 0;
  };
  static constexpr size_t MostNoted = 512;
  std::vector<std::vector<Noted>> noted_; ///< by rank: behind what points_ has
  PointNames names_;
  std::vector<std::string> notes_;
  uint64_t assumed_ = 0, contradicted_ = 0;
  uint64_t awaited_ = 0;        ///< first passes of ranks, of all points
  uint64_t passedAwaiting_ = 0; ///< of these points, while nothing was skipped
  uint64_t expected_ = 0;       ///< passes of theirs in the whole run
  bool sameBuild_ = true;
};

/// Of a run of the program that is loaded, with the arguments \p argv, and the programs beside it. \p ranks: of all.
RunOrigin originOf(int argc, char **argv, const std::vector<JobPart> &companions, uint32_t ranks);
/// Whether the program has any points.
bool programDecides();

/// For the program and the world that will be made of \p ranks, with the points of all modules that are loaded; null
/// when there is nothing to do. Throws InputError.
std::shared_ptr<Decisions> makeDecisions(DecisionWishes wishes, const process::Settings &ranks);

/// Of the running simulation.
DecisionLog recordedDecisions();
/// All ranks have ended: what they contradict by that.
std::string decisionsEnded();

} // namespace gnomon::process::burst
