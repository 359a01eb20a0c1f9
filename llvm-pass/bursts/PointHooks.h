// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Points in the program: behind each, a hook that gives back its value, as computed or as recorded.
#pragma once

#include "slice/Demands.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <string>

namespace llvm {
class Constant;
class Function;
class GlobalVariable;
class Module;
} // namespace llvm

namespace gnomon {

class Roots;

/// A point, and what it is for people.
struct PlacedPoint {
  llvm::Instruction *value;      ///< null: an argument
  llvm::Use *argument = nullptr; ///< of a call of MPI, by reference
  std::string what;
  /// Roots::isQuestion, or Points::unread: it is not asked where its answer is given.
  bool isQuestion = false;
  llvm::SmallVector<llvm::Constant *, 4> held = {}; ///< the records of bursts that it holds back
  llvm::SmallVector<llvm::Constant *, 4> rests =
      {};                                    ///< and of those that run where it is not given
  llvm::SmallVector<unsigned, 4> sites = {}; ///< numbers of the fold sites that are kept then

  /// Whether it is many numbers: an array of counts, say.
  bool isArray() const;
  /// Points and DecidedPlan::holds know it by that.
  const void *item() const {
    return value ? static_cast<const void *>(value) : static_cast<const void *>(argument);
  }
};

/// In the order of the module's code. While the roots are there.
std::vector<PlacedPoint> placePoints(const Points &points, const Roots &roots,
                                     llvm::Module &module);

/// The variable of the module that says what becomes of points (GNOMON_POINTS_…); made when first asked for.
llvm::GlobalVariable &pointsSwitch(llvm::Module &module);

/// Adds the hooks and the module's table of points. Returns the functions that changed. The points' instructions are
/// still those of the module.
std::vector<llvm::Function *> addPointHooks(llvm::ArrayRef<PlacedPoint> points,
                                            llvm::Module &module);

} // namespace gnomon
