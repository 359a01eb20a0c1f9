// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "points-to/Describe.h"

#include "names/Places.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace gnomon::pointsto {
namespace {

std::string place(StringRef file, unsigned line) {
  return (sys::path::filename(file) + ":" + Twine(line)).str();
}

/// flang: _QM<module>[F<procedure>]E<variable>, _QF<procedure>E<variable>.
std::string fortranName(StringRef mangled) {
  StringRef name = mangled;
  if (!name.consume_front("_Q"))
    return demangle(mangled);
  std::string scopes;
  while (!name.empty() && (name[0] == 'M' || name[0] == 'F' || name[0] == 'P' || name[0] == 'S')) {
    name = name.drop_front();
    StringRef scope = name.take_until([](char letter) { return isUpper(letter); });
    name = name.drop_front(scope.size());
    if (!scope.empty())
      scopes += scope.str() + "::";
  }
  return name.consume_front("E") && !name.empty() ? scopes + name.str() : mangled.str();
}

std::string functionName(const Function &function) {
  if (const DISubprogram *debug = function.getSubprogram())
    return debug->getName().str();
  return fortranName(function.getName());
}

/// The variable that the address is of, or lies in: "'u'"; empty when that is not plain.
std::string variableAt(const Value &address) {
  const Value *base = getUnderlyingObject(&address);
  if (const auto *global = dyn_cast<GlobalVariable>(base))
    return "'" + fortranName(global->getName()) + "'";
  std::string name = nameInSource(*base);
  if (const auto *alloca = dyn_cast<AllocaInst>(base))
    for (const DbgVariableRecord *debug : findDVRDeclares(const_cast<AllocaInst *>(alloca)))
      name = debug->getVariable()->getName().str();
  return name.empty() ? name : "'" + name + "'";
}

/// The variable that the allocation is for: that gets its address, or whose descriptor is handed to
/// the function that allocates.
std::string variableOf(const Instruction &allocation) {
  if (std::string name = nameInSource(allocation); !name.empty())
    return "'" + name + "'";
  const auto *call = dyn_cast<CallBase>(&allocation);
  if (call && !call->getType()->isPointerTy())
    return call->arg_empty() ? std::string() : variableAt(*call->getArgOperand(0));
  for (const User *user : allocation.users())
    if (const auto *store = dyn_cast<StoreInst>(user);
        store && store->getValueOperand() == &allocation)
      return variableAt(*store->getPointerOperand());
  return {};
}

} // namespace

std::string describe(const GlobalVariable &variable) {
  if (variable.hasCommonLinkage() && variable.getName().ends_with("_"))
    return ("COMMON /" + variable.getName().drop_back() + "/").str();
  SmallVector<DIGlobalVariableExpression *, 1> expressions;
  variable.getDebugInfo(expressions);
  for (const DIGlobalVariableExpression *expression : expressions)
    if (const DIGlobalVariable *debug = expression->getVariable(); debug && debug->getLine())
      return ("'" + debug->getName() + "' (" + place(debug->getFilename(), debug->getLine()) + ")")
          .str();
  return "'" + fortranName(variable.getName()) + "'";
}

std::string describe(const AllocaInst &local) {
  for (const DbgVariableRecord *debug : findDVRDeclares(const_cast<AllocaInst *>(&local)))
    if (const DILocalVariable *variable = debug->getVariable())
      return ("'" + variable->getName() + "' (" +
              place(variable->getFilename(), variable->getLine()) + ")")
          .str();
  std::string owner = "'" + functionName(*local.getFunction()) + "'";
  if (local.hasName())
    return ("'" + local.getName() + "' in " + owner).str();
  // flang gives a variable the line of its declaration, or of the call that it is an argument of.
  const DebugLoc &location = local.getDebugLoc();
  std::string line = location && location.getLine()
                         ? " (" + place(location->getFilename(), location.getLine()) + ")"
                         : "";
  return "a local variable of " + owner + line;
}

std::string describe(const Object &object) {
  switch (object.kind) {
  case ObjectKind::Unknown:
    return "memory that unknown code can reach";
  case ObjectKind::Library:
    return "memory of a library";
  case ObjectKind::Arguments:
    return "the arguments of the program";
  case ObjectKind::Global:
    return describe(*cast<GlobalVariable>(object.origin));
  case ObjectKind::Function:
    return "'" + functionName(*cast<Function>(object.origin)) + "'";
  case ObjectKind::Stack:
    if (const auto *alloca = dyn_cast<AllocaInst>(object.origin))
      return describe(*alloca);
    if (const auto *argument = dyn_cast<Argument>(object.origin))
      return "an argument of '" + functionName(*argument->getParent()) + "'";
    return (cast<Function>(object.origin)->isDeclaration() ? "what is kept by '"
                                                           : "variable arguments of '") +
           functionName(*cast<Function>(object.origin)) + "'";
  case ObjectKind::State:
    return "what is left behind by '" + functionName(*cast<Function>(object.origin)) + "'";
  case ObjectKind::Heap:
    const auto &call = *cast<Instruction>(object.origin);
    std::string variable = variableOf(call);
    if (const DebugLoc &location = call.getDebugLoc()) {
      std::string where = "allocated at " + place(location->getFilename(), location.getLine());
      return variable.empty() ? "memory " + where : variable + " (" + where + ")";
    }
    if (!variable.empty())
      return variable;
    return "memory allocated in '" + functionName(*call.getFunction()) + "'";
  }
  return {};
}

} // namespace gnomon::pointsto
