// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The candidates for bursts: parts of a function with one entry, from which no MPI call is
/// reachable. Outermost loop nests, or one iteration of them when the body itself holds two loops
/// in each other or calls; and calls of functions that hold loops and cannot be looked into. They
/// are looked for in the functions that can reach MPI, and in functions that only those call,
/// outside loops.
#pragma once

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/DebugLoc.h"
#include "llvm/IR/PassManager.h"

#include <memory>
#include <vector>

namespace llvm {
class BasicBlock;
class CallBase;
class Function;
class Instruction;
class Loop;
class LoopInfo;
class Module;
} // namespace llvm

namespace gnomon {

class Program;
struct MarkedRegion;

struct Region {
  enum Kind { Nest, Iteration, Call, Statement };
  Kind kind;
  llvm::Function *function;
  llvm::BasicBlock *entry;                         ///< the only block that is entered from outside
  llvm::SmallVector<llvm::BasicBlock *, 8> blocks; ///< entry among them, in order of the function
  llvm::BasicBlock *header = nullptr;              ///< of the loop; null for a call
  llvm::CallBase *call = nullptr;
  llvm::DebugLoc place = {};
  const MarkedRegion *mark = nullptr; ///< of a statement
};

/// Values of \p blocks are used outside by phis of \p exit only, behind this: one phi has the value from wherever the exit
/// is entered. Every way from the blocks to a use outside must come through the exit, which is entered from them only.
void closeBlocks(llvm::ArrayRef<llvm::BasicBlock *> blocks, llvm::BasicBlock &exit);

/// Gives statements that the user marked as bursts an exit of their own, which alone uses what they
/// compute, and returns them with those. Before PointsTo.
std::vector<MarkedRegion> closeStatements(llvm::ArrayRef<MarkedRegion> statements);

/// Loops in simplified, loop-closed form, everywhere: what the rest of the analysis relies on.
/// Before PointsTo.
void canonicaliseLoops(llvm::Module &module, llvm::FunctionAnalysisManager &analyses);

class Regions {
public:
  Regions(const Program &program, llvm::FunctionAnalysisManager &analyses);

  /// Finds the regions, and splits blocks so that each consists of whole blocks.
  void cut(llvm::ArrayRef<MarkedRegion> statements);

  llvm::ArrayRef<Region> all() const { return regions_; }
  /// Index of the region that holds the block, or -1.
  int of(const llvm::BasicBlock &block) const;
  int of(const llvm::Instruction &instruction) const;
  /// Whether the region, or a call of a host, lies in a loop (that reaches MPI).
  bool isInLoop(const Region &region) const;
  bool isInLoop(const llvm::Instruction &instruction) const;
  /// Makes one burst of all iterations of a loop that always runs: one question, not one each.
  void widen(int index);
  /// A new block becomes part of a region.
  void adopt(llvm::BasicBlock &block, int region);

private:
  void findHosts();
  bool isHost(const llvm::Function &function) const { return hosts_.contains(&function); }
  bool onlyHostsCall(const llvm::Function &function) const;
  bool insideLoopWithoutMpi(const llvm::CallBase &call) const;
  bool reachesMpi(const llvm::Loop &loop) const;
  void search(llvm::Function &function);
  void visit(llvm::Loop &loop);
  void addLoop(llvm::Loop &loop);
  void addCalls(llvm::Function &function);
  bool mayBreakOff(llvm::Loop &loop) const;
  bool wantsIterations(llvm::Loop &loop) const;
  bool callsLoops(const llvm::Loop &loop) const;
  bool carriesNumbers(const llvm::Loop &loop) const;
  bool isLong(llvm::Loop &loop) const;
  bool holdsLong(llvm::Loop &loop) const;
  bool isLongTogether(llvm::Loop &loop) const;
  unsigned depthOf(llvm::Loop &loop) const;
  bool isDeep(llvm::Loop &loop) const;
  uint64_t lengthOf(llvm::Loop &loop) const;
  void addStatements(llvm::ArrayRef<MarkedRegion> statements);
  bool overlaps(llvm::ArrayRef<llvm::BasicBlock *> blocks) const;
  void add(Region region);

  const Program &program_;
  llvm::FunctionAnalysisManager &analyses_;
  llvm::DenseMap<const llvm::Function *, llvm::LoopInfo *> hosts_;
  std::vector<Region> regions_;
  llvm::DenseMap<const llvm::BasicBlock *, int> regionOf_;
};

/// The functions that a region calls, transitively.
llvm::SmallVector<const llvm::Function *> functionsCalled(const Program &program,
                                                          const Region &region);

/// The functions that any of the regions calls, transitively.
llvm::DenseSet<const llvm::Function *> functionsCalled(const Program &program,
                                                       const Regions &regions);

/// Whether the region, or a function that it calls, may read a clock.
bool readsClock(const Program &program, const Region &region);

/// The one block outside the region that leads into it.
llvm::BasicBlock *entranceOf(const Region &region);

} // namespace gnomon
