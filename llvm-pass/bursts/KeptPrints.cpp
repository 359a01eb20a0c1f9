// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bursts/KeptPrints.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace gnomon {
namespace {

/// The prints of one region.
class Keeping {
public:
  Keeping(const MemoryUse &memory, const Roots &roots, const Region &region, const Stale &stale,
          Decision &decision)
      : memory_(memory), program_(memory.program()), roots_(roots), region_(region), stale_(stale),
        decision_(decision) {}

  void run() {
    findWritten();
    for (auto &[first, statement] : statements()) {
      needed_.clear();
      statement_ = &statement;
      if (all_of(statement, [&](const CallBase *print) { return needPrint(*print); })) {
        decision_.kept.insert(needed_.begin(), needed_.end());
        for (const CallBase *print : statement)
          decision_.streams.erase(print);
      } else if (!decision_.unprinted) {
        decision_.unprinted = first;
      }
    }
    for (const Function *function : functionsCalled(program_, region_))
      for (const BasicBlock &block : *function)
        for (const Instruction &instruction : block)
          if (!decision_.unprinted && isPrint(instruction))
            decision_.unprinted = &instruction;
  }

private:
  using Statement = SmallVector<const CallBase *, 4>;
  using Statements = MapVector<const Instruction *, Statement>;

  bool isPrint(const Instruction &instruction) const {
    const auto *call = dyn_cast<CallBase>(&instruction);
    return call && call->getCalledFunction() && roots_.isPrintOfBurst(instruction) &&
           !program_.isError(*instruction.getParent());
  }
  bool isInside(const BasicBlock &block) const { return is_contained(region_.blocks, &block); }

  /// What is printed in one go, by its first call: a statement of Fortran, a chain of C++'s `<<`.
  Statements statements() const {
    Statements found;
    for (const BasicBlock *block : region_.blocks)
      for (const Instruction &instruction : *block) {
        if (!isPrint(instruction))
          continue;
        const Instruction *first = &instruction;
        while (const Instruction *before = printBefore(*first))
          first = before;
        found[first].push_back(cast<CallBase>(&instruction));
      }
    return found;
  }

  const Instruction *printBefore(const Instruction &print) const {
    const auto &call = cast<CallBase>(print);
    const auto *before = call.arg_size() > 0 ? dyn_cast<CallBase>(call.getArgOperand(0)) : nullptr;
    return before && isPrint(*before) && isInside(*before->getParent()) ? before : nullptr;
  }

  /// What a skipped instance does not write.
  void findWritten() {
    auto add = [&](const Instruction &instruction) {
      if (!roots_.isPrintOfBurst(instruction))
        for (Cell cell : memory_.writes(instruction))
          written_.insert(cell);
    };
    for (const BasicBlock *block : region_.blocks)
      for (const Instruction &instruction : *block)
        if (!decision_.kept.contains(&instruction))
          add(instruction);
    for (const Function *function : functionsCalled(program_, region_))
      for (const BasicBlock &block : *function)
        for (const Instruction &instruction : block)
          add(instruction);
  }

  bool isExact(Cell cell) const { return !stale_.cells[cell] && !written_.contains(cell); }

  bool needPrint(const CallBase &print) {
    needed_.insert(&print);
    if (!needRun(*print.getParent()))
      return false;
    for (unsigned i = 0; i < print.arg_size(); ++i) {
      const size_t before = needed_.size();
      if (needValue(*print.getArgOperand(i)))
        continue;
      if (roots_.valueMatters(print, i))
        return false;
      while (needed_.size() > before) // a number that is not there
        needed_.pop_back();
    }
    return printsExactText(print);
  }

  /// Of an array, where it lies; else all but numbers.
  bool printsExactText(const CallBase &print) const {
    bool exact = true;
    roots_.forEachPrinted(print, [&](Cell cell) { exact &= isExact(cell); });
    if (print.getCalledFunction()->getName() == "_FortranAioOutputDescriptor")
      return exact;
    return exact && all_of(memory_.reads(print), [&](Cell cell) {
             return program_.pointsTo().classOf(cell) == DataClass::Floating ||
                    program_.pointsTo().isOfLibrary(cell) || isExact(cell);
           });
  }

  /// Whether the copy has the value, or may: it rests on nothing that is skipped. What goes round a
  /// loop, and where ways meet, is not looked at.
  bool needValue(const Value &value) {
    const auto *instruction = dyn_cast<Instruction>(&value);
    if (!instruction)
      return !isa<Argument>(value) || !stale_.values.contains(&value);
    if (!isInside(*instruction->getParent()))
      return !stale_.values.contains(instruction);
    if (decision_.kept.contains(instruction) || !needed_.insert(instruction))
      return true;
    if (isPrint(*instruction)) // of the same statement, which is kept as a whole
      return is_contained(*statement_, instruction);
    if (isa<PHINode, CallBase>(instruction) && !isa<IntrinsicInst>(instruction))
      return false;
    if (instruction->mayHaveSideEffects() || stale_.values.contains(instruction))
      return false;
    if (instruction->mayReadFromMemory() &&
        !all_of(memory_.reads(*instruction), [&](Cell cell) { return isExact(cell); }))
      return false;
    return all_of(instruction->operands(), [&](const Use &operand) {
      return isa<BasicBlock>(operand) || needValue(*operand);
    });
  }

  /// Whether the copy comes to the block when the burst does.
  bool needRun(const BasicBlock &block) {
    return all_of(program_.flow(*region_.function).deciders(block),
                  [&](const Instruction *decider) {
                    if (!isInside(*decider->getParent()) || decision_.kept.contains(decider) ||
                        !needed_.insert(decider))
                      return true;
                    return isa<BranchInst, SwitchInst>(decider) &&
                           needValue(*decider->getOperand(0)) && needRun(*decider->getParent());
                  });
  }

  const MemoryUse &memory_;
  const Program &program_;
  const Roots &roots_;
  const Region &region_;
  const Stale &stale_;
  Decision &decision_;
  DenseSet<Cell> written_;
  const Statement *statement_ = nullptr;           ///< the one that is looked at
  SmallSetVector<const Instruction *, 16> needed_; ///< by it
};

} // namespace

void keepPrints(const MemoryUse &memory, const Roots &roots, const Regions &regions,
                const Stale &stale, std::vector<Decision> &decisions) {
  for (auto [region, decision] : zip(regions.all(), decisions))
    if (decision.skippable)
      Keeping(memory, roots, region, stale, decision).run();
}

} // namespace gnomon
