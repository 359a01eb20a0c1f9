// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "privatise/Rewrite.h"

#include "names/Records.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/ReplaceConstant.h"

#include <map>
#include <tuple>

using namespace llvm;

namespace gnomon {
namespace {

/// The instruction before which a value must stand to be there for \p use.
Instruction *pointOf(const Use &use) {
  auto *user = cast<Instruction>(use.getUser());
  if (auto *phi = dyn_cast<PHINode>(user))
    return phi->getIncomingBlock(use)->getTerminator();
  return user;
}

/// All uses of one base (a block, or one import) in one function.
struct BaseUses {
  SmallVector<std::pair<Use *, uint64_t>, 8> uses; ///< with their offsets
};

/// What distinguishes bases: the kind, and which import or array.
using BaseKey = std::pair<Access::Base, GlobalValue *>;

/// An array that code indexes gets a base of its own, as in code without the pass: with the block's
/// base and a displacement of four bytes in every instruction, a gather loop ran 11 % slower (Zen
/// keeps few such operations in a line of its cache). Scalars, small structures and Fortran's
/// descriptors share the block's.
bool isIndexed(Type *type, const DataLayout &dataLayout) {
  constexpr uint64_t smallBytes = 256;
  if (type->isArrayTy())
    return dataLayout.getTypeAllocSize(type) >= smallBytes;
  auto *structure = dyn_cast<StructType>(type);
  return structure &&
         any_of(structure->elements(), [&](Type *field) { return isIndexed(field, dataLayout); });
}

class FunctionRewriter {
public:
  FunctionRewriter(Function &function, const Layout &layout, GlobalVariable &delta,
                   FunctionAnalysisManager &analyses)
      : layout_(layout), delta_(delta),
        dominators_(analyses.getResult<DominatorTreeAnalysis>(function)),
        loops_(analyses.getResult<LoopAnalysis>(function)) {}

  void rewrite(const BaseKey &key, const Access &access, BaseUses &uses) {
    SmallVector<std::pair<Use *, uint64_t>, 8> reachable;
    for (auto &item : uses.uses) {
      Instruction *point = pointOf(*item.first);
      if (dominators_.isReachableFromEntry(point->getParent()))
        reachable.push_back(item);
      else
        replace(item, makeBase(point, key, access)); // dead code has no dominators
    }
    if (reachable.empty())
      return;
    Value *base = makeBase(placeFor(reachable), key, access);
    for (auto &item : reachable)
      replace(item, base);
  }

private:
  /// The latest point outside of loops that dominates all uses.
  Instruction *placeFor(ArrayRef<std::pair<Use *, uint64_t>> uses) {
    BasicBlock *block = nullptr;
    for (const auto &[use, offset] : uses) {
      BasicBlock *here = pointOf(*use)->getParent();
      block = block ? dominators_.findNearestCommonDominator(block, here) : here;
    }
    while (Loop *loop = loops_.getLoopFor(block)) {
      BasicBlock *preheader = loop->getLoopPreheader();
      block = preheader ? preheader : dominators_.getNode(loop->getHeader())->getIDom()->getBlock();
    }
    Instruction *first = block->getTerminator();
    for (const auto &[use, offset] : uses) {
      Instruction *point = pointOf(*use);
      if (point->getParent() == block && point->comesBefore(first))
        first = point;
    }
    return first;
  }

  Value *makeBase(Instruction *before, const BaseKey &key, const Access &access) {
    IRBuilder<> builder(before);
    builder.SetCurrentDebugLocation(DebugLoc());
    Type *word = builder.getInt64Ty();
    Value *deltaAddress = &delta_;
    GlobalValue *symbol = key.second;
    if (access.base == Access::Base::Import) {
      Value *field =
          builder.CreateStructGEP(record::Import::type(builder.getContext()), access.importEntry,
                                  unsigned(record::Import::Field::delta));
      deltaAddress = invariantLoad(builder, builder.getPtrTy(), field);
    } else if (!symbol) {
      symbol = access.base == Access::Base::Zero ? layout_.zeroBlock : layout_.privateBlock;
    }
    Value *delta = invariantLoad(builder, word, deltaAddress);
    Value *home = ConstantExpr::getPtrToInt(symbol, word);
    // Frozen, the sum stays whole: loop strength reduction would otherwise take it apart again and
    // add the delta in the loop, at every access.
    Value *address = builder.CreateFreeze(builder.CreateAdd(home, delta));
    return builder.CreateIntToPtr(address, builder.getPtrTy());
  }

