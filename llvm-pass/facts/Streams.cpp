// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "facts/Streams.h"

#include "llvm/ADT/APInt.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace gnomon {
namespace {

/// Members of C++'s streams that print, and what `<<` does with a null string.
constexpr StringLiteral StreamPrinters[] = {
    "_ZNSolsE",
    "_ZNSo9_M_insert",
    "_ZNSo3put",
    "_ZNSo5write",
    "_ZNSo5flush",
    "_ZStls",
    "_ZSt16__ostream_insert",
    "_ZSt4endl",
    "_ZSt5flush",
    "_ZNSt9basic_iosIcSt11char_traitsIcEE5clearE",
};

/// Functions that set when a stream throws, or hand that on from another.
constexpr StringLiteral Askers[] = {"_ZNSt9basic_iosIcSt11char_traitsIcEE10exceptionsE",
                                    "_ZNSt9basic_iosIwSt11char_traitsIwEE10exceptionsE"};

/// What `exceptions` calls when it is inlined, behind a store of the mask.
constexpr StringLiteral Clearers[] = {"_ZNSt9basic_iosIcSt11char_traitsIcEE5clearE",
                                      "_ZNSt9basic_iosIwSt11char_traitsIwEE5clearE"};

/// Where the mask lies in std::ios_base, in bytes (libstdc++'s ABI: behind a pointer, two numbers of 64 bits and the
/// flags).
constexpr int64_t MaskOffset = 28;

/// Of `<<` in one statement.
constexpr unsigned LongestChain = 32;

/// Behind an argument, so many: callers have callers.
constexpr unsigned LongestChainOfCallers = 4;

bool isConsoleWithin(const Value &value, unsigned steps);

/// Whether all callers of the function are known, and hand such a stream over.
bool isHandedConsole(const Argument &argument, unsigned steps) {
  const Function &function = *argument.getParent();
  return function.hasLocalLinkage() && !function.use_empty() &&
         all_of(function.uses(), [&](const Use &use) {
           const auto *call = dyn_cast<CallBase>(use.getUser());
           return call && call->isCallee(&use) && argument.getArgNo() < call->arg_size() &&
                  isConsoleWithin(*call->getArgOperand(argument.getArgNo()), steps);
         });
}

/// Looked for through at most so many steps.
bool isConsoleWithin(const Value &value, unsigned steps) {
  if (!steps--)
    return false;
  if (const auto *argument = dyn_cast<Argument>(&value))
    return isHandedConsole(*argument, std::min(steps, LongestChainOfCallers));
  if (const auto *load = dyn_cast<LoadInst>(&value))
    return isConsoleWithin(*load->getPointerOperand(), steps);
  if (const auto *stream = dyn_cast<GlobalVariable>(&value))
    return is_contained(
        ArrayRef<StringRef>{"stdout", "stderr", "_ZSt4cout", "_ZSt4cerr", "_ZSt4clog"},
        stream->getName());
  if (const auto *phi = dyn_cast<PHINode>(&value))
    return all_of(phi->incoming_values(), [&](const Use &incoming) {
      return !isa<PHINode>(incoming) && isConsoleWithin(*incoming, steps);
    });
  const auto *call = dyn_cast<CallBase>(&value);
  if (!call || !call->getCalledFunction())
    return false;
  StringRef name = call->getCalledFunction()->getName();
  if (name.starts_with("_FortranAioBegin"))
    return isConsole(*call);
  return (name.starts_with("_ZNSo") || name.starts_with("_ZSt")) && call->arg_size() > 0 &&
         isConsoleWithin(*call->getArgOperand(0), steps);
}

/// The address's object and the place in it, as far as that is constant.
std::pair<const Value *, int64_t> placeOf(const Value &address, const DataLayout &layout) {
  APInt offset(layout.getIndexTypeSizeInBits(address.getType()), 0);
  const Value *base =
      address.stripAndAccumulateConstantOffsets(layout, offset, /*AllowNonInbounds=*/true);
  return {base, offset.getSExtValue()};
}

/// Whether the function stores the mask of the stream that the call clears.
bool storesMask(const CallBase &clear) {
  const DataLayout &layout = clear.getDataLayout();
  const auto [object, offset] = placeOf(*clear.getArgOperand(0), layout);
  const std::pair mask(object, offset + MaskOffset);
  return any_of(instructions(*clear.getFunction()), [&](const Instruction &instruction) {
    const auto *store = dyn_cast<StoreInst>(&instruction);
    return store && placeOf(*store->getPointerOperand(), layout) == mask;
  });
}

/// Whether the edge is taken where a pointer is null that a stream of the console holds.
bool isWithoutFacet(const BasicBlock &from, const BasicBlock &to) {
  const auto *branch = dyn_cast<BranchInst>(from.getTerminator());
  const auto *test =
      branch && branch->isConditional() ? dyn_cast<ICmpInst>(branch->getCondition()) : nullptr;
  if (!test || !test->isEquality() || !isa<ConstantPointerNull>(test->getOperand(1)))
    return false;
  const BasicBlock *whereNull =
      branch->getSuccessor(test->getPredicate() == ICmpInst::ICMP_EQ ? 0 : 1);
  const auto *facet = dyn_cast<LoadInst>(test->getOperand(0));
  return whereNull == &to && branch->getSuccessor(0) != branch->getSuccessor(1) && facet &&
         isConsoleStream(wholeOf(*facet->getPointerOperand()));
}

} // namespace

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

bool isConsoleStream(const Value &value) { return isConsoleWithin(value, LongestChain); }

const Value &wholeOf(const Value &value) {
  const Value *whole = value.stripPointerCasts();
  while (const auto *part = dyn_cast<GEPOperator>(whole))
    whole = part->getPointerOperand()->stripPointerCasts();
  return *whole;
}

bool printsToStream(StringRef name) {
  return any_of(StreamPrinters, [&](StringRef prefix) { return name.starts_with(prefix); });
}

bool isOfPartOfConsole(const CallBase &call) {
  if (call.getCalledFunction() || call.isInlineAsm() || call.arg_empty())
    return false;
  const auto *part = dyn_cast<LoadInst>(call.getArgOperand(0));
  return part && isConsoleStream(wholeOf(*part->getPointerOperand()));
}

bool complainsOfLocale(const CallBase &call) {
  const Function *callee = call.getCalledFunction();
  const BasicBlock &block = *call.getParent();
  return callee && callee->isDeclaration() && callee->getName() == "_ZSt16__throw_bad_castv" &&
         !pred_empty(&block) && all_of(predecessors(&block), [&](const BasicBlock *from) {
           return isWithoutFacet(*from, block);
         });
}

bool asksStreamsToThrow(const Module &module) {
  const Function *main = module.getFunction("main");
  if (!main || main->isDeclaration())
    return true;
  auto isOneOf = [](const Function &function, ArrayRef<StringLiteral> names) {
    return function.isDeclaration() && !function.use_empty() &&
           any_of(names, [&](StringRef name) { return function.getName().starts_with(name); });
  };
  return any_of(module, [&](const Function &function) {
    if (isOneOf(function, Askers))
      return true;
    return isOneOf(function, Clearers) && any_of(function.users(), [&](const User *user) {
             const auto *call = dyn_cast<CallBase>(user);
             return !call || call->getCalledFunction() != &function || storesMask(*call);
           });
  });
}

} // namespace gnomon
