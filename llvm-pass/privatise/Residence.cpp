// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "privatise/Residence.h"

#include "names/Annotations.h"
#include "names/Names.h"
#include "privatise/AsmUses.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace gnomon {
namespace {

/// Made by the compiler for its own ends: counters of coverage and sanitizers, metadata in the
/// shape of globals.
bool isCompilersOwn(const GlobalVariable &variable) {
  StringRef name = variable.getName();
  if (name.starts_with("llvm.") || name.starts_with(names::OursPrefix))
    return true;
  if (name.starts_with("__llvm_") || name.starts_with("__asan_") || name.starts_with("__sancov_"))
    return true;
  StringRef section = variable.getSection();
  return section == "llvm.metadata" || section.starts_with("__llvm_") ||
         section.starts_with("__sancov_") || section.starts_with("asan_globals");
}

/// Virtual tables, type information and its names: constants by the C++ ABI even where a
/// declaration does not say so.
bool isCxxTypeData(const GlobalVariable &variable) {
  StringRef name = variable.getName();
  return any_of(ArrayRef<StringRef>{"_ZTV", "_ZTI", "_ZTS", "_ZTT"},
                [&](StringRef prefix) { return name.starts_with(prefix); });
}

bool isCIdentifier(StringRef text) {
  return !text.empty() && !isDigit(text.front()) &&
         all_of(text, [](char c) { return isAlnum(c) || c == '_'; });
}

/// Code that walks a section from __start_ to __stop_ must find the variable in it.
bool isEnumeratedBySection(const GlobalVariable &variable) {
  if (!variable.hasSection() || !isCIdentifier(variable.getSection()))
    return false;
  const Module &module = *variable.getParent();
  return module.getNamedValue(("__start_" + variable.getSection()).str()) ||
         module.getNamedValue(("__stop_" + variable.getSection()).str());
}

/// After link-time optimisation only what others refer to, or a shared library exports, is still
/// external. Their accesses to a thread-local variable need it to stay one.
bool isVisibleOutside(const GlobalVariable &variable) { return !variable.hasLocalLinkage(); }

class Finder {
public:
  Finder(Module &module, const NativeObjects &natives)
      : module_(module), natives_(natives), annotations_(module), asmUses_(module) {
    findNativeUses();
  }

  Residence run() {
    for (GlobalVariable &variable : module_.globals())
      variable.isDeclarationForLinker() ? placeDeclaration(variable) : placeDefinition(variable);
    closeOverInitializers();
    sortByModule();
    return std::move(result_);
  }

private:
  /// By the names under which machine code can reach a variable: its own and its aliases'.
  void findNativeUses() {
    for (GlobalValue &global : module_.global_values()) {
      const auto *variable = dyn_cast_or_null<GlobalVariable>(global.getAliaseeObject());
      StringRef user = natives_.userOf(global.getName());
      if (variable && !global.hasLocalLinkage() && !user.empty())
        nativeUses_.try_emplace(variable, user);
    }
  }

  void placeDeclaration(GlobalVariable &variable) {
    // A thread-local variable from outside has stayed one there (isVisibleOutside).
    bool elsewhere = variable.hasDefaultVisibility() && !variable.isThreadLocal();
    if (elsewhere && !isCompilersOwn(variable) && !isCxxTypeData(variable) &&
        !variable.getName().starts_with(names::SentinelPrefix))
      result_.imports.insert(&variable);
  }

  void placeDefinition(GlobalVariable &variable) {
    if (isCompilersOwn(variable) || variable.getName().starts_with(names::SentinelPrefix))
      return;
    if (variable.isConstant() && !variable.isThreadLocal())
      constants_.push_back(&variable);
    else if (annotations_.has(variable, annotation::Shared))
      refuse(variable, SharedFor::Request);
    else if (asmUses_.namesAsConstant(variable))
      refuse(variable, SharedFor::Assembly);
    else if (nativeUses_.contains(&variable))
      refuse(variable, SharedFor::NativeObject, nativeUses_.lookup(&variable));
    else if (isEnumeratedBySection(variable))
      refuse(variable, SharedFor::Section);
    else if (variable.isThreadLocal() && isVisibleOutside(variable))
      refuse(variable, SharedFor::ThreadLocalOutside);
    else if (variable.getAddressSpace() != 0)
      refuse(variable, SharedFor::AddressSpace);
    else
      result_.privates.insert(&variable);
  }

  void refuse(GlobalVariable &variable, SharedFor why, StringRef user = "") {
    result_.refusals.push_back({&variable, why, user.str()});
  }

  /// Moves constants that depend on the rank to the private variables, until none is left.
  void closeOverInitializers() {
    bool changed = true;
    while (changed) {
      changed = false;
      erase_if(constants_, [&](GlobalVariable *variable) {
        if (result_.privates.contains(variable) || !holdsRankAddress(*variable))
          return result_.privates.contains(variable);
        result_.privates.insert(variable);
        changed = true;
        return true;
      });
      for (size_t i = 0; i < result_.privates.size(); ++i)
        changed |= pullPartners(*result_.privates[i]);
    }
  }

