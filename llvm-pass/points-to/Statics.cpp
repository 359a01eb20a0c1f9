// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Constraints of what exists before the program starts: variables and their initial values,
/// functions, constant expressions, and the roots from which code is reached.
#include "points-to/Builder.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/GlobalAlias.h"
#include "llvm/IR/GlobalIFunc.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace gnomon::pointsto {
namespace {

/// Known to be called by the C or the Fortran start code only.
bool isProgramStart(const Function &function) {
  return function.getName() == "main" || function.getName() == "_QQmain";
}

/// Lists that the compiler keeps for itself and the linker.
bool isCompilersOwn(const GlobalVariable &variable) {
  return variable.getName().starts_with("llvm.");
}

/// "DerivedType" tables and the like: flang's, constant, of no interest to what is not flang's
/// runtime.
bool isVisibleOutside(const GlobalValue &value) {
  return !value.hasLocalLinkage() && !value.isDeclaration() && !value.hasCommonLinkage() &&
         !value.hasAvailableExternallyLinkage();
}

} // namespace

void Builder::addRoots() {
  for (const GlobalVariable &variable : module_.globals())
    if (!isCompilersOwn(variable))
      constantNode(variable);
  for (const Function &function : module_)
    if (!function.isIntrinsic())
      constantNode(function);
  for (StringRef list : {"llvm.global_ctors", "llvm.global_dtors", "llvm.used"})
    if (const GlobalVariable *variable = module_.getGlobalVariable(list))
      if (variable->hasInitializer())
        solver_.addEscape(constantNode(*variable->getInitializer()), nullptr);
  for (const GlobalVariable &variable : module_.globals())
    if (isVisibleOutside(variable) && !variable.isConstant() && !isCompilersOwn(variable))
      solver_.addEscape(constantNode(variable), nullptr);
  for (const Function &function : module_) {
    if (function.isDeclaration())
      continue;
    if (isProgramStart(function)) {
      addArguments(function);
    } else if (isVisibleOutside(function)) {
      solver_.addEscape(constantNode(function), nullptr);
    }
  }
}

/// argv and envp: an array of addresses of texts, in which there are none.
void Builder::addArguments(const Function &main) {
  const unsigned frame = baseFrame(main);
  for (const Argument &argument : main.args()) {
    if (!argument.getType()->isPointerTy())
      continue;
    solver_.addCopy(pointerTo(ArgumentsObject), frames_[frame].nodes.lookup(&argument));
    const ObjectId texts = memory_.addObject(ObjectKind::Stack, &argument, 0, false);
    solver_.addAddress(ArgumentsNode,
                       solver_.locate(texts, Shape::whole())); // one behind the other
  }
}

ObjectId Builder::objectOf(const GlobalObject &global) {
  auto [place, isNew] = staticObjects_.try_emplace(&global, 0);
  if (!isNew)
    return place->second;
  const auto *variable = dyn_cast<GlobalVariable>(&global);
  if (!variable) {
    ObjectId object = memory_.addObject(ObjectKind::Function, &global, 0, true);
    staticObjects_[&global] = object;
    return object;
  }
  Type *type = variable->getValueType();
  bool sized = type->isSized() && !layout_.getTypeAllocSize(type).isScalable();
  int64_t bytes = sized ? int64_t(layout_.getTypeAllocSize(type).getFixedValue()) : 0;
  bool constant = variable->isConstant();
  ObjectId object = memory_.addObject(ObjectKind::Global, variable, bytes, constant);
  staticObjects_[&global] = object;
  if (variable->hasInitializer() && !variable->hasAvailableExternallyLinkage())
    addInitializer(object, *variable->getInitializer(), 0);
  else
    addExternalVariable(*variable, object);
  return object;
}

void Builder::addExternalVariable(const GlobalVariable &variable, ObjectId object) {
  if (!externals_.isLibraryVariable(variable.getName()))
    return solver_.addEscape(pointerTo(object), nullptr);
  LocationId whole = solver_.locate(object, Shape::whole());
  solver_.addCopy(LibraryNode, memory_.location(whole).stored);
}

void Builder::addInitializer(ObjectId object, const Constant &value, int64_t offset) {
  Type *type = value.getType();
  if (value.isNullValue() || isa<UndefValue, ConstantData>(value))
    return;
  if (isa<ConstantStruct, ConstantArray, ConstantVector>(value)) {
    for (unsigned index = 0; index < value.getNumOperands(); ++index) {
      int64_t within =
          isa<StructType>(type)
              ? int64_t(layout_.getStructLayout(cast<StructType>(type))
                            ->getElementOffset(index)
                            .getFixedValue())
              : int64_t(index) *
                    int64_t(layout_.getTypeAllocSize(value.getOperand(index)->getType())
                                .getFixedValue());
      addInitializer(object, *cast<Constant>(value.getOperand(index)), offset + within);
    }
    return;
  }
  LocationId location = solver_.locate(object, Shape::exact(offset));
  NodeId stored = memory_.location(location).stored; // before more locations are made
  solver_.addCopy(constantNode(value), stored);
}

namespace {

/// Numbers, null, undef; and numbers made pointers, which libraries use as handles.
bool isNumber(const Constant &constant) {
  const auto *expression = dyn_cast<ConstantExpr>(&constant);
  return isa<ConstantData>(constant) ||
         (expression && expression->isCast() && isNumber(*expression->getOperand(0)));
}

} // namespace

NodeId Builder::constantNode(const Constant &constant) {
  if (isNumber(constant))
    return NoPointers;
  if (auto found = constants_.find(&constant); found != constants_.end())
    return found->second;
  NodeId node = solver_.addNode();
  constants_[&constant] = node;
  if (const auto *global = dyn_cast<GlobalObject>(&constant); global && !isa<GlobalIFunc>(global))
    solver_.addAddress(node, solver_.locate(objectOf(*global), Shape::exact(0)));
  else if (isa<GlobalIFunc>(constant))
    solver_.addCopy(EscapedNode, node);
  else if (const auto *expression = dyn_cast<ConstantExpr>(&constant))
    addExpression(*expression, node);
  else if (!isa<BlockAddress>(constant)) // an alias, an aggregate, a wrapped function
    for (const Value *operand : constant.operand_values())
      solver_.addCopy(constantNode(*cast<Constant>(operand)), node);
  return node;
}

void Builder::addExpression(const ConstantExpr &expression, NodeId node) {
  if (const auto *gep = dyn_cast<GEPOperator>(&expression))
    return solver_.addStep(constantNode(*cast<Constant>(gep->getPointerOperand())), node,
                           stepOf(*gep, layout_));
  Step step = expression.isCast() ? Step() : Step::anywhere();
  for (const Value *operand : expression.operand_values())
    solver_.addStep(constantNode(*cast<Constant>(operand)), node, step);
}

} // namespace gnomon::pointsto
