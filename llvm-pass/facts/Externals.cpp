// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "facts/Externals.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

#include <algorithm>

using namespace llvm;

namespace gnomon {
namespace {

struct Row {
  const char *name;
  EffectKind kind;
  const char *arguments;
  const char *result;
};

constexpr Row Rows[] = {
#define EXTERNAL(name, kind, arguments, result) {name, EffectKind::kind, arguments, result},
#include "facts/Externals.def"
};

ArgumentEffect argumentOf(char letter) {
  ArgumentEffect effect;
  switch (letter) {
  case 'b':
    effect.read = true;
    [[fallthrough]];
  case 'A':
    effect.keepsFresh = letter == 'A';
    [[fallthrough]];
  case 'a':
    effect.written = effect.storesFresh = true;
    break;
  case 'e':
    effect.written = true;
    effect.storesArgument = 0;
    break;
  case 'k':
    effect.read = effect.kept = true;
    break;
  case 'f':
    effect.called = true;
    break;
  case 'o':
    effect.read = effect.written = effect.deep = effect.classObject = true;
    break;
  case 't':
    effect.thrown = true;
    break;
  case 'l':
    effect.written = effect.storesLibrary = true;
    break;
  case 'd':
    effect.read = effect.floats = true;
    break;
  case 'i':
    effect.written = effect.integers = true;
    break;
  case 'u':
    effect.written = effect.inResult = true;
    break;
  case 'v':
    effect.read = effect.inResult = true;
    break;
  case 'U':
    effect.read = effect.written = effect.deep = effect.inResult = true;
    break;
  default:
    effect.read = StringRef("rxRX").contains(letter);
    effect.written = StringRef("wxWX").contains(letter);
    effect.deep = StringRef("RWX").contains(letter);
  }
  return effect;
}

Effect effectOf(const Row &row) {
  Effect effect;
  effect.kind = row.kind;
  effect.known = row.kind != EffectKind::Unknown;
  StringRef arguments = row.arguments;
  effect.repeatsLast = arguments.consume_back("*");
  for (char letter : arguments)
    effect.arguments.push_back(argumentOf(letter));
  StringRef result = row.result;
  effect.returned = StringSwitch<Returned>(result)
                        .Case("-", Returned::Value)
                        .Case("new", Returned::Fresh)
                        .Case("lib", Returned::Library)
                        .Case("reach", Returned::Reach)
                        .Case("unit", Returned::Unit)
                        .Case("?", Returned::Unknown)
                        .Cases({"error", "code", "stop", "throw"}, Returned::Value)
                        .Default(Returned::Argument);
  effect.ending = StringSwitch<Ending>(result)
                      .Case("error", Ending::Error)
                      .Case("code", Ending::Code)
                      .Case("stop", Ending::Stop)
                      .Case("throw", Ending::Throw)
                      .Default(Ending::None);
  if (effect.returned == Returned::Argument)
    effect.returnedArgument = uint8_t(result[0] - '0');
  return effect;
}

/// What attributes say of one argument of a function that is in no table.
ArgumentEffect argumentByAttributes(const CallBase &call, unsigned index, ModRefInfo arguments) {
  ArgumentEffect effect;
  effect.read = isRefSet(arguments) && !call.paramHasAttr(index, Attribute::WriteOnly) &&
                !call.doesNotAccessMemory(index);
  effect.written = isModSet(arguments) && !call.onlyReadsMemory(index);
  return effect;
}

/// Attributes make an unknown function known if it touches no memory but what its arguments point
/// to, and keeps none of these.
Effect effectByAttributes(const CallBase &call) {
  Effect effect;
  MemoryEffects memory = call.getMemoryEffects();
  ModRefInfo arguments = memory.getModRef(IRMemLocation::ArgMem);
  MemoryEffects others = memory.getWithoutLoc(IRMemLocation::ArgMem)
                             .getWithoutLoc(IRMemLocation::InaccessibleMem)
                             .getWithoutLoc(IRMemLocation::ErrnoMem);
  bool keeps = false;
  for (unsigned index = 0; index < call.arg_size(); ++index)
    keeps |= call.getArgOperand(index)->getType()->isPtrOrPtrVectorTy() &&
             !call.doesNotCapture(index) && !memory.doesNotAccessMemory();
  if (!others.doesNotAccessMemory() || (keeps && isModSet(memory.getModRef())))
    return effect;
  effect.known = true;
  effect.kind = EffectKind::Pure;
  for (unsigned index = 0; index < call.arg_size(); ++index)
    effect.arguments.push_back(argumentByAttributes(call, index, arguments));
  effect.returned = call.returnDoesNotAlias() ? Returned::Fresh : Returned::AnyArgument;
  return effect;
}

/// Intrinsics work on what they are given, whatever their attributes leave open.
Effect effectOfIntrinsic(const CallBase &call) {
  Effect effect = effectByAttributes(call);
  if (effect.known)
    return effect;
  effect.known = true;
  effect.kind = EffectKind::Pure;
  effect.returned = Returned::AnyArgument;
  effect.arguments.push_back(argumentOf('x'));
  effect.repeatsLast = true;
  return effect;
}

/// A class is returned through a hidden first argument.
void addHiddenResult(Effect &effect) {
  effect.arguments.insert(effect.arguments.begin(), argumentOf('o'));
  effect.returned = Returned::Value;
}

} // namespace

ArgumentEffect Effect::argument(unsigned index) const {
  if (index < arguments.size())
    return arguments[index];
  return repeatsLast && !arguments.empty() ? arguments.back() : ArgumentEffect();
}

Externals::Externals() {
  for (const Row &row : Rows) {
    StringRef name = row.name;
    if (name.consume_back("*")) {
      prefixes_[name] = effectOf(row);
      longestPrefix_ = std::max(longestPrefix_, unsigned(name.size()));
    } else {
      table_[name] = effectOf(row);
    }
  }
}

Effect Externals::byName(StringRef name) const {
  if (name.starts_with("PMPI_") || name.starts_with("pmpi_"))
    name = name.drop_front();
  if (auto found = table_.find(name); found != table_.end())
    return found->second;
  for (size_t length = std::min<size_t>(longestPrefix_, name.size()); length; --length)
    if (auto found = prefixes_.find(name.take_front(length)); found != prefixes_.end())
      return found->second;
  return {};
}

Effect Externals::of(const Function &function) const {
  if (!function.isDeclaration() || function.isIntrinsic())
    return {};
  return byName(function.getName());
}

Effect Externals::of(const CallBase &call) const {
  const Function *function = call.getCalledFunction();
  if (function && !function->isDeclaration())
    return {};
  Effect effect = function && !function->isIntrinsic() ? byName(function->getName()) : Effect();
  if (function && function->isIntrinsic())
    return effectOfIntrinsic(call);
  if (!effect.known)
    return function || call.isInlineAsm() ? effectByAttributes(call) : effect;
  if (call.hasStructRetAttr() && function->getName().starts_with("_Z"))
    addHiddenResult(effect);
  return effect;
}

bool Externals::isLibraryVariable(StringRef name) const {
  constexpr StringLiteral Prefixes[] = {
      "_ZTV", "_ZTI",        "_ZTT",         "_ZTS", "_ZSt3c", "_ZSt4c",   "_ZNSt",
      "_ZSt", "gnomon_mpi_", "_QM__fortran", "MPI_", "mpi_",   "__gnomon", "_ZNKSt"};
  constexpr StringLiteral Names[] = {"stdin",
                                     "stdout",
                                     "stderr",
                                     "environ",
                                     "__environ",
                                     "optarg",
                                     "optind",
                                     "opterr",
                                     "optopt",
                                     "timezone",
                                     "daylight",
                                     "tzname",
                                     "signgam",
                                     "__dso_handle",
                                     "program_invocation_name",
                                     "program_invocation_short_name"};
  return is_contained(Names, name) ||
         any_of(Prefixes, [&](StringRef prefix) { return name.starts_with(prefix); });
}

} // namespace gnomon
