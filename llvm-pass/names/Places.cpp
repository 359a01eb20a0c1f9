// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "names/Places.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DebugProgramInstruction.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace gnomon {

bool hasPlace(const Instruction &instruction) {
  const DebugLoc &location = instruction.getDebugLoc();
  return location && location.getLine() > 0;
}

DebugLoc nearestPlace(const Instruction &instruction) {
  for (const Instruction *at = &instruction; at; at = at->getNextNode())
    if (hasPlace(*at))
      return at->getDebugLoc();
  for (const Instruction *at = &instruction; at; at = at->getPrevNode())
    if (hasPlace(*at))
      return at->getDebugLoc();
  return {};
}

std::string placeOf(const DebugLoc &location) {
  return (sys::path::filename(location->getFilename()) + ":" + Twine(location.getLine())).str();
}

std::string placeOf(const Instruction &instruction) {
  if (DebugLoc location = nearestPlace(instruction))
    return placeOf(location);
  const Function &function = *instruction.getFunction();
  if (const DISubprogram *source = function.getSubprogram())
    return "in " + source->getName().str();
  return "in " + demangle(function.getName());
}

std::string nameInSource(const Function &function) {
  if (const DISubprogram *source = function.getSubprogram(); source && !source->getName().empty())
    return source->getLinkageName().starts_with("_Z") ? demangle(source->getLinkageName())
                                                      : source->getName().str();
  return demangle(function.getName());
}

std::string nameInSource(const Value &value) {
  SmallVector<DbgVariableRecord *, 2> records;
  findDbgValues(const_cast<Value *>(&value), records);
  for (const DbgVariableRecord *record : records)
    if (const DILocalVariable *variable = record->getVariable();
        variable && !variable->isArtificial() && !variable->getName().empty())
      return variable->getName().str();
  return {};
}

} // namespace gnomon
