// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// `gnomon-print-work`: what WorkBuilder says of a module, as text and as IR. With
/// GNOMON_PRINT_WORK=nest (iteration, call) in the environment each work of that kind is also
/// passed to `void gnomon_test_work(ptr name, i64 work)`, so that a program can compare.
#include "work/Work.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdlib>

using namespace llvm;

namespace gnomon {
namespace {

class Printer {
public:
  Printer(Module &module, FunctionAnalysisManager &analyses)
      : module_(module), analyses_(analyses), callees_(analyses) {
    callees_.summarise(module, [](const Function &) { return true; });
  }

  void print(Function &function) {
    auto &loops = analyses_.getResult<LoopAnalysis>(function);
    WorkBuilder builder(function, loops, analyses_.getResult<ScalarEvolutionAnalysis>(function),
                        analyses_.getResult<DominatorTreeAnalysis>(function), &callees_);
    SmallVector<CallBase *, 8> calls;
    for (Instruction &instruction : instructions(function))
      if (auto *call = dyn_cast<CallBase>(&instruction);
          call && call->getCalledFunction() && !call->getCalledFunction()->isDeclaration())
        calls.push_back(call);
    for (Loop *loop : loops) {
      if (BasicBlock *preheader = loop->getLoopPreheader(); preheader && isWanted("nest"))
        show(builder, "nest", *loop->getHeader(), preheader->getTerminator(),
             builder.ofNest(*loop, preheader->getTerminator()));
      Instruction *inside = &*loop->getHeader()->getFirstInsertionPt();
      if (isWanted("iteration"))
        show(builder, "iteration", *loop->getHeader(), inside, builder.ofIteration(*loop, inside));
    }
    for (CallBase *call : calls)
      if (isWanted("call"))
        show(builder, "call", *call->getCalledFunction(), call, builder.ofCall(*call, call));
  }

private:
  void show(WorkBuilder &builder, StringRef what, Value &of, Instruction *position, Value *work) {
    std::string name = (position->getFunction()->getName() + ":" + what + " " + of.getName()).str();
    outs() << name << ": " << (work ? builder.expression() : "nothing") << "\n";
    if (std::string why = builder.whyNot(); !why.empty())
      outs() << "  without: " << why << "\n";
    if (!work || !wish_)
      return;
    IRBuilder<> code(position);
    FunctionCallee receiver = module_.getOrInsertFunction("gnomon_test_work", code.getVoidTy(),
                                                          code.getPtrTy(), code.getInt64Ty());
    code.CreateCall(receiver, {code.CreateGlobalString(name), work});
  }

  bool isWanted(StringRef what) const { return !wish_ || what == wish_; }

  const char *wish_ = std::getenv("GNOMON_PRINT_WORK");
  Module &module_;
  FunctionAnalysisManager &analyses_;
  FunctionWork callees_;
};

} // namespace

PreservedAnalyses PrintWorkPass::run(Module &module, ModuleAnalysisManager &analyses) {
  auto &manager = analyses.getResult<FunctionAnalysisManagerModuleProxy>(module).getManager();
  Printer printer(module, manager);
  for (Function &function : module)
    if (!function.isDeclaration())
      printer.print(function);
  return PreservedAnalyses::none();
}

} // namespace gnomon
