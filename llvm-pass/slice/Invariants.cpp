// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "slice/Invariants.h"

#include "slice/Once.h"
#include "slice/Slice.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace gnomon {
namespace {

/// Operands of operands, loads and callers' arguments among them, at most.
constexpr unsigned Deepest = 32;

bool isFixed(const Constant &constant) {
  const auto *variable = dyn_cast<GlobalVariable>(&constant);
  return !constant.containsUndefOrPoisonElement() && !(variable && variable->isThreadLocal()) &&
         none_of(constant.operands(), [](const Use &operand) {
           const auto *part = dyn_cast<Constant>(operand);
           return !isa<GlobalValue>(operand) && !(part && isFixed(*part));
         });
}

} // namespace

std::optional<unsigned> Invariants::find(const Value &value, unsigned depth) {
  if (auto place = known_.find(&value); place != known_.end())
    return place->second;
  if (depth > Deepest)
    return std::nullopt;
  known_[&value] = std::nullopt; // while it is looked for
  const std::optional<unsigned> number = make(value, depth);
  known_[&value] = number;
  return number;
}

std::optional<unsigned> Invariants::make(const Value &value, unsigned depth) {
  if (isa<GlobalValue>(value) || isa<Constant>(value)) {
    const auto *variable = dyn_cast<GlobalVariable>(&value);
    if (variable ? variable->isThreadLocal()
                 : !isa<GlobalValue>(value) && !isFixed(cast<Constant>(value)))
      return std::nullopt;
    return numberOf(Key{0, &value, nullptr, {}});
  }
  if (const auto *argument = dyn_cast<Argument>(&value))
    return ofArgument(*argument, depth);
  if (const auto *local = dyn_cast<AllocaInst>(&value))
    return local->isStaticAlloca() && isThereOnce(*local->getFunction())
               ? std::optional(numberOf(Key{0, local, nullptr, {}}))
               : std::nullopt;
  const auto *instruction = dyn_cast<Instruction>(&value);
  if (!instruction)
    return std::nullopt;
  // What was computed before the scope began is what memory held then.
  std::optional<unsigned> number;
  if (scope_.contains(instruction->getParent())) {
    const auto *load = dyn_cast<LoadInst>(instruction);
    number = load ? ofLoad(*load, depth) : ofOperation(*instruction, depth);
  }
  if (!number && runsOnce(*instruction->getParent()))
    number = numberOf(Key{0, instruction, nullptr, {}});
  return number;
}

/// Of a function that is called in one place; or of one that runs once, as main does.
std::optional<unsigned> Invariants::ofArgument(const Argument &argument, unsigned depth) {
  const Program &program = memory_.program();
  const Function &function = *argument.getParent();
  if (runsOnce(function.getEntryBlock()))
    return numberOf(Key{0, &argument, nullptr, {}});
  ArrayRef<const CallBase *> callers = program.callers(function);
  if (program.calledFromOutside(function) || callers.size() != 1 ||
      callers.front()->getCalledFunction() != &function ||
      argument.getArgNo() >= callers.front()->arg_size() ||
      argument.hasPassPointeeByValueCopyAttr())
    return std::nullopt;
  return find(*callers.front()->getArgOperand(argument.getArgNo()), depth + 1);
}

std::optional<unsigned> Invariants::ofLoad(const LoadInst &load, unsigned depth) {
  if (!load.isSimple())
    return std::nullopt;
  const std::optional<unsigned> address = find(*load.getPointerOperand(), depth + 1);
  ArrayRef<Cell> cells = memory_.reads(load);
  if (!address || cells.empty() || any_of(cells, [&](Cell cell) { return isWritten(cell); }))
    return std::nullopt;
  return numberOf(Key{load.getOpcode(), load.getType(), nullptr, {*address}});
}

std::optional<unsigned> Invariants::ofOperation(const Instruction &instruction, unsigned depth) {
  const auto *call = dyn_cast<IntrinsicInst>(&instruction);
  if (call ? !call->doesNotAccessMemory() || !call->hasFnAttr(Attribute::Speculatable)
           : !isa<BinaryOperator, UnaryOperator, CastInst, CmpInst, SelectInst, GetElementPtrInst>(
                 instruction))
    return std::nullopt;
  SmallVector<unsigned, 4> operands;
  for (const Value *operand : make_range(instruction.value_op_begin(),
                                         call ? instruction.value_op_begin() + call->arg_size()
                                              : instruction.value_op_end())) {
    const std::optional<unsigned> number = find(*operand, depth + 1);
    if (!number)
      return std::nullopt;
    operands.push_back(*number);
  }
  const void *detail = nullptr; // beside the operator
  if (call)
    detail = call->getCalledFunction();
  else if (const auto *element = dyn_cast<GetElementPtrInst>(&instruction))
    detail = element->getSourceElementType();
  // Floating-point arithmetic may be contracted in one place and not in another.
  const bool isAlone = !isa<CmpInst>(instruction) && isa<FPMathOperator>(instruction);
  const unsigned predicate =
      isa<CmpInst>(instruction) ? unsigned(cast<CmpInst>(instruction).getPredicate()) : 0;
  operands.push_back(predicate);
  return numberOf(Key{instruction.getOpcode(),
                      isAlone ? static_cast<const void *>(&instruction) : instruction.getType(),
                      detail, std::move(operands)});
}

unsigned Invariants::numberOf(Key key) {
  return numbers_.try_emplace(std::move(key), unsigned(numbers_.size())).first->second;
}

/// Whether main leads to the function by one way of calls: then its locals are never others.
bool Invariants::isThereOnce(const Function &function) const {
  const Program &program = memory_.program();
  DenseSet<const Function *> seen;
  const Function *at = &function;
  for (; at->getName() != "main"; at = program.callers(*at).front()->getFunction())
    if (program.calledFromOutside(*at) || program.callers(*at).size() != 1 ||
        !seen.insert(at).second)
      return false;
  return program.callers(*at).empty();
}

bool Invariants::runsOnce(const BasicBlock &block) {
  auto [place, isNew] = once_.try_emplace(&block, false);
  if (isNew)
    place->second = gnomon::runsOnce(block);
  return place->second;
}

bool Invariants::isWritten(Cell cell) {
  if (cell == PointsTo::Unknown)
    return true;
  auto [place, isNew] = written_.try_emplace(cell, false);
  if (isNew)
    place->second = any_of(memory_.writers(cell), [&](const Instruction *writer) {
      return mayActIn(memory_.program(), scope_, *writer);
    });
  return place->second;
}

} // namespace gnomon
