// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "count/Quiet.h"

#include "names/Names.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace gnomon::count {
namespace {

/// The functions of the mathematical library, less the suffixes f and l.
bool isMathematical(StringRef name) {
  static const StringSet<> names = {
      "acos",  "acosh",  "asin",      "asinh", "atan",      "atan2", "atanh",  "cbrt",
      "ceil",  "cos",    "cosh",      "erf",   "erfc",      "exp",   "exp10",  "exp2",
      "expm1", "fabs",   "floor",     "fma",   "fmax",      "fmin",  "fmod",   "hypot",
      "ldexp", "log",    "log10",     "log1p", "log2",      "logb",  "lround", "llround",
      "lrint", "llrint", "nearbyint", "pow",   "remainder", "rint",  "round",  "scalbn",
      "sin",   "sincos", "sinh",      "sqrt",  "tan",       "tanh",  "tgamma", "lgamma",
      "trunc", "cexp",   "csqrt",     "cabs",  "cpow",      "clog"};
  if (names.contains(name))
    return true;
  return (name.ends_with("f") || name.ends_with("l")) && names.contains(name.drop_back());
}

/// A function of a library that has no business with the runtime.
bool isHarmless(const Function &function) {
  StringRef name = function.getName();
  if (name.starts_with("gnomon_") || name.starts_with(names::OursPrefix))
    return false; // a hook, whatever it is said to touch
  if (isMathematical(name) || name.starts_with("__mul") || name.starts_with("__div"))
    return true;
  // What touches nothing but its arguments and its own secrets (memcpy, strlen, malloc) does not
  // ask for the time.
  MemoryEffects rest = function.getMemoryEffects()
                           .getWithoutLoc(IRMemLocation::ArgMem)
                           .getWithoutLoc(IRMemLocation::InaccessibleMem)
                           .getWithoutLoc(IRMemLocation::ErrnoMem);
  return rest.doesNotAccessMemory() && !function.doesNotReturn() && function.doesNotThrow();
}

const Function *calledDirectly(const CallBase &call) {
  return dyn_cast<Function>(call.getCalledOperand()->stripPointerCasts());
}

} // namespace

bool isQuietByItself(const CallBase &call) {
  if (call.isInlineAsm() || isa<IntrinsicInst>(call))
    return true;
  const Function *callee = calledDirectly(call);
  return callee && callee->isDeclaration() && isHarmless(*callee);
}

bool Quiet::is(const CallBase &call) const {
  if (isQuietByItself(call))
    return true;
  const Function *callee = calledDirectly(call);
  if (!callee || callee->isDeclaration())
    return false;
  return call.doesNotThrow() && !call.doesNotReturn() && !callee->isInterposable() &&
         !noisy_.contains(callee);
}

Quiet::Quiet(const Module &module) {
  // A function with a noisy call makes calls of itself noisy, and so on to its callers.
  SmallVector<const Function *, 16> pending;
  auto look = [&](const Function &function) {
    if (noisy_.contains(&function))
      return;
    for (const Instruction &instruction : instructions(function))
      if (auto *call = dyn_cast<CallBase>(&instruction); call && !is(*call)) {
        noisy_.insert(&function);
        pending.push_back(&function);
        return;
      }
  };
  for (const Function &function : module)
    if (!function.isDeclaration())
      look(function);
  while (!pending.empty())
    for (const User *user : pending.pop_back_val()->users())
      if (auto *call = dyn_cast<CallBase>(user))
        look(*call->getFunction());
}

} // namespace gnomon::count
