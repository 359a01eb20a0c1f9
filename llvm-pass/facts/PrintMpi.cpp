// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "facts/PrintMpi.h"

#include "facts/MpiRoles.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace gnomon {
namespace {

StringRef nameOf(MpiRole role) {
  static constexpr StringRef names[] = {"control", "control[]", "send",   "receive",
                                        "both",    "out",       "in-out", "callback",
                                        "memory",  "window",    "text",   "ignored"};
  return names[static_cast<unsigned>(role)];
}

StringRef nameOf(MpiEffect effect) {
  static constexpr StringRef names[] = {"local", "message", "progress", "collective", "run"};
  return names[static_cast<unsigned>(effect)];
}

StringRef nameOf(MpiData data) {
  static constexpr StringRef names[] = {"integer", "floating", "numbers", "bytes", "other"};
  return names[static_cast<unsigned>(data)];
}

bool isPayload(MpiRole role) {
  return role == MpiRole::SendBuffer || role == MpiRole::ReceiveBuffer ||
         role == MpiRole::SendReceiveBuffer;
}

/// ` send(floating x 50)`, ` control=7`, ` *control=7`, ` out`.
void printArgument(raw_ostream &out, const CallBase &call, const MpiArgument &argument,
                   unsigned index) {
  out << ' ' << (argument.byReference ? "*" : "") << nameOf(argument.role);
  if (isPayload(argument.role)) {
    out << '(';
    if (isInPlace(call, index))
      out << "in place ";
    else if (isBottom(call, index))
      out << "bottom ";
    out << nameOf(dataOf(call, argument.datatype));
    if (argument.count >= 0)
      if (std::optional<int64_t> count = constantArgument(call, argument.count))
        out << " x " << *count;
    out << ')';
  } else if (argument.role == MpiRole::Control) {
    if (std::optional<int64_t> value = constantArgument(call, index))
      out << '=' << *value;
  }
}

void printCall(raw_ostream &out, const CallBase &call, const MpiFunction &function) {
  out << call.getFunction()->getName() << ": " << function.name
      << (function.fortran ? " fortran " : " c ") << nameOf(function.effect);
  if (function.reduction)
    out << " reduction";
  if (!function.blocking)
    out << " nonblocking";
  if (function.timing)
    out << " timing";
  if (function.noReturn)
    out << " noreturn";
  for (auto [label, index] : {std::pair("peer", function.peer),
                              {"tag", function.tag},
                              {"comm", function.comm},
                              {"op", function.op}})
    if (index >= 0)
      out << ' ' << label << '@' << int(index);
  out << " :";
  for (auto [index, argument] : enumerate(function.arguments))
    if (index < call.arg_size())
      printArgument(out, call, argument, index);
  out << '\n';
}

} // namespace

PreservedAnalyses PrintMpiPass::run(Module &module, ModuleAnalysisManager &) {
  for (const Function &function : module)
    for (const Instruction &instruction : instructions(function))
      if (const auto *call = dyn_cast<CallBase>(&instruction))
        if (const MpiFunction *mpi = mpiFunction(*call))
          printCall(outs(), *call, *mpi);
  return PreservedAnalyses::all();
}

} // namespace gnomon
