// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "privatise/AsmUses.h"

#include "privatise/Residence.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace gnomon {
namespace {

bool isSymbolCharacter(char c) { return isAlnum(c) || c == '_' || c == '.'; }

/// None of the constraint's alternatives takes a register or memory: the operand must be a
/// link-time constant.
bool takesOnlyConstants(const InlineAsm::ConstraintInfo &constraint) {
  return !constraint.Codes.empty() && all_of(constraint.Codes, [](const std::string &code) {
    return code == "i" || code == "s" || code == "n" || code == "e" || code == "Z" || code == "Ws";
  });
}

} // namespace

AsmUses::AsmUses(const Module &module) {
  scanText(module, module.getModuleInlineAsm());
  for (const Function &function : module)
    for (const Instruction &instruction : instructions(function))
      if (auto *call = dyn_cast<CallBase>(&instruction))
        if (call->isInlineAsm())
          scanCall(*call);
}

/// Looks for symbols where AT&T syntax has operands: not the first word of a statement (the
/// mnemonic), not a register (after '%'), not a label.
void AsmUses::scanText(const Module &module, StringRef text) {
  bool statementStart = true;
  for (size_t i = 0; i < text.size();) {
    char c = text[i];
    if (!isSymbolCharacter(c)) {
      if (c == '\n' || c == ';')
        statementStart = true;
      ++i;
      continue;
    }
    StringRef word = text.substr(i).take_while(isSymbolCharacter);
    bool isRegister = i > 0 && text[i - 1] == '%';
    bool isLabel = i + word.size() < text.size() && text[i + word.size()] == ':';
    if (!statementStart && !isRegister && !isLabel)
      if (const GlobalValue *global = module.getNamedValue(word))
        uses_.insert(global);
    statementStart = isLabel;
    i += word.size();
  }
}

void AsmUses::scanCall(const CallBase &call) {
  auto *assembly = cast<InlineAsm>(call.getCalledOperand());
  scanText(*call.getModule(), assembly->getAsmString());
  unsigned argument = 0;
  for (const InlineAsm::ConstraintInfo &constraint : assembly->ParseConstraints()) {
    if (!constraint.hasArg())
      continue;
    auto *operand = dyn_cast<Constant>(call.getArgOperand(argument++));
    if (!operand || !takesOnlyConstants(constraint))
      continue;
    SetVector<GlobalValue *> globals;
    collectGlobals(*operand, globals);
    uses_.insert(globals.begin(), globals.end());
  }
}

} // namespace gnomon
