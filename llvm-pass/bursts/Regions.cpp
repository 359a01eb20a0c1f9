// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bursts/Regions.h"

#include "facts/ExternalWork.h"
#include "facts/Externals.h"
#include "names/Places.h"
#include "overrides/Overrides.h"
#include "slice/Program.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;

namespace gnomon {
namespace {

/// What the cloning of blocks cannot do.
bool canBeCloned(ArrayRef<BasicBlock *> blocks) {
  return none_of(blocks, [](const BasicBlock *block) {
    const Instruction *last = block->getTerminator();
    if (isa<IndirectBrInst, CallBrInst>(last) || (block->isEHPad() && !block->isLandingPad()))
      return true;
    return any_of(*block, [](const Instruction &instruction) {
      const auto *call = dyn_cast<CallBase>(&instruction);
      return isa<AllocaInst>(instruction) ||
             (call && (call->cannotDuplicate() || call->hasFnAttr(Attribute::ReturnsTwice)));
    });
  });
}

/// Whether what the region computes is used behind it only by phis at its exits.
bool isClosed(ArrayRef<BasicBlock *> blocks) {
  auto escapes = [&](const Use &use) {
    const auto *user = cast<Instruction>(use.getUser());
    const auto *phi = dyn_cast<PHINode>(user);
    return !is_contained(blocks, phi ? phi->getIncomingBlock(use) : user->getParent());
  };
  return none_of(blocks, [&](const BasicBlock *block) {
    return any_of(*block, [&](const Instruction &instruction) {
      return any_of(instruction.uses(), escapes);
    });
  });
}

/// Gives the result of a call that is alone in its block a phi behind it.
void closeCall(CallBase &call, BasicBlock &behind) {
  if (call.getType()->isVoidTy() || call.use_empty())
    return;
  PHINode *phi = PHINode::Create(call.getType(), 1, call.getName(), behind.begin());
  call.replaceAllUsesWith(phi);
  phi->addIncoming(&call, call.getParent());
}

SmallVector<BasicBlock *, 8> inFunctionOrder(const Loop &loop) {
  SmallVector<BasicBlock *, 8> blocks;
  for (BasicBlock &block : *loop.getHeader()->getParent())
    if (loop.contains(&block))
      blocks.push_back(&block);
  return blocks;
}

/// The block of the body that every iteration enters first, when the header only tests whether
/// there is a next iteration; null when the header belongs to the body.
BasicBlock *bodyBehindTest(const Loop &loop) {
  BasicBlock *header = loop.getHeader();
  if (!loop.isLoopExiting(header) || header == loop.getLoopLatch())
    return nullptr;
  BasicBlock *body = nullptr;
  for (BasicBlock *next : successors(header))
    if (loop.contains(next)) {
      if (body)
        return nullptr;
      body = next;
    }
  bool tests = none_of(
      *header, [](const Instruction &instruction) { return instruction.mayHaveSideEffects(); });
  return tests && body && body->getSinglePredecessor() ? body : nullptr;
}

/// Where the loop begins in the source; where its code has no line there, its first that has.
DebugLoc startOf(const Loop &loop, ArrayRef<BasicBlock *> blocks) {
  DebugLoc start = loop.getStartLoc();
  for (const BasicBlock *block : blocks)
    if (!start || start.getLine() == 0)
      start = nearestPlace(block->front());
  return start;
}

} // namespace

/// The blocks of a statement, in order of the function.
static SmallVector<BasicBlock *, 8> blocksOf(const MarkedRegion &statement) {
  SmallVector<BasicBlock *, 8> work{statement.entry}, blocks;
  DenseSet<const BasicBlock *> seen{statement.entry};
  while (!work.empty())
    for (BasicBlock *next : successors(work.pop_back_val()))
      if (next != statement.exit && seen.insert(next).second)
        work.push_back(next);
  for (BasicBlock &block : *statement.function)
    if (seen.contains(&block))
      blocks.push_back(&block);
  return blocks;
}

void closeBlocks(ArrayRef<BasicBlock *> blocks, BasicBlock &exit) {
  const DenseSet<const BasicBlock *> inside(blocks.begin(), blocks.end());
  const SmallVector<BasicBlock *, 4> before(predecessors(&exit));
  for (BasicBlock *block : blocks)
    for (Instruction &instruction : *block) {
      SmallVector<Use *, 4> outside;
      for (Use &use : instruction.uses()) {
        auto *user = cast<Instruction>(use.getUser());
        auto *phi = dyn_cast<PHINode>(user);
        if (!inside.contains(phi ? phi->getIncomingBlock(use) : user->getParent()))
          outside.push_back(&use);
      }
      if (outside.empty())
        continue;
      PHINode *phi =
          PHINode::Create(instruction.getType(), unsigned(before.size()), "", exit.begin());
      for (BasicBlock *from : before)
        phi->addIncoming(&instruction, from);
      for (Use *use : outside)
        use->set(phi);
    }
}

std::vector<MarkedRegion> closeStatements(ArrayRef<MarkedRegion> marked) {
  std::vector<MarkedRegion> statements(marked);
  for (MarkedRegion &statement : statements) {
    SmallVector<BasicBlock *, 8> blocks = blocksOf(statement), last;
    for (BasicBlock *before : predecessors(statement.exit))
      if (is_contained(blocks, before) && !is_contained(last, before))
        last.push_back(before);
    if (last.empty())
      continue;
    BasicBlock *exit = SplitBlockPredecessors(statement.exit, last, ".burst.exit");
    closeBlocks(blocks, *exit);
    statement.exit = exit;
  }
  return statements;
}

void canonicaliseLoops(Module &module, FunctionAnalysisManager &analyses) {
  for (Function &function : module) {
    if (function.isDeclaration())
      continue;
    LoopInfo &loops = analyses.getResult<LoopAnalysis>(function);
    if (loops.empty())
      continue;
    DominatorTree &dominators = analyses.getResult<DominatorTreeAnalysis>(function);
    for (Loop *loop : loops)
      simplifyLoop(loop, &dominators, &loops, nullptr, nullptr, nullptr, /*PreserveLCSSA=*/false);
    for (Loop *loop : loops)
      formLCSSARecursively(*loop, dominators, &loops, nullptr);
    PreservedAnalyses kept;
    kept.preserve<DominatorTreeAnalysis>();
    kept.preserve<LoopAnalysis>();
    analyses.invalidate(function, kept);
  }
}

Regions::Regions(const Program &program, FunctionAnalysisManager &analyses)
    : program_(program), analyses_(analyses) {
  findHosts();
}

void Regions::cut(ArrayRef<MarkedRegion> statements) {
  addStatements(statements);
  // What is found out of the loops' counts is a tenth of a link's memory, and hardly asked for again.
  PreservedAnalyses kept = PreservedAnalyses::all();
  kept.abandon<ScalarEvolutionAnalysis>();
  for (Function &function : program_.module())
    if (isHost(function)) {
      search(function);
      analyses_.invalidate(function, kept);
    }
  program_.forgetBlocks();
}

int Regions::of(const BasicBlock &block) const {
  auto found = regionOf_.find(&block);
  return found == regionOf_.end() ? -1 : found->second;
}

int Regions::of(const Instruction &instruction) const { return of(*instruction.getParent()); }

bool Regions::isInLoop(const Region &region) const {
  const LoopInfo *loops = hosts_.lookup(region.function);
  const Loop *loop = loops->getLoopFor(region.header ? region.header : region.entry);
  return region.header ? loop && loop->getParentLoop() : loop != nullptr;
}

bool Regions::isInLoop(const Instruction &instruction) const {
  const LoopInfo *loops = hosts_.lookup(instruction.getFunction());
  return !loops || loops->getLoopFor(instruction.getParent());
}

void Regions::adopt(BasicBlock &block, int region) {
  regions_[region].blocks.push_back(&block);
  regionOf_[&block] = region;
}

bool Regions::insideLoopWithoutMpi(const CallBase &call) const {
  const LoopInfo *loops = hosts_.lookup(call.getFunction());
  for (const Loop *loop = loops->getLoopFor(call.getParent()); loop; loop = loop->getParentLoop())
    if (!reachesMpi(*loop))
      return true;
  return false;
}

/// Whether the function, which has loops and reaches no MPI, is called by hosts alone, outside
/// their loops: then its loops are better bursts than its calls. By a pointer too, where another
/// function that it may lead to reaches MPI: such a call is no burst, nor in one.
bool Regions::onlyHostsCall(const Function &function) const {
  return !program_.calledFromOutside(function) && !program_.callers(function).empty() &&
         all_of(program_.callers(function), [&](const CallBase *call) {
           if (call->getFunction() == &function || !isHost(*call->getFunction()))
             return false;
           return program_.reachesMpi(*call) ||
                  (call->getCalledFunction() == &function && !insideLoopWithoutMpi(*call));
         });
}

void Regions::findHosts() {
  auto adopt = [&](Function &function) {
    hosts_[&function] = &analyses_.getResult<LoopAnalysis>(function);
  };
  for (Function &function : program_.module())
    if (!function.isDeclaration() && program_.reachesMpi(function))
      adopt(function);
  for (bool changed = true; changed;) {
    changed = false;
    for (Function &function : program_.module())
      if (!function.isDeclaration() && !isHost(function) && program_.hasLoops(function) &&
          onlyHostsCall(function)) {
        adopt(function);
        changed = true;
      }
  }
}

bool Regions::reachesMpi(const Loop &loop) const {
  return any_of(loop.blocks(), [&](const BasicBlock *block) {
    return any_of(*block, [&](const Instruction &instruction) {
      const auto *call = dyn_cast<CallBase>(&instruction);
      return call && program_.reachesMpi(*call);
    });
  });
}

void Regions::search(Function &function) {
  SmallVector<Loop *, 8> loops(hosts_[&function]->begin(), hosts_[&function]->end());
  // Loops come innermost last and in reverse; the order of the function's blocks is the source's.
  DenseMap<const BasicBlock *, unsigned> place;
  for (auto [index, block] : enumerate(function))
    place[&block] = index;
  sort(loops,
       [&](const Loop *a, const Loop *b) { return place[a->getHeader()] < place[b->getHeader()]; });
  for (Loop *loop : loops)
    visit(*loop);
  addCalls(function);
}

void Regions::visit(Loop &loop) {
  if (!reachesMpi(loop)) {
    // A few short iterations are not worth a question.
    if (loop.isLoopSimplifyForm() && (callsLoops(loop) || holdsLong(loop) || isLongTogether(loop)))
      addLoop(loop);
    return;
  }
  for (Loop *inner : reverse(loop.getSubLoops()))
    visit(*inner);
}

static void reportLostStatement(const MarkedRegion &statement) {
  const Function &function = *statement.function;
  const std::string place =
      statement.line > 0
          ? formatv("the statement at line {0} of {1}", statement.line, function.getName()).str()
          : formatv("a statement of {0}", function.getName()).str();
  function.getContext().diagnose(DiagnosticInfoGeneric(
      "gnomon: " + place +
          ", marked as a burst, cannot be cut out of its function: what was said of it is ignored",
      DS_Warning));
}

/// What the user marked comes first, and is whole.
void Regions::addStatements(ArrayRef<MarkedRegion> statements) {
  for (const MarkedRegion &statement : statements) {
    Region region{Region::Statement,
                  statement.function,
                  statement.entry,
                  blocksOf(statement),
                  nullptr,
                  nullptr,
                  {},
                  &statement};
    for (const BasicBlock *block : region.blocks)
      for (const Instruction &instruction : *block)
        if (!region.place && instruction.getDebugLoc())
          region.place = instruction.getDebugLoc();
    if (isHost(*region.function) && !overlaps(region.blocks) &&
        statement.entry->getSinglePredecessor() && canBeCloned(region.blocks) &&
        isClosed(region.blocks))
      add(std::move(region));
    else
      reportLostStatement(statement);
  }
}

bool Regions::overlaps(ArrayRef<BasicBlock *> blocks) const {
  return any_of(blocks, [&](const BasicBlock *block) { return of(*block) >= 0; });
}

void Regions::addLoop(Loop &loop) {
  Region region{
      Region::Nest, loop.getHeader()->getParent(), loop.getHeader(), {}, nullptr, nullptr, {},
      nullptr};
  region.header = loop.getHeader();
  region.blocks = inFunctionOrder(loop);
  region.place = startOf(loop, region.blocks);
  if (overlaps(region.blocks) || !canBeCloned(region.blocks))
    return;
  if (wantsIterations(loop) && loop.getNumBlocks() > 1) {
    region.kind = Region::Iteration;
    region.entry = bodyBehindTest(loop);
    if (!region.entry) {
      LoopInfo *loops = hosts_[region.function];
      DominatorTree &dominators = analyses_.getResult<DominatorTreeAnalysis>(*region.function);
      region.entry =
          SplitBlock(region.header, region.header->getFirstNonPHIIt(), &dominators, loops);
      region.blocks = inFunctionOrder(loop);
    }
    erase(region.blocks, region.header);
  }
  if (isClosed(region.blocks))
    add(std::move(region));
}

/// Gives the call a block of its own, and what it gives back a phi behind that.
static BasicBlock *isolate(CallBase &call, DominatorTree &dominators, LoopInfo &loops) {
  BasicBlock *block = SplitBlock(call.getParent(), call.getIterator(), &dominators, &loops);
  if (auto *invoke = dyn_cast<InvokeInst>(&call)) {
    SplitEdge(block, invoke->getNormalDest(), &dominators, &loops);
    closeCall(call, *invoke->getNormalDest());
  } else {
    closeCall(call, *SplitBlock(block, std::next(call.getIterator()), &dominators, &loops));
  }
  return block;
}

/// Calls of functions with loops that could not be looked into, and of libraries that work on
/// arrays. Those, too, that C++ has something to tidy up for where they throw.
void Regions::addCalls(Function &function) {
  SmallVector<CallBase *, 8> calls;
  for (Instruction &instruction : instructions(function)) {
    auto *call = dyn_cast<CallBase>(&instruction);
    if (!call || isa<IntrinsicInst, CallBrInst>(call) || of(*call) >= 0 ||
        program_.reachesMpi(*call))
      continue;
    if (program_.isLongCall(*call) || (program_.entersLoops(*call) &&
                                       any_of(program_.callees(*call), [&](const Function *callee) {
                                         return program_.hasLoops(*callee) && !isHost(*callee);
                                       })))
      calls.push_back(call);
  }
  LoopInfo *loops = hosts_[&function];
  DominatorTree &dominators = analyses_.getResult<DominatorTreeAnalysis>(function);
  for (CallBase *call : calls) {
    // What points where has been found out already: a new name for a pointer would be unknown.
    if (call->getType()->isPtrOrPtrVectorTy())
      continue;
    BasicBlock *block = isolate(*call, dominators, *loops);
    Region region{Region::Call, &function, block, {block}, nullptr, nullptr, {}, nullptr};
    region.call = call;
    region.place = nearestPlace(*call);
    if (canBeCloned(region.blocks))
      add(std::move(region));
  }
}

void Regions::add(Region region) {
  for (const BasicBlock *block : region.blocks)
    regionOf_[block] = regions_.size();
  regions_.push_back(std::move(region));
}

} // namespace gnomon
