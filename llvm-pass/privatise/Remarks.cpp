// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "privatise/Remarks.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace gnomon {
namespace {

constexpr char PassName[] = "gnomon";

/// Where debug information says the variable stands (-g; line tables alone do not name variables).
DiagnosticLocation locationOf(const GlobalVariable &variable) {
  SmallVector<DIGlobalVariableExpression *, 1> expressions;
  variable.getDebugInfo(expressions);
  if (expressions.empty())
    return {};
  const DIGlobalVariable *source = expressions.front()->getVariable();
  // A location is only made from a function's; this one lives in the context, never in the module.
  auto *carrier = DISubprogram::getDistinct(
      variable.getContext(), nullptr, "", "", source->getFile(), source->getLine(), nullptr,
      source->getLine(), nullptr, 0, 0, DINode::FlagZero, DISubprogram::SPFlagZero, nullptr);
  return DiagnosticLocation(carrier);
}

std::string nameOf(const GlobalVariable &variable) {
  return "'" + demangle(variable.getName()) + "'";
}

class Reporter {
public:
  explicit Reporter(const Module &module) : module_(module) {
    // A remark must belong to a function; one about a variable belongs to any.
    for (const Function &function : module)
      if (!function.isDeclaration() && !anchor_)
        anchor_ = &function;
  }

  void privatised(const GlobalVariable &variable) {
    if (!anchor_)
      return;
    uint64_t bytes = module_.getDataLayout().getTypeAllocSize(variable.getValueType());
    OptimizationRemark remark(PassName, "Privatised", locationOf(variable),
                              &anchor_->getEntryBlock());
    remark << nameOf(variable) << " has one copy per rank (" << ore::NV("Bytes", bytes)
           << " bytes)";
    module_.getContext().diagnose(remark);
  }

  void refused(const Refusal &refusal) {
    std::string text =
        nameOf(*refusal.variable) + " stays shared by all ranks: " + refusal.reason();
    if (refusal.severity() == Severity::MayBreak)
      module_.getContext().diagnose(DiagnosticInfoGeneric("gnomon: " + text, DS_Warning));
    if (!anchor_)
      return;
    OptimizationRemarkMissed remark(PassName, "Shared", locationOf(*refusal.variable),
                                    &anchor_->getEntryBlock());
    remark << text;
    module_.getContext().diagnose(remark);
  }

private:
  const Module &module_;
  const Function *anchor_ = nullptr;
};

} // namespace

void reportResidence(const Module &module, const Residence &residence) {
  Reporter reporter(module);
  for (const GlobalVariable *variable : residence.privates)
    reporter.privatised(*variable);
  for (const Refusal &refusal : residence.refusals)
    reporter.refused(refusal);
}

/// "'a', 'b' and 3 more": those that the program itself uses first, they tell the reader most.
static std::string listNames(const Module &module, ArrayRef<std::string> variables) {
  constexpr size_t Named = 4;
  std::vector<std::string> names;
  for (bool used : {true, false})
    copy_if(variables, std::back_inserter(names), [&](const std::string &name) {
      return (module.getNamedValue(name) != nullptr) == used;
    });
  std::string text;
  for (size_t i = 0; i < std::min(Named, names.size()); ++i)
    text += (i ? ", '" : "'") + demangle(names[i]) + "'";
  if (names.size() > Named)
    text += formatv(" and {0} more", names.size() - Named).str();
  return text;
}

void reportNativeObjects(const Module &module, const NativeObjects &natives) {
  for (const NativeObject &object : natives.linked())
    if (is_contained(object.defines, "main"))
      module.getContext().diagnose(DiagnosticInfoGeneric(
          "gnomon: the program's main is in " + object.name +
              ", which was not built with the flag: it cannot run on simulated ranks; compile it "
              "with the flag, and without -fno-lto",
          DS_Warning));
  MapVector<StringRef, std::vector<std::string>> variables; // by file: an archive has many members
  for (const NativeObject &object : natives.linked())
    append_range(variables[StringRef(object.name).split('(').first], object.variables);
  for (const auto &[file, names] : variables)
    if (!names.empty())
      module.getContext().diagnose(DiagnosticInfoGeneric(
          "gnomon: " + file + " was not built with the flag, so all ranks share its variables: " +
              listNames(module, names) + "; compile it with the flag, and without -fno-lto",
          DS_Warning));
}

} // namespace gnomon
