// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bursts/Console.h"

#include "facts/Streams.h"
#include "slice/MemoryUse.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace gnomon {
namespace {

/// C's functions that print, or see to it that what was printed is seen.
constexpr StringLiteral Printers[] = {
    "printf",
    "vprintf",
    "__printf_chk",
    "puts",
    "putchar",
    "perror",
    "fprintf",
    "vfprintf",
    "__fprintf_chk",
    "__vfprintf_chk",
    "fputs",
    "fputs_unlocked",
    "putc",
    "fputc",
    "_IO_putc",
    "fwrite",
    "fwrite_unlocked",
    "fflush",
    "fflush_unlocked",
};

/// Functions that send what is printed to the console elsewhere.
constexpr StringLiteral Diverters[] = {"freopen", "freopen64", "dup", "dup2", "dup3"};

/// Functions that tell how much has been printed, of a stream of the console.
constexpr StringLiteral Counters[] = {"ftell",     "ftello",     "ftello64",     "fgetpos",
                                      "fgetpos64", "__fpending", "_ZNSo5tellpEv"};

StringRef calleeOf(const CallBase &call) {
  const Function *callee = call.getCalledFunction();
  return callee && callee->isDeclaration() ? callee->getName() : StringRef();
}

/// Whether nobody asks how the print went: its result is returned at most, to callers that leave it.
bool isAnswerLeft(const Program &program, const CallBase &call, unsigned depth = 4) {
  return all_of(call.users(), [&](const User *user) {
    if (!isa<ReturnInst>(user) || !depth)
      return false;
    const Function &wrapper = *cast<ReturnInst>(user)->getFunction();
    return !program.calledFromOutside(wrapper) && all_of(wrapper.uses(), [&](const Use &use) {
      const auto *outer = dyn_cast<CallBase>(use.getUser());
      return outer && outer->isCallee(&use) && isAnswerLeft(program, *outer, depth - 1);
    });
  });
}

/// A statement of Fortran that prints to the console: nothing of how it went is asked for.
bool isPrintingStatement(const CallBase &begin) {
  StringRef name = calleeOf(begin);
  if (!name.consume_front("_FortranAioBegin") || !isConsole(begin))
    return false;
  if (name != "Flush" && !(name.starts_with("External") && name.ends_with("Output")))
    return false;
  return all_of(begin.users(), [&](const User *user) {
    const auto *call = dyn_cast<CallBase>(user);
    StringRef next = call ? calleeOf(*call) : StringRef();
    return next.consume_front("_FortranAio") && call->use_empty() &&
           call->getArgOperand(0) == &begin &&
           (next.starts_with("Output") || next.starts_with("Set") || next == "EndIoStatement");
  });
}

bool isPrint(const MemoryUse &memory, const CallBase &call) {
  StringRef name = calleeOf(call);
  if (name.empty())
    return isOfPartOfConsole(call) && memory.program().pointsTo().mayCallOnlyLibrary(call);
  if (is_contained(Printers, name))
    return isConsole(call) && isAnswerLeft(memory.program(), call);
  if (name.starts_with("_FortranAio")) {
    const auto *begin = name.starts_with("_FortranAioBegin") || call.arg_empty()
                            ? &call
                            : dyn_cast<CallBase>(call.getArgOperand(0));
    return begin && isPrintingStatement(*begin);
  }
  if (!printsToStream(name))
    return false;
  // A manipulator of the program's own may do anything.
  if (any_of(call.args(), [](const Use &argument) {
        const auto *handed = dyn_cast<Function>(argument);
        return handed && !handed->isDeclaration();
      }))
    return false;
  return call.arg_size() > 0 && isConsoleStream(wholeOf(*call.getArgOperand(0))) &&
         !memory.program().mayThrowToHandler(call) &&
         (call.use_empty() || call.getType()->isPointerTy());
}

/// OPEN of a unit that is the console's.
bool opensConsole(const CallBase &call) {
  return calleeOf(call) == "_FortranAioBeginOpenUnit" && isConsole(call);
}

/// Whether the instruction makes the console a file: what is read of that, the run is checked for, as
/// long as all that goes there is written.
bool makesFile(const Instruction &instruction) {
  const auto *call = dyn_cast<CallBase>(&instruction);
  return call && (is_contained(Diverters, calleeOf(*call)) || opensConsole(*call));
}

/// Whether the instruction may make the console's streams write into memory, or asks how much they
/// have written.
bool asksBack(const Instruction &instruction) {
  if (const auto *call = dyn_cast<CallBase>(&instruction)) {
    StringRef name = calleeOf(*call);
    return name.contains("5rdbufEPSt15basic_streambuf") ||
           (is_contained(Counters, name) && isConsole(*call)) ||
           (name.starts_with("_ZNSt9basic_ios") &&
            (name.contains("4swapE") || name.contains("4moveE") || name.contains("7copyfmt")));
  }
  const auto *store = dyn_cast<StoreInst>(&instruction);
  return store && store->getValueOperand()->getType()->isPointerTy() &&
         isConsoleStream(wholeOf(*store->getPointerOperand())); // a buffer of its own
}

/// Whether the program stores an address into a stream of C++: that of a buffer of its own.
bool diverts(const MemoryUse &memory) {
  const PointsTo &pointsTo = memory.program().pointsTo();
  auto storesAddress = [](const Instruction *writer) {
    const auto *store = dyn_cast<StoreInst>(writer);
    return store && store->getValueOperand()->getType()->isPointerTy();
  };
  return any_of(memory.program().module().globals(), [&](const GlobalVariable &stream) {
    return isConsoleStream(stream) && any_of(pointsTo.cellsFrom(&stream), [&](Cell cell) {
             return cell != PointsTo::Unknown && any_of(memory.writers(cell), storesAddress);
           });
  });
}

} // namespace

bool asksForPrints(const MemoryUse &memory) {
  return diverts(memory) || any_of(memory.program().module(), [](const Function &function) {
           return any_of(instructions(function), asksBack);
         });
}

DenseSet<const CallBase *> findPrints(const MemoryUse &memory) {
  DenseSet<const CallBase *> prints;
  for (const Function &function : memory.program().module())
    for (const Instruction &instruction : instructions(function)) {
      if (makesFile(instruction))
        return {};
      const auto *call = dyn_cast<CallBase>(&instruction);
      if (call && !isa<IntrinsicInst>(call) && isPrint(memory, *call))
        prints.insert(call);
    }
  return prints;
}

bool givesStream(const CallBase &print) {
  StringRef name = calleeOf(print);
  return print.getType()->isPointerTy() && print.arg_size() > 0 &&
         (name.starts_with("_ZNSo") || name.starts_with("_ZSt"));
}

} // namespace gnomon
