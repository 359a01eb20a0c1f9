// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// `gnomon-print-work`: what WorkBuilder says of a module, as text and as IR. With
/// GNOMON_PRINT_WORK=nest (iteration, call) in the environment each work of that kind is also
/// passed to `void gnomon_test_work(ptr name, i64 work)`, so that a program can compare; with
/// GNOMON_PRINT_FORMULAS=1 beside it, those that have a formula to `void gnomon_test_formula(ptr
/// formula, i64 a, i64 b, i64 c, i64 d, i64 work)` instead.
#include "work/Work.h"

#include "gnomon/Burst.h"

#include "llvm/ADT/STLExtras.h"
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
    auto builderOf = [&](WorkBuilder::Form form) {
      return WorkBuilder(function, loops, analyses_.getResult<ScalarEvolutionAnalysis>(function),
                         analyses_.getResult<DominatorTreeAnalysis>(function), form, &callees_);
    };
    WorkBuilder codes = builderOf(WorkBuilder::Form::Code);
    WorkBuilder formulas = builderOf(WorkBuilder::Form::Formula);
    SmallVector<CallBase *, 8> calls;
    for (Instruction &instruction : instructions(function))
      if (auto *call = dyn_cast<CallBase>(&instruction);
          call && call->getCalledFunction() && !call->getCalledFunction()->isDeclaration())
        calls.push_back(call);
    auto both = [&](StringRef what, Value &of, Instruction *position, auto ask) {
      if (!isWanted(what))
        return;
      const std::string name = nameOf(what, of, *position);
      Value *work = ask(codes).number;
      show(codes, name, work);
      if (work && wish_ && !compares_)
        pass(position, name, work);
      if (work && wish_ && compares_)
        compare(position, work, ask(formulas));
    };
    for (Loop *loop : loops) {
      BasicBlock *head = loop->getHeader();
      Instruction *inside = &*head->getFirstInsertionPt();
      if (BasicBlock *preheader = loop->getLoopPreheader()) {
        Instruction *before = preheader->getTerminator();
        both("nest", *head, before,
             [&](WorkBuilder &builder) { return builder.ofNest(*loop, before); });
      }
      both("iteration", *head, inside,
           [&](WorkBuilder &builder) { return builder.ofIteration(*loop, inside); });
    }
    for (CallBase *call : calls)
      both("call", *call->getCalledFunction(), call,
           [&](WorkBuilder &builder) { return builder.ofCall(*call, call); });
  }

private:
  static std::string nameOf(StringRef what, const Value &of, const Instruction &position) {
    return (position.getFunction()->getName() + ":" + what + " " + of.getName()).str();
  }

  void show(WorkBuilder &builder, StringRef name, bool known) {
    outs() << name << ": " << (known ? builder.expression() : "nothing") << "\n";
    if (std::string why = builder.whyNot(); !why.empty())
      outs() << "  without: " << why << "\n";
  }

  void pass(Instruction *position, StringRef name, Value *work) {
    IRBuilder<> code(position);
    FunctionCallee receiver = module_.getOrInsertFunction("gnomon_test_work", code.getVoidTy(),
                                                          code.getPtrTy(), code.getInt64Ty());
    code.CreateCall(receiver, {code.CreateGlobalString(name), work});
  }

  void compare(Instruction *position, Value *work, const InstanceWork &other) {
    if (!other.formula)
      return;
    IRBuilder<> code(position);
    Type *word = code.getInt64Ty();
    SmallVector<Value *, 6> arguments{other.formula};
    append_range(arguments, other.inputs);
    arguments.resize(1 + GNOMON_FORMULA_INPUTS, code.getInt64(0));
    arguments.push_back(work);
    FunctionCallee receiver = module_.getOrInsertFunction(
        "gnomon_test_formula", code.getVoidTy(), code.getPtrTy(), word, word, word, word, word);
    code.CreateCall(receiver, arguments);
  }

  bool isWanted(StringRef what) const { return !wish_ || what == wish_; }

  const char *wish_ = std::getenv("GNOMON_PRINT_WORK");
  bool compares_ = std::getenv("GNOMON_PRINT_FORMULAS");
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
