// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bursts/Console.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace gnomon {

bool isConsole(const CallBase &call) {
  const Function *direct = call.getCalledFunction();
  StringRef name = direct ? direct->getName() : "";
  if (name == "printf" || name == "puts" || name == "putchar" || name == "vprintf" ||
      name == "perror")
    return true;
  if (name.starts_with("_FortranAioBegin")) {
    // The unit comes first, or behind the format: the first 32-bit integer.
    for (const Use &argument : call.args())
      if (argument->getType()->isIntegerTy(32)) {
        const auto *unit = dyn_cast<ConstantInt>(argument);
        return unit && (unit->getSExtValue() == 6 || unit->getSExtValue() == -1 || unit->isZero());
      }
    return false;
  }
  return any_of(call.args(), [](const Use &argument) { return isConsoleStream(*argument); });
}

bool isConsoleStream(const Value &value) {
  if (const auto *load = dyn_cast<LoadInst>(&value))
    return isConsoleStream(*load->getPointerOperand());
  if (const auto *stream = dyn_cast<GlobalVariable>(&value))
    return is_contained(
        ArrayRef<StringRef>{"stdout", "stderr", "_ZSt4cout", "_ZSt4cerr", "_ZSt4clog"},
        stream->getName());
  if (const auto *phi = dyn_cast<PHINode>(&value))
    return all_of(phi->incoming_values(), [](const Use &incoming) {
      return !isa<PHINode>(incoming) && isConsoleStream(*incoming);
    });
  const auto *call = dyn_cast<CallBase>(&value);
  if (!call || !call->getCalledFunction())
    return false;
  StringRef name = call->getCalledFunction()->getName();
  if (name.starts_with("_FortranAioBegin"))
    return isConsole(*call);
  return (name.starts_with("_ZNSo") || name.starts_with("_ZSt")) && call->arg_size() > 0 &&
         isConsoleStream(*call->getArgOperand(0));
}

} // namespace gnomon
