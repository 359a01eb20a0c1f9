// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fold/Sites.h"

#include "names/Names.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

#include <algorithm>
#include <map>

using namespace llvm;

namespace gnomon {
namespace {

/// Smaller blocks are never worth a mapping of their own.
constexpr uint64_t FewBytes = 4096;

/// Whether all sizes that it is passed are constants, and their product is small: a node of a list. Sizes have 64 bits;
/// the other numbers that Fortran's runtime is passed (a line) have fewer.
bool allocatesFewBytes(const CallBase &call) {
  uint64_t bytes = 1;
  bool any = false;
  for (const Use &argument : call.args()) {
    if (!argument->getType()->isIntegerTy(64))
      continue;
    const auto *number = dyn_cast<ConstantInt>(argument);
    if (!number || number->getValue().ugt(FewBytes))
      return false;
    bytes *= std::max<uint64_t>(number->getZExtValue(), 1);
    any = true;
  }
  return any && bytes < FewBytes;
}

bool allocates(const CallBase &call, const MemoryUse &memory) {
  const Function *callee = call.getCalledFunction();
  if (!callee || !callee->isDeclaration() || isa<IntrinsicInst>(call) || mpiFunction(call))
    return false;
  const EffectKind kind = memory.effect(call).kind;
  return (kind == EffectKind::Allocate || kind == EffectKind::Renew) && !allocatesFewBytes(call);
}

DenseMap<const Value *, SmallVector<Cell>> cellsByOrigin(const PointsTo &pointsTo) {
  DenseMap<const Value *, SmallVector<Cell>> cells;
  for (Cell cell = 1; cell < pointsTo.cellCount(); ++cell)
    if (const Value *origin = pointsTo.originOf(cell))
      cells[origin].push_back(cell);
  return cells;
}

/// Smaller variables are copied for each rank in any case: below the least of --fold=auto.
constexpr uint64_t LeastVariableBytes = 64 << 10;

uint64_t bytesOf(const GlobalVariable &variable) {
  return variable.getDataLayout().getTypeAllocSize(variable.getValueType());
}

/// Whether each rank has one of its own, and a large one.
bool isLargeVariable(const GlobalVariable &variable) {
  return !variable.isDeclaration() && !variable.isConstant() && !variable.isThreadLocal() &&
         !variable.getName().starts_with("llvm.") &&
         !variable.getName().starts_with(names::OursPrefix) &&
         bytesOf(variable) >= LeastVariableBytes;
}

/// The large parts of the variable that no access cuts, by what begins first; of one that has escaped, all of it.
void addParts(GlobalVariable &variable, ArrayRef<Cell> cells, const PointsTo &pointsTo,
              std::vector<FoldSite> &sites) {
  const uint64_t all = bytesOf(variable);
  FoldSite whole;
  whole.variable = &variable;
  whole.bytes = all;
  whole.hasEscaped = pointsTo.hasEscaped(&variable);
  if (whole.hasEscaped) {
    whole.escape = pointsTo.escapeOf(&variable);
    sites.push_back(std::move(whole));
    return;
  }
  std::map<uint64_t, FoldSite> parts;
  for (Cell cell : cells) {
    const auto [first, last] = pointsTo.intervalOf(cell);
    const uint64_t begin = std::clamp<int64_t>(first, 0, int64_t(all));
    const uint64_t end = std::clamp<int64_t>(last, int64_t(begin), int64_t(all));
    FoldSite &part = parts[begin];
    part.variable = &variable;
    part.offset = begin;
    part.bytes = std::max(part.bytes, end - begin);
    part.cells.push_back(cell);
  }
  for (auto &[begin, part] : parts)
    if (part.bytes >= LeastVariableBytes)
      sites.push_back(std::move(part));
}

/// Whether the array on the stack is large, or of a size that the program computes, and may lie elsewhere.
bool isLargeLocal(const AllocaInst &local) {
  constexpr uint64_t PageBytes = 4096;
  if (local.isUsedWithInAlloca() || local.isSwiftError() || local.getAddressSpace() != 0 ||
      local.getAlign().value() > PageBytes ||
      local.getFunction()->hasFnAttribute(Attribute::PresplitCoroutine))
    return false;
  const std::optional<TypeSize> size = local.getAllocationSize(local.getDataLayout());
  return size ? size->isFixed() && size->getFixedValue() >= LeastVariableBytes
              : !isa<ScalableVectorType>(local.getAllocatedType());
}

/// What \p origin makes, without a word of what becomes of it.
FoldSite siteOf(const Value &origin, SmallVector<Cell> cells, const PointsTo &pointsTo) {
  FoldSite site;
  site.cells = std::move(cells);
  site.hasEscaped = pointsTo.hasEscaped(&origin);
  if (site.hasEscaped)
    site.escape = pointsTo.escapeOf(&origin);
  return site;
}

} // namespace

std::vector<FoldSite> findFoldSites(Module &module, const MemoryUse &memory) {
  const PointsTo &pointsTo = memory.program().pointsTo();
  DenseMap<const Value *, SmallVector<Cell>> cells = cellsByOrigin(pointsTo);
  std::vector<FoldSite> sites;
  for (GlobalVariable &variable : module.globals())
    if (isLargeVariable(variable))
      addParts(variable, cells[&variable], pointsTo, sites);
  for (Function &function : module)
    for (Instruction &instruction : instructions(function)) {
      auto *call = dyn_cast<CallBase>(&instruction);
      auto *local = dyn_cast<AllocaInst>(&instruction);
      if (!(call && allocates(*call, memory)) && !(local && isLargeLocal(*local)))
        continue;
      FoldSite site = siteOf(instruction, std::move(cells[&instruction]), pointsTo);
      site.allocation = call;
      site.local = local;
      sites.push_back(std::move(site));
    }
  return sites;
}

std::vector<FoldedCell> foldedCells(ArrayRef<FoldSite> sites, FoldDecision FoldSite::*decision) {
  std::vector<FoldedCell> folded;
  for (const FoldSite &site : sites)
    if ((site.*decision).foldable)
      for (Cell cell : site.cells)
        folded.push_back({(site.*decision).phase, cell});
  return folded;
}

} // namespace gnomon
