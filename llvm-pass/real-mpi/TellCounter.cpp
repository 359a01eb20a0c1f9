// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "real-mpi/TellCounter.h"

#include "names/Names.h"

#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

namespace gnomon {
namespace {

/// acquisition/Counters.cpp defines them.
constexpr char AddCounter[] = "gnomon_trace_add_counter";
constexpr char RemoveCounter[] = "gnomon_trace_remove_counter";

/// Before the program's own constructors, whose instructions count, and after its destructors.
constexpr int FirstOfAll = 101;

/// `void name() { if (auto *function = dlsym(nullptr, told)) function(&counter); }`
Function *makeTeller(Module &module, GlobalVariable &counter, StringRef name, StringRef told) {
  LLVMContext &context = module.getContext();
  auto *pointer = PointerType::getUnqual(context);
  auto *nothing = Type::getVoidTy(context);
  Function *teller = Function::Create(FunctionType::get(nothing, false),
                                      GlobalValue::InternalLinkage, name, module);
  IRBuilder<> builder(BasicBlock::Create(context, "", teller));
  FunctionCallee find = module.getOrInsertFunction("dlsym", pointer, pointer, pointer);
  Value *function = builder.CreateCall(
      find, {ConstantPointerNull::get(pointer), builder.CreateGlobalString(told)});
  BasicBlock *found = BasicBlock::Create(context, "", teller);
  BasicBlock *end = BasicBlock::Create(context, "", teller);
  builder.CreateCondBr(builder.CreateIsNull(function), end, found);
  builder.SetInsertPoint(found);
  builder.CreateCall(FunctionType::get(nothing, {pointer}, false), function, {&counter});
  builder.CreateBr(end);
  builder.SetInsertPoint(end);
  builder.CreateRetVoid();
  return teller;
}

} // namespace

PreservedAnalyses TellCounterPass::run(Module &module, ModuleAnalysisManager &) {
  GlobalVariable *counter = module.getNamedGlobal(names::Instructions);
  if (!counter)
    return PreservedAnalyses::all();
  if (Function *reader = module.getFunction(names::InstructionsReader))
    reader->eraseFromParent();
  appendToGlobalCtors(module, makeTeller(module, *counter, "gnomon.counter.add", AddCounter),
                      FirstOfAll);
  appendToGlobalDtors(module, makeTeller(module, *counter, "gnomon.counter.remove", RemoveCounter),
                      FirstOfAll);
  return PreservedAnalyses::none();
}

} // namespace gnomon
