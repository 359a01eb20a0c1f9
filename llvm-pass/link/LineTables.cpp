// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "link/LineTables.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/DebugProgramInstruction.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/CommandLine.h"

using namespace llvm;

namespace gnomon {
namespace {

constexpr StringLiteral NewTracker = "experimental-debug-variable-locations";

bool describesVariable(const Function &function) {
  return any_of(instructions(function), [](const Instruction &instruction) {
    return !filterDbgVars(instruction.getDbgRecordRange()).empty();
  });
}

/// Options of LLVM belong to the process. The linker generates code for this module and no other.
void chooseOldTracker() {
  cl::Option *option = cl::getRegisteredOptions().lookup(NewTracker);
  if (option && option->getNumOccurrences() == 0)
    option->addOccurrence(0, NewTracker, "false");
}

} // namespace

PreservedAnalyses LineTablesPass::run(Module &module, ModuleAnalysisManager &) {
  if (none_of(module, describesVariable))
    chooseOldTracker();
  return PreservedAnalyses::all();
}

} // namespace gnomon