  static Value *invariantLoad(IRBuilder<> &builder, Type *type, Value *address) {
    LoadInst *load = builder.CreateLoad(type, address);
    load->setMetadata(LLVMContext::MD_invariant_load, MDNode::get(builder.getContext(), {}));
    return load;
  }

  /// A phi that names one block twice must get one value for both, hence the memory.
  void replace(const std::pair<Use *, uint64_t> &item, Value *base) {
    auto [use, offset] = item;
    if (offset == 0)
      return use->set(base);
    Instruction *point = pointOf(*use);
    bool isPhi = isa<PHINode>(use->getUser());
    Value *&known = phiValues_[{point, base, offset}];
    if (isPhi && known)
      return use->set(known);
    IRBuilder<> builder(point);
    Value *address = builder.CreatePtrAdd(base, builder.getInt64(offset));
    if (isPhi)
      known = address;
    use->set(address);
  }

  const Layout &layout_;
  GlobalVariable &delta_;
  DominatorTree &dominators_;
  LoopInfo &loops_;
  std::map<std::tuple<Instruction *, Value *, uint64_t>, Value *> phiValues_;
};

using FunctionBases = MapVector<BaseKey, std::pair<Access, BaseUses>>;

MapVector<Function *, FunctionBases> collectUses(const AccessMap &accesses,
                                                 const DataLayout &dataLayout) {
  MapVector<Function *, FunctionBases> functions;
  for (auto &[symbol, access] : accesses) {
    // Far inside a huge block an array is reached from the block's base, which stays near the code.
    constexpr uint64_t nearBytes = 1 << 30;
    bool own = access.base == Access::Base::Import ||
               (access.offset < nearBytes && isIndexed(symbol->getValueType(), dataLayout));
    BaseKey key{access.base, own ? symbol : nullptr};
    uint64_t offset = own ? 0 : access.offset;
    for (Use &use : symbol->uses()) {
      auto *user = dyn_cast<Instruction>(use.getUser());
      if (!user || isa<LandingPadInst>(user))
        continue;
      auto &[stored, uses] = functions[user->getFunction()][key];
      stored = access;
      uses.uses.push_back({&use, offset});
    }
  }
  return functions;
}

} // namespace

void dropThreadLocal(Module &module, const Residence &residence) {
  SmallVector<GlobalValue *, 8> symbols;
  for (GlobalVariable *variable : residence.privates)
    if (variable->isThreadLocal())
      symbols.push_back(variable);
  for (GlobalAlias &alias : module.aliases())
    if (alias.isThreadLocal() && residence.isPrivate(alias.getAliaseeObject()))
      symbols.push_back(&alias);
  for (GlobalValue *symbol : symbols) {
    for (User *user : make_early_inc_range(symbol->users()))
      if (auto *address = dyn_cast<IntrinsicInst>(user);
          address && address->getIntrinsicID() == Intrinsic::threadlocal_address) {
        address->replaceAllUsesWith(symbol);
        address->eraseFromParent();
      }
    symbol->setThreadLocal(false);
  }
}

void rewriteFunctions(Module &module, const AccessMap &accesses, const Layout &layout,
                      GlobalVariable &delta, FunctionAnalysisManager &analyses) {
  SmallVector<Constant *, 32> symbols;
  for (auto &[symbol, access] : accesses)
    symbols.push_back(symbol);
  convertUsersOfConstantsToInstructions(symbols, nullptr, /*RemoveDeadConstants=*/false);
  for (auto &[function, bases] : collectUses(accesses, module.getDataLayout())) {
    if (function->hasFnAttribute(Attribute::Naked))
      continue; // nothing but assembly may stand in it, and AsmUses has seen that
    FunctionRewriter rewriter(*function, layout, delta, analyses);
    for (auto &[key, item] : bases)
      rewriter.rewrite(key, item.first, item.second);
  }
}

} // namespace gnomon
