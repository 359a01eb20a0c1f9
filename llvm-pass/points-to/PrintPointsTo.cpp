// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "points-to/PrintPointsTo.h"

#include "facts/Externals.h"
#include "points-to/PointsTo.h"

#include "llvm/IR/DebugLoc.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/ModuleSlotTracker.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace gnomon {
namespace {

/// "reads 0 7-12 15 at line 31".
void printCells(raw_ostream &out, StringRef label, ArrayRef<Cell> cells, const DebugLoc &place) {
  if (cells.empty())
    return;
  out << "    " << label;
  for (size_t index = 0; index < cells.size(); ++index) {
    size_t last = index;
    while (last + 1 < cells.size() && cells[last + 1] == cells[last] + 1)
      ++last;
    out << ' ' << cells[index];
    if (last > index)
      out << '-' << cells[last];
    index = last;
  }
  if (place)
    out << " at line " << place.getLine();
  out << '\n';
}

void printEscape(raw_ostream &out, const PointsTo &pointsTo, const Value &object) {
  if (!pointsTo.hasEscaped(&object))
    return;
  out << "escaped: ";
  object.printAsOperand(out, /*PrintType=*/false);
  if (const Instruction *cause = pointsTo.escapeOf(&object))
    out << " by" << *cause;
  out << '\n';
}

/// Which objects are part of cell 0, and through what.
void printEscapes(raw_ostream &out, const PointsTo &pointsTo, const Module &module) {
  for (const GlobalObject &global : module.global_objects())
    printEscape(out, pointsTo, global);
  for (const Function &function : module)
    for (const Instruction &instruction : instructions(function))
      printEscape(out, pointsTo, instruction);
}

void printCall(raw_ostream &out, const PointsTo &pointsTo, const CallBase &call) {
  if (isa<Function>(call.getCalledOperand()) && !pointsTo.mayCallUnknown(call))
    return;
  out << "    calls";
  for (const Function *callee : pointsTo.callees(call))
    out << ' ' << callee->getName();
  out << (pointsTo.mayCallUnknown(call) ? " unknown\n" : "\n");
}

void printFunction(raw_ostream &out, const PointsTo &pointsTo, const Function &function,
                   ModuleSlotTracker &slots) {
  out << "function " << function.getName() << '\n';
  slots.incorporateFunction(function);
  for (const Instruction &instruction : instructions(function)) {
    ArrayRef<Cell> reads = pointsTo.reads(instruction), writes = pointsTo.writes(instruction);
    const auto *call = dyn_cast<CallBase>(&instruction);
    if (reads.empty() && writes.empty() && (!call || pointsTo.callees(*call).empty()))
      continue;
    instruction.print(out, slots);
    out << '\n';
    printCells(out, "reads", reads, instruction.getDebugLoc());
    printCells(out, "writes", writes, instruction.getDebugLoc());
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
  printEscapes(out, pointsTo, module);
  ModuleSlotTracker slots(&module); // made once: it numbers the metadata of the module
  for (const Function &function : module)
    if (!function.isDeclaration())
      printFunction(out, pointsTo, function, slots);
  return PreservedAnalyses::all();
}

} // namespace gnomon
