// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "entry/Entry.h"

#include "entry/ModuleRecord.h"
#include "entry/Structors.h"
#include "names/HookNames.h"
#include "names/Names.h"

#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

namespace gnomon {
namespace {

/// Declares the hooks of Hooks.def that the pass calls.
class Hooks {
public:
  explicit Hooks(Module &module) : module_(module) {}

  FunctionCallee registerModule() {
    auto *pointer = PointerType::getUnqual(module_.getContext());
    return module_.getOrInsertFunction(hook::gnomon_register_module,
                                       Type::getVoidTy(module_.getContext()), pointer);
  }

  FunctionCallee start() {
    auto *pointer = PointerType::getUnqual(module_.getContext());
    auto *integer = Type::getInt32Ty(module_.getContext());
    return module_.getOrInsertFunction(hook::gnomon_start, integer, pointer, integer, pointer,
                                       pointer);
  }

private:
  Module &module_;
};

/// A function of ours: unwinders and debuggers walk through it as through any other.
Function *makeFunction(Module &module, FunctionType *type, GlobalValue::LinkageTypes linkage,
                       StringRef name) {
  Function *function = Function::Create(type, linkage, name, module);
  function->setUWTableKind(UWTableKind::Async);
  function->addFnAttr("frame-pointer", "all");
  BasicBlock::Create(module.getContext(), "entry", function);
  return function;
}

FunctionType *mainType(LLVMContext &context) {
  auto *pointer = PointerType::getUnqual(context);
  auto *integer = Type::getInt32Ty(context);
  return FunctionType::get(integer, {integer, pointer, pointer}, /*isVarArg=*/false);
}

/// A main that returns nothing must leave 0 as the exit code; one with fewer parameters ignores the
/// others.
Function *returningInt(Module &module, Function *userMain) {
  if (userMain->getReturnType()->isIntegerTy(32))
    return userMain;
  Function *adapter = makeFunction(module, mainType(module.getContext()),
                                   GlobalValue::InternalLinkage, "gnomon.main.adapter");
  IRBuilder<> builder(&adapter->getEntryBlock());
  SmallVector<Value *, 3> arguments;
  for (unsigned i = 0; i < std::min<size_t>(3, userMain->arg_size()); ++i)
    arguments.push_back(adapter->getArg(i));
  builder.CreateCall(userMain->getFunctionType(), userMain, arguments);
  builder.CreateRet(builder.getInt32(0));
  return adapter;
}

/// Takes the name `main` from the program's, and returns that one; null when the module has no
/// main.
Function *renameMain(Module &module) {
  Function *userMain = module.getFunction("main");
  if (!userMain || userMain->isDeclaration())
    return nullptr;
  userMain->setName(names::UserMain);
  userMain->setLinkage(GlobalValue::InternalLinkage);
  userMain->setVisibility(GlobalValue::DefaultVisibility);
  userMain->setDSOLocal(true);
  return returningInt(module, userMain);
}

void addMain(Module &module, GlobalVariable *record) {
  Function *main =
      makeFunction(module, mainType(module.getContext()), GlobalValue::ExternalLinkage, "main");
  IRBuilder<> builder(&main->getEntryBlock());
  Value *code = builder.CreateCall(Hooks(module).start(),
                                   {record, main->getArg(0), main->getArg(1), main->getArg(2)});
  builder.CreateRet(code);
}

void addRegistration(Module &module, GlobalVariable *record) {
  auto *type = FunctionType::get(Type::getVoidTy(module.getContext()), /*isVarArg=*/false);
  Function *function = makeFunction(module, type, GlobalValue::InternalLinkage, names::Register);
  IRBuilder<> builder(&function->getEntryBlock());
  builder.CreateCall(Hooks(module).registerModule(), {record});
  builder.CreateRetVoid();
  appendToGlobalCtors(module, function, /*Priority=*/0);
}

/// All optimisations have been done: nobody has to seem to read the counter any more (count/Count).
void dropInstructionsReader(Module &module) {
  if (Function *reader = module.getFunction(names::InstructionsReader))
    reader->eraseFromParent();
}

} // namespace

PreservedAnalyses EntryPass::run(Module &module, ModuleAnalysisManager &) {
  if (module.getNamedGlobal(names::Record))
    return PreservedAnalyses::all(); // done already

  // What libc would have started, which the runtime starts now, once a rank.
  Function *userMain = renameMain(module);
  StructorTable constructors = takeStructors(module, StructorKind::Constructors);
  StructorTable destructors = takeStructors(module, StructorKind::Destructors);
  dropInstructionsReader(module);

  // All that the runtime knows of this output.
  GlobalVariable *record = addModuleRecord(module, userMain, constructors, destructors);

  // What libc starts instead: the registration of the record and, in a program, the runtime.
  if (userMain)
    addMain(module, record);
  addRegistration(module, record);
  return PreservedAnalyses::none();
}

} // namespace gnomon
