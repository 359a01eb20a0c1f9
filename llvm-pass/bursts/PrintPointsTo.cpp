// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bursts/PrintPointsTo.h"

#include "bursts/Externals.h"
#include "bursts/PointsTo.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace gnomon {
namespace {

void printCells(raw_ostream &out, StringRef label, ArrayRef<Cell> cells) {
  if (cells.empty())
    return;
  out << "    " << label;
  for (Cell cell : cells)
    out << ' ' << cell;
  out << '\n';
}

void printCall(raw_ostream &out, const PointsTo &pointsTo, const CallBase &call) {
  if (isa<Function>(call.getCalledOperand()) && !pointsTo.mayCallUnknown(call))
    return;
  out << "    calls";
  for (const Function *callee : pointsTo.callees(call))
    out << ' ' << callee->getName();
  out << (pointsTo.mayCallUnknown(call) ? " unknown\n" : "\n");
}

void printFunction(raw_ostream &out, const PointsTo &pointsTo, const Function &function) {
  out << "function " << function.getName() << '\n';
  for (const Instruction &instruction : instructions(function)) {
    SmallVector<Cell> reads = pointsTo.reads(instruction), writes = pointsTo.writes(instruction);
    const auto *call = dyn_cast<CallBase>(&instruction);
    if (reads.empty() && writes.empty() && (!call || pointsTo.callees(*call).empty()))
      continue;
    out << instruction << '\n';
    printCells(out, "reads", reads);
    printCells(out, "writes", writes);
    if (call)
      printCall(out, pointsTo, *call);
  }
}

StringRef nameOf(DataClass type) {
  switch (type) {
  case DataClass::Integer:
    return "integers";
  case DataClass::Floating:
    return "floating-point numbers";
  case DataClass::Pointer:
    return "pointers";
  case DataClass::Any:
    return "any data";
  }
  return {};
}

} // namespace

PreservedAnalyses PrintPointsToPass::run(Module &module, ModuleAnalysisManager &) {
  Externals externals(module);
  PointsTo pointsTo(module, externals);
  raw_ostream &out = outs();
  for (Cell cell = 0; cell < pointsTo.cellCount(); ++cell)
    out << "cell " << cell << ": " << pointsTo.describe(cell) << ", "
        << nameOf(pointsTo.classOf(cell)) << '\n';
  for (const Function &function : module)
    if (!function.isDeclaration())
      printFunction(out, pointsTo, function);
  return PreservedAnalyses::all();
}

} // namespace gnomon
