// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "slice/Throws.h"

#include "facts/MpiRoles.h"
#include "facts/Streams.h"

#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace gnomon {
namespace {

/// Functions with a name of C++'s, or of what raises its exceptions.
bool isOfCxx(StringRef name) {
  return name.starts_with("_Z") || name.starts_with("__cxa_") || name.starts_with("_Unwind_") ||
         name.starts_with("__gxx_");
}

/// Whether `<<` is handed a function that is not known: a manipulator may do anything. One of the program's is followed
/// as what the call enters.
bool runsWhatIsHanded(const CallBase &call, StringRef name) {
  return name.starts_with("_ZNSolsEP") &&
         (call.arg_size() < 2 || !isa<Function>(call.getArgOperand(1)->stripPointerCasts()));
}

} // namespace

Throws::Throws(const Module &module, const PointsTo &pointsTo, const Externals &externals)
    : pointsTo_(pointsTo), externals_(externals), streams_(asksStreamsToThrow(module)) {}

bool Throws::fromOutside(const CallBase &call) const {
  if (isa<IntrinsicInst>(call) || call.doesNotThrow())
    return false;
  if (call.isInlineAsm())
    return true;
  const Function *direct = call.getCalledFunction();
  if (!direct) {
    const bool widens = isOfPartOfConsole(call) && pointsTo_.mayCallOnlyLibrary(call);
    return pointsTo_.mayCallDeclaration(call) || (pointsTo_.mayCallUnknown(call) && !widens);
  }
  return direct->isDeclaration() && !complainsOfLocale(call) &&
         fromLibrary(call, direct->getName());
}

bool Throws::fromLibrary(const CallBase &call, StringRef name) const {
  if (mpiFunction(call))
    return true; // an error handler of the program's own
  if (isOfCxx(name))
    return name != "_ZNKSt5ctypeIcE13_M_widen_initEv" &&
           (streams_ || !printsToStream(name) || runsWhatIsHanded(call, name));
  switch (externals_.of(call).kind) {
  case EffectKind::Pure:
  case EffectKind::Numeric:
  case EffectKind::Copy:
  case EffectKind::Fill:
  case EffectKind::Allocate:
  case EffectKind::Renew:
  case EffectKind::Free:
  case EffectKind::Output:
  case EffectKind::Input:
  case EffectKind::Clock:
  case EffectKind::Time:
    return false;            // C and Fortran have no exceptions
  case EffectKind::NoReturn: // exit runs functions of the program
  case EffectKind::Callback:
  case EffectKind::Order:
  case EffectKind::Mpi:
  case EffectKind::Communicates:
  case EffectKind::Unknown:
    return true;
  }
  llvm_unreachable("no such kind");
}

} // namespace gnomon
