// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What becomes of each region: skippable, from which phase on and with what kept; or always run,
/// and why.
#pragma once

#include "bursts/Reasons.h"
#include "bursts/Regions.h"
#include "bursts/Roots.h"
#include "fold/Sites.h"
#include "slice/Phases.h"
#include "slice/Slice.h"

namespace gnomon {

struct Decision {
  bool reachable = false; ///< in some phase
  bool skippable = false;
  unsigned phase = 0; ///< from which on it may be skipped
  /// "the condition at a.c:12 is false": it may be skipped only where all ranks find that. Empty: wherever it is met.
  std::string condition;
  /// Of a skippable region: its instructions that stay when it is skipped.
  llvm::DenseSet<const llvm::Instruction *> kept;
  /// Of phis in it and where it ends: the load that they are, whichever way was taken.
  llvm::DenseMap<const llvm::PHINode *, const llvm::LoadInst *> reloads;
  /// Prints in it of which nothing but the stream is needed, which they give back: not kept.
  llvm::DenseSet<const llvm::CallBase *> streams;
  const llvm::Instruction *unprinted = nullptr; ///< the first print that its copy lacks
  Reason reason; ///< why it always runs, or cannot be skipped before `phase`
  /// The same as instructions and blocks: each is needed for what the next one does or says. Empty where points are
  /// given, and once conditions have been looked for: of a large program these are many.
  llvm::SmallVector<const llvm::Value *, 0> way;
  bool frail = false;  ///< as in gnomon/Burst.h
  bool unsafe = false; ///< the same
  /// Numbers of the frail regions that its skipping weakens: those it waits for, and others.
  llvm::SmallVector<unsigned, 1> waitsFor, weakens;
  bool weakensAll = false; ///< there are too many frail ones to tell them apart
  bool forced = false;     ///< by the user
  bool common = false;     ///< one of many calls that always run (CommonCalls.h)

  bool hooked() const { return reachable && !common; }
};

/// What the user wants of a region.
enum class Wish : uint8_t { None, Skip, Run };
using Wishes = std::function<Wish(const Region &)>;

/// Asked behind each phase, from the last to the first, with what has been decided so far: whether those before it
/// matter too.
using GoesOn = std::function<bool(unsigned phase, llvm::ArrayRef<Decision>)>;
inline bool allPhases(unsigned /*phase*/, llvm::ArrayRef<Decision> /*decisions*/) { return true; }

/// Of each region, by number. Leaves \p roots in the scope of the last phase. Nothing as soon as
/// it is known that a \p hopeless region always runs.
std::optional<std::vector<Decision>> decide(const MemoryUse &memory, Roots &roots,
                                            const Regions &regions, llvm::ArrayRef<Phase> phases,
                                            const Wishes &wishes,
                                            llvm::function_ref<bool(const Region &)> hopeless,
                                            const GoesOn &goesOn = allPhases);

/// The same where the values of points are given.
struct DecidedBy {
  std::vector<Decision> decisions;
  /// Of the points, those that something rests on; unread: only those whose address nothing needs.
  Points asked;
};
DecidedBy decideWith(const MemoryUse &memory, Roots &roots, const Regions &regions,
                     llvm::ArrayRef<Phase> phases, const Wishes &wishes, const Points &given);

/// Of bursts that may be skipped: whether their calls hand anything on to the functions that they call. They do where
/// such a burst may have to run after all.
enum class SkippedCalls : bool { HandNothingOn, Count };

/// What everything rests on in the phase of that \p number when the regions that may be skipped then, as \p decisions
/// say, are; where points are \p given, and \p candidates could be.
Demands demandsIn(const MemoryUse &memory, Roots &roots, const Regions &regions, const Phase &phase,
                  unsigned number, const Wishes &wishes, llvm::ArrayRef<Decision> decisions,
                  const Points &given, const Points &candidates, SkippedCalls calls);

/// What folding rests on: values that are given, and bursts that are \p skipped whenever they may be, as these decisions
/// say; none: any burst may be executed.
struct FoldTerms {
  const Points &given;
  llvm::ArrayRef<Decision> skipped;
};

/// Which of \p sites hold nothing that must be right, from which phase on: neither for the communication nor for the
/// safety of any code that may be executed. Fills in \p decision of each that has not escaped.
void decideFolds(const MemoryUse &memory, Roots &roots, const Regions &regions,
                 llvm::ArrayRef<Phase> phases, const Wishes &wishes, const FoldTerms &terms,
                 llvm::MutableArrayRef<FoldSite> sites, FoldDecision FoldSite::*decision);

} // namespace gnomon
