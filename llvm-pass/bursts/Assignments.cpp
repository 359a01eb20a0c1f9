// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bursts/Assignments.h"

#include "facts/Descriptors.h"
#include "names/HookCode.h"
#include "names/Names.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace gnomon {
namespace {

/// Compares two descriptors in front of a call.
class Comparison {
public:
  Comparison(CallInst &call, const Descriptor &elements)
      : call_(call), builder_(&call), tag_(elements.tag), last_(call.getPrevNode()) {}

  /// Whether the first is allocated, with elements of the same type, and of the same extents, of \p rank dimensions.
  Value *conforms(uint8_t rank) {
    Value *address = read(0, *builder_.getPtrTy(), 0);
    Value *same = builder_.CreateIsNotNull(address);
    compare(same, *builder_.getInt8Ty(), descriptor::Type);
    for (int64_t dimension = 0; dimension < rank; ++dimension)
      compare(same, *builder_.getInt64Ty(),
              descriptor::Dimensions + dimension * descriptor::DimensionBytes +
                  descriptor::ExtentInDimension);
    for (auto at = last_ ? std::next(last_->getIterator()) : call_.getParent()->begin();
         &*at != &call_; ++at)
      markAsHook(*at);
    return same;
  }

private:
  Value *read(unsigned argument, Type &type, int64_t offset) {
    Value *place = builder_.CreatePtrAdd(call_.getArgOperand(argument), builder_.getInt64(offset));
    LoadInst *load = builder_.CreateAlignedLoad(&type, place, Align(1));
    load->setMetadata(LLVMContext::MD_tbaa, const_cast<MDNode *>(tag_));
    return load;
  }

  void compare(Value *&same, Type &type, int64_t offset) {
    Value *left = read(0, type, offset), *right = read(1, type, offset);
    same = builder_.CreateLogicalAnd(same, builder_.CreateICmpEQ(left, right));
  }

  CallInst &call_;
  IRBuilder<> builder_;
  const MDNode *tag_;
  Instruction *last_; ///< of the program's in front of the call; null: none
};

bool assigns(const CallInst &call) {
  const Function *callee = call.getCalledFunction();
  return callee && callee->isDeclaration() && callee->getName() == "_FortranAAssign" &&
         call.arg_size() == 4 && !call.hasFnAttr(names::Conforming);
}

void split(CallInst &call) {
  const DataLayout &layout = call.getDataLayout();
  const Descriptor elements = describeElements(call);
  if (!elements.holdsNumbers())
    return;
  const Descriptor to = describeDescriptor(*call.getArgOperand(0), layout);
  const Descriptor from = describeDescriptor(*call.getArgOperand(1), layout);
  const Attribute mark = Attribute::get(call.getContext(), names::Conforming);
  if (to.attribute && *to.attribute != descriptor::Allocatable)
    return call.addFnAttr(mark); // it never gets new memory
  if (!from.rank || *from.rank > descriptor::MostDimensions)
    return;
  Value *same = Comparison(call, elements).conforms(*from.rank);
  Instruction *copying = nullptr, *making = nullptr;
  SplitBlockAndInsertIfThenElse(same, &call, &copying, &making);
  markAsHook(*copying->getParent()->getSinglePredecessor()->getTerminator());
  markAsHook(*copying);
  markAsHook(*making);
  auto *copy = cast<CallInst>(call.clone());
  copy->addFnAttr(mark);
  copy->insertBefore(copying->getIterator());
  call.moveBefore(making->getIterator());
}

} // namespace

void splitAssignments(Module &module) {
  SmallVector<CallInst *, 16> calls;
  for (Function &function : module)
    for (Instruction &instruction : instructions(function))
      if (auto *call = dyn_cast<CallInst>(&instruction); call && assigns(*call))
        calls.push_back(call);
  for (CallInst *call : calls)
    split(*call);
}

} // namespace gnomon