  bool holdsRankAddress(const GlobalVariable &variable) const {
    SetVector<GlobalValue *> mentioned;
    collectGlobals(*variable.getInitializer(), mentioned);
    if (asmUses_.namesAsConstant(variable) || isEnumeratedBySection(variable))
      return false;
    return any_of(mentioned, [&](GlobalValue *global) {
      const GlobalObject *object = global->getAliaseeObject();
      return object && (result_.isPrivate(object) || result_.isImport(object));
    });
  }

  /// A table of distances (x - table) is right in a rank's copy only when x moves along with the
  /// table.
  bool pullPartners(GlobalVariable &table) {
    if (!partnersDone_.insert(&table).second)
      return false;
    SetVector<GlobalValue *> partners;
    collectPartners(*table.getInitializer(), partners);
    bool changed = false;
    for (GlobalValue *partner : partners) {
      auto *variable = dyn_cast_or_null<GlobalVariable>(partner->getAliaseeObject());
      if (variable && !variable->isDeclarationForLinker())
        changed |= result_.privates.insert(variable);
    }
    return changed;
  }

  static void collectPartners(const Constant &constant, SetVector<GlobalValue *> &partners) {
    if (isa<GlobalValue>(constant))
      return;
    auto *expression = dyn_cast<ConstantExpr>(&constant);
    if (expression && expression->getOpcode() == Instruction::Sub)
      return collectGlobals(constant, partners);
    for (const Use &operand : constant.operands())
      if (auto *inner = dyn_cast<Constant>(operand))
        collectPartners(*inner, partners);
  }

  /// The order of the module is the order of the source: neighbours stay neighbours.
  void sortByModule() {
    SetVector<GlobalVariable *> sorted;
    for (GlobalVariable &variable : module_.globals())
      if (result_.privates.contains(&variable))
        sorted.insert(&variable);
    result_.privates = std::move(sorted);
  }

  Module &module_;
  const NativeObjects &natives_;
  AnnotationIndex annotations_;
  AsmUses asmUses_;
  DenseMap<const GlobalVariable *, StringRef> nativeUses_;
  Residence result_;
  std::vector<GlobalVariable *> constants_;
  SmallPtrSet<GlobalVariable *, 32> partnersDone_;
};

} // namespace

std::string Refusal::reason() const {
  static constexpr const char *Reasons[] = {
#define GNOMON_SHARED(Id, Fate, Severity, AtLink, InSource) AtLink,
#include "gnomon/Residence.def"
  };
  return formatv(/*Validate=*/false, Reasons[size_t(why)], user).str();
}

Severity Refusal::severity() const {
  static constexpr Severity Severities[] = {
#define GNOMON_SHARED(Id, Fate, Weight, AtLink, InSource) Severity::Weight,
#include "gnomon/Residence.def"
  };
  return Severities[size_t(why)];
}

bool Residence::isPrivate(const Value *value) const {
  auto *variable = dyn_cast<GlobalVariable>(value);
  return variable && privates.contains(const_cast<GlobalVariable *>(variable));
}

bool Residence::isImport(const Value *value) const {
  auto *variable = dyn_cast<GlobalVariable>(value);
  return variable && imports.contains(const_cast<GlobalVariable *>(variable));
}

Residence findResidence(Module &module, const NativeObjects &natives) {
  return Finder(module, natives).run();
}

bool isPreemptible(const GlobalValue &value) {
  if (value.hasLocalLinkage() || !value.hasDefaultVisibility())
    return false;
  if (value.isDeclarationForLinker())
    return true;
  if (value.isDSOLocal())
    return false;
  // The link marks every definition of an executable as final, except common ones, which it has not
  // placed yet.
  const Function *main = value.getParent()->getFunction("main");
  return !(value.hasCommonLinkage() && main && !main->isDeclaration());
}

void collectGlobals(const Constant &constant, SetVector<GlobalValue *> &globals) {
  SmallVector<const Constant *, 16> worklist{&constant};
  SmallPtrSet<const Constant *, 16> seen;
  while (!worklist.empty()) {
    const Constant *item = worklist.pop_back_val();
    if (!seen.insert(item).second || isa<BlockAddress>(item))
      continue;
    if (auto *global = dyn_cast<GlobalValue>(item)) {
      if (isa<GlobalVariable, GlobalAlias>(global))
        globals.insert(const_cast<GlobalValue *>(global));
      continue;
    }
    for (const Use &operand : item->operands())
      if (auto *inner = dyn_cast<Constant>(operand))
        worklist.push_back(inner);
  }
}

} // namespace gnomon
