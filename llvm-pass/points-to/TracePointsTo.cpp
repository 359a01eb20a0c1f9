// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "points-to/TracePointsTo.h"

#include "facts/Externals.h"
#include "points-to/PointsTo.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"

#include <vector>

using namespace llvm;

namespace gnomon {
namespace {

/// Bytes of a value up to the end of its last field: what pads it out may be another object's
/// remains.
uint64_t meaningfulSize(Type &type, const DataLayout &layout) {
  auto *fields = dyn_cast<StructType>(&type);
  if (!fields || fields->getNumElements() == 0)
    return layout.getTypeStoreSize(&type).getKnownMinValue();
  unsigned last = fields->getNumElements() - 1;
  return layout.getStructLayout(fields)->getElementOffset(last).getKnownMinValue() +
         meaningfulSize(*fields->getElementType(last), layout);
}

class Tracer {
public:
  Tracer(Module &module, const PointsTo &pointsTo) : module_(module), pointsTo_(pointsTo) {
    Type *pointer = PointerType::getUnqual(module.getContext());
    Type *size = Type::getInt64Ty(module.getContext());
    Type *none = Type::getVoidTy(module.getContext());
    read_ = module.getOrInsertFunction("points_to_read", none, pointer, size, size);
    wrote_ = module.getOrInsertFunction("points_to_wrote", none, pointer, size, size);
    forget_ = module.getOrInsertFunction("points_to_forget", none, pointer, size);
  }

  void print(Instruction &instruction) {
    const ArrayRef<Cell> cells =
        isa<LoadInst>(instruction) ? pointsTo_.reads(instruction) : pointsTo_.writes(instruction);
    outs() << ++number_;
    for (Cell cell : cells)
      outs() << ' ' << cell;
    outs() << '\t' << instruction.getFunction()->getName() << ':' << instruction << '\n';
    traced_.push_back({&instruction, number_});
  }

  void instrument() {
    for (auto [instruction, number] : traced_)
      trace(*instruction, number);
    for (Function &function : module_)
      for (Instruction &instruction : instructions(function))
        if (auto *call = dyn_cast<CallBase>(&instruction))
          calls_.push_back(call);
    for (CallBase *call : calls_)
      forget(*call);
  }

private:
  Module &module_;
  const PointsTo &pointsTo_;
  FunctionCallee read_, wrote_, forget_;
  uint64_t number_ = 0;
  std::vector<std::pair<Instruction *, uint64_t>> traced_;
  std::vector<CallBase *> calls_;

  void trace(Instruction &instruction, uint64_t number) {
    IRBuilder<> builder(&instruction);
    Value *id = builder.getInt64(number);
    const DataLayout &layout = module_.getDataLayout();
    auto sizeOf = [&](Type *type) { return builder.getInt64(meaningfulSize(*type, layout)); };
    if (auto *load = dyn_cast<LoadInst>(&instruction))
      builder.CreateCall(read_, {load->getPointerOperand(), sizeOf(load->getType()), id});
    else if (auto *store = dyn_cast<StoreInst>(&instruction))
      builder.CreateCall(
          wrote_, {store->getPointerOperand(), sizeOf(store->getValueOperand()->getType()), id});
    else if (auto *memory = dyn_cast<MemIntrinsic>(&instruction))
      builder.CreateCall(
          wrote_, {memory->getDest(),
                   builder.CreateZExtOrTrunc(memory->getLength(), builder.getInt64Ty()), id});
  }

  /// Memory that code outside may have written, or that is new, has no known writer.
  void forget(CallBase &call) {
    Function *callee = call.getCalledFunction();
    if (!callee || !callee->isDeclaration() || callee->isIntrinsic() ||
        callee->getName().starts_with("points_to_") || isa<InvokeInst>(call) ||
        call.isMustTailCall())
      return;
    IRBuilder<> builder(call.getNextNode());
    constexpr uint64_t Window = 4096;
    for (Value *argument : call.args())
      if (argument->getType()->isPointerTy())
        builder.CreateCall(forget_, {argument, builder.getInt64(Window)});
    Attribute size = call.getFnAttr(Attribute::AllocSize);
    if (call.getType()->isPointerTy() && size.isValid()) {
      auto [bytes, count] = size.getAllocSizeArgs();
      Value *length = builder.CreateZExtOrTrunc(call.getArgOperand(bytes), builder.getInt64Ty());
      if (count)
        length = builder.CreateMul(
            length, builder.CreateZExtOrTrunc(call.getArgOperand(*count), builder.getInt64Ty()));
      builder.CreateCall(forget_, {&call, length});
    }
  }
};

} // namespace

PreservedAnalyses TracePointsToPass::run(Module &module, ModuleAnalysisManager &) {
  Externals externals(module);
  PointsTo pointsTo(module, externals);
  Tracer tracer(module, pointsTo);
  for (Function &function : module)
    for (Instruction &instruction : instructions(function))
      if (isa<LoadInst, StoreInst, MemIntrinsic>(instruction))
        tracer.print(instruction);
  tracer.instrument();
  return PreservedAnalyses::none();
}

} // namespace gnomon
