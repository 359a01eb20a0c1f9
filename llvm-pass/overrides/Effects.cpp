// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "overrides/Effects.h"

#include "facts/MpiRoles.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"

#include <cstdlib>

using namespace llvm;

namespace gnomon {
namespace {

void diagnose(const Module &module, const Twine &text, DiagnosticSeverity severity) {
  module.getContext().diagnose(DiagnosticInfoGeneric("gnomon: " + text, severity));
}

/// The symbol, the demangled name, or Fortran's name without its underscore, in any case.
const Function *functionCalled(const Module &module, StringRef name) {
  if (const Function *function = module.getFunction(name))
    return function;
  if (const Function *function = module.getFunction(name.lower() + "_"))
    return function;
  for (const Function &function : module)
    if (!function.isIntrinsic() && function.getName().starts_with("_Z") &&
        demangle(function.getName()) == name)
      return &function;
  return nullptr;
}

bool touches(const ArgumentEffect &argument) {
  return argument.read || argument.written || argument.called;
}

/// Whether the argument that is returned is one that some call of the function does not have. Of
/// functions without a prototype only their calls say how many there are.
bool returnsMissing(const Function &function, const Effect &effect) {
  if (effect.returned != Returned::Argument && effect.returned != Returned::InsideArgument)
    return false;
  return (!function.isVarArg() && effect.returnedArgument >= function.arg_size()) ||
         any_of(function.users(), [&](const User *user) {
           const auto *call = dyn_cast<CallBase>(user);
           return call && call->getCalledOperand() == &function &&
                  effect.returnedArgument >= call->arg_size();
         });
}

/// What does not fit the function's declaration; empty: it fits. A declaration without a prototype
/// says nothing.
std::string misfit(const Function &function, const Effect &effect) {
  const std::string name = function.getName().str();
  if (!function.isDeclaration())
    return "'" + name +
           "' is a function of the program's own, and does what it does; say of its bursts in the "
           "file of GNOMON_BURSTS whether they may be skipped";
  if (mpiFunction(function))
    return "'" + name + "' is MPI's, and known";
  if (returnsMissing(function, effect))
    return formatv("'{0}' has no argument {1}", name, effect.returnedArgument);
  if (function.isVarArg())
    return {};
  for (auto [index, argument] : enumerate(effect.arguments))
    if (touches(argument) && index >= function.arg_size())
      return formatv("'{0}' has {1} arguments, and no argument {2}; they are numbered from 0", name,
                     function.arg_size(), index);
    else if (touches(argument) && !function.getArg(unsigned(index))->getType()->isPointerTy())
      return formatv("argument {0} of '{1}' is no address: leave it out", index, name);
  const bool address = function.getReturnType()->isPointerTy();
  if (address && effect.returned == Returned::Value && effect.kind != EffectKind::NoReturn)
    return "'" + name +
           "' returns an address; say which: returns new, returns library, returns argument N, "
           "returns inside N";
  if (!address && effect.returned != Returned::Value)
    return "'" + name + "' returns no address, but a value or nothing";
  return {};
}

/// The lines of a file, and what was said before of each function.
class EffectsFile {
public:
  EffectsFile(const Module &module, StringRef path) : module_(module), path_(path) {}

  void add(StringRef text, size_t number);
  std::vector<NamedEffect> take();

private:
  std::string place(size_t number) const { return formatv("{0}:{1}: ", path_, number); }
  std::string addLine(EffectsLine line, StringRef text, size_t number);

  const Module &module_;
  StringRef path_;
  std::string errors_; ///< all in one message: the linker ends at the first
  StringMap<std::pair<std::string, size_t>> before_; ///< by symbol: the line, and its number
  std::vector<NamedEffect> rows_;
};

std::string EffectsFile::addLine(EffectsLine line, StringRef text, size_t number) {
  const Function *function = functionCalled(module_, line.function);
  if (!function || function->use_empty()) {
    if (!function || function->isDeclaration())
      diagnose(module_, place(number) + "the program does not call '" + line.function + "'",
               DS_Remark);
    return function && !function->isDeclaration() ? misfit(*function, line.effect) : "";
  }
  if (std::string error = misfit(*function, line.effect); !error.empty())
    return error;
  auto [said, isNew] = before_.try_emplace(function->getName(),
                                           std::pair(text.split(':').second.trim().str(), number));
  if (!isNew && said->second.first != text.split(':').second.trim())
    return formatv("line {0} says something else of '{1}'", said->second.second, line.function);
  if (!isNew)
    return {};
  rows_.push_back({function->getName().str(), std::move(line.effect)});
  return {};
}

void EffectsFile::add(StringRef text, size_t number) {
  text = text.split('#').first;
  std::string error;
  if (std::optional<EffectsLine> line = parseEffectsLine(text, error))
    error = addLine(std::move(*line), text, number);
  if (!error.empty())
    errors_ += (errors_.empty() ? "" : "\n  ") + place(number) + error;
}

std::vector<NamedEffect> EffectsFile::take() {
  if (!errors_.empty())
    diagnose(module_, errors_, DS_Error);
  if (!rows_.empty()) {
    const Externals tables(module_);
    for (const NamedEffect &row : rows_)
      if (tables.byName(row.name).known)
        diagnose(module_,
                 place(before_.lookup(row.name).second) + "what is said of '" + row.name +
                     "' goes before what Gnomon knows of it",
                 DS_Remark);
  }
  return std::move(rows_);
}

} // namespace

std::vector<NamedEffect> readEffects(const Module &module) {
  const char *path = std::getenv("GNOMON_EFFECTS");
  if (!path || !*path)
    return {};
  ErrorOr<std::unique_ptr<MemoryBuffer>> buffer = MemoryBuffer::getFile(path, /*IsText=*/true);
  if (!buffer) {
    diagnose(module, path + (": " + buffer.getError().message()), DS_Error);
    return {};
  }
  EffectsFile file(module, path);
  SmallVector<StringRef, 0> lines;
  (*buffer)->getBuffer().split(lines, '\n');
  for (auto [index, text] : enumerate(lines))
    file.add(text, index + 1);
  return file.take();
}

} // namespace gnomon
