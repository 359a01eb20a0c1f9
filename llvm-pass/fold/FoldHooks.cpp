// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fold/FoldHooks.h"

#include "fold/Locals.h"
#include "names/HookCode.h"
#include "names/HookNames.h"
#include "names/Names.h"
#include "names/Places.h"
#include "names/Records.h"
#include "points-to/Describe.h"

#include "gnomon/Fold.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

namespace gnomon {
namespace {

constexpr char Mark[] = "gnomon.fold";

uint32_t flagsOf(const FoldSite &site) {
  uint32_t flags = 0;
  auto add = [&](const FoldDecision &decision, unsigned plan) {
    flags |= uint32_t(decision.foldable) << plan;
  };
  add(site.plain, GNOMON_PLAN_PLAIN);
  add(site.decided, GNOMON_PLAN_DECIDED);
  add(site.skipped, GNOMON_PLAN_SKIPPED);
  add(site.decidedSkipped, GNOMON_PLAN_DECIDED_SKIPPED);
  return flags;
}

/// By any plan.
bool foldsEver(const FoldSite &site) { return flagsOf(site) != 0; }

struct Source {
  std::string function;
  StringRef file;
  unsigned line = 0, column = 0;
};

Source sourceOf(const CallBase &allocation) {
  Source source{nameInSource(*allocation.getFunction()), {}};
  if (const DebugLoc place = nearestPlace(allocation)) {
    source.file = place->getFilename();
    source.line = place.getLine();
    source.column = place.getCol();
  }
  return source;
}

Source sourceOf(const AllocaInst &local) {
  for (const DbgVariableRecord *debug : findDVRDeclares(const_cast<AllocaInst *>(&local)))
    if (const DILocalVariable *variable = debug->getVariable())
      return {("'" + variable->getName() + "' in " + nameInSource(*local.getFunction())).str(),
              variable->getFilename(), variable->getLine()};
  return {pointsto::describe(local), {}};
}

/// Of the array of a COMMON block that begins there, or last before.
Source sourceOf(const GlobalVariable &variable, uint64_t offset) {
  SmallVector<DIGlobalVariableExpression *, 4> expressions;
  variable.getDebugInfo(expressions);
  const DIGlobalVariable *latest = nullptr;
  int64_t begin = -1;
  for (const DIGlobalVariableExpression *each : expressions) {
    int64_t at = 0;
    const DIExpression *where = each->getExpression();
    if (where && where->getNumElements() && !where->extractIfOffset(at))
      continue;
    if (at <= int64_t(offset) && at > begin) {
      latest = each->getVariable();
      begin = at;
    }
  }
  if (latest)
    return {("'" + latest->getName() + "'").str(), latest->getFilename(), latest->getLine()};
  std::string name = pointsto::describe(variable);
  if (offset)
    name += " from byte " + std::to_string(offset) + " on";
  return {name, {}};
}

GlobalVariable *addRecord(const FoldSite &site, Module &module) {
  const Source source = site.variable ? sourceOf(*site.variable, site.offset)
                        : site.local  ? sourceOf(*site.local)
                                      : sourceOf(*site.allocation);
  Constant *record =
      record::FoldSite{
          .function = record::addText(module, source.function),
          .file = record::addText(module, source.file),
          .reason = record::addText(module, site.plain.reason),
          .decided_reason = record::addText(module, site.decided.reason),
          .skipped_reason = record::addText(module, site.skipped.reason),
          .decided_skipped_reason = record::addText(module, site.decidedSkipped.reason),
          .bytes = site.bytes,
          .line = source.line,
          .column = source.column,
          .phase = site.plain.phase,
          .decided_phase = site.decided.phase,
          .skipped_phase = site.skipped.phase,
          .decided_skipped_phase = site.decidedSkipped.phase,
          .flags = flagsOf(site),
      }
          .constant(module);
  return new GlobalVariable(module, record->getType(), /*isConstant=*/false,
                            GlobalValue::InternalLinkage, record, "gnomon.fold.site");
}

/// See names::FoldedPart.
void markPart(const FoldSite &site, GlobalVariable &record) {
  LLVMContext &context = record.getContext();
  auto *offset = ConstantInt::get(Type::getInt64Ty(context), site.offset);
  site.variable->addMetadata(
      names::FoldedPart,
      *MDNode::get(context, {ConstantAsMetadata::get(&record), ConstantAsMetadata::get(offset)}));
}

uint64_t numberOf(const MDNode &mark) {
  return mdconst::extract<ConstantInt>(mark.getOperand(0))->getZExtValue();
}

class FoldHooks {
public:
  explicit FoldHooks(Module &module)
      : nothing_(Type::getVoidTy(module.getContext())),
        begin_(module.getOrInsertFunction(hook::gnomon_fold_begin, nothing_,
                                          PointerType::getUnqual(module.getContext()))),
        end_(module.getOrInsertFunction(hook::gnomon_fold_end, nothing_)) {}

  /// The end stands wherever the call may lead: one too many does no harm.
  void around(CallBase &call, Constant &record) {
    insert(&call, begin_, {&record});
    if (auto *invoke = dyn_cast<InvokeInst>(&call)) {
      for (BasicBlock *next : {invoke->getNormalDest(), invoke->getUnwindDest()})
        if (auto place = next->getFirstInsertionPt(); place != next->end())
          insert(&*place, end_, {});
    } else {
      insert(call.getNextNode(), end_, {});
    }
  }

private:
  static void insert(Instruction *before, FunctionCallee hook, ArrayRef<Value *> arguments) {
    IRBuilder<> builder(before);
    builder.SetCurrentDebugLocation(nearestPlace(*before));
    markAsHook(*builder.CreateCall(hook, arguments));
  }

  Type *nothing_;
  FunctionCallee begin_, end_;
};

} // namespace

void markFoldSites(ArrayRef<FoldSite> sites) {
  for (auto [number, site] : enumerate(sites)) {
    Instruction *place = site.local && foldsEver(site) ? site.local : nullptr;
    if (site.allocation)
      place = site.allocation;
    if (!place)
      continue;
    LLVMContext &context = place->getContext();
    auto *constant = ConstantInt::get(Type::getInt64Ty(context), number);
    place->setMetadata(Mark, MDNode::get(context, ConstantAsMetadata::get(constant)));
  }
}

std::vector<Function *> addFoldHooks(ArrayRef<FoldSite> sites, Module &module) {
  if (sites.empty())
    return {};
  SmallVector<Constant *, 16> records;
  for (const FoldSite &site : sites) {
    GlobalVariable *record = addRecord(site, module);
    if (site.variable)
      markPart(site, *record);
    records.push_back(record);
  }
  FoldHooks hooks(module);
  std::vector<Function *> changed;
  for (Function &function : module) {
    SmallVector<Instruction *, 4> marked;
    for (Instruction &instruction : instructions(function))
      if (instruction.hasMetadataOtherThanDebugLoc() && instruction.hasMetadata(Mark))
        marked.push_back(&instruction);
    for (Instruction *instruction : marked) {
      Constant &record = *records[numberOf(*instruction->getMetadata(Mark))];
      instruction->setMetadata(Mark, nullptr);
      if (auto *local = dyn_cast<AllocaInst>(instruction))
        placeElsewhere(*local, record);
      else
        hooks.around(*cast<CallBase>(instruction), record);
    }
    if (!marked.empty())
      changed.push_back(&function);
  }
  appendToCompilerUsed(
      module, {record::addTable(module, records, record::Access::Writable, names::FoldSites)});
  return changed;
}

} // namespace gnomon
