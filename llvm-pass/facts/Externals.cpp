// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "facts/Externals.h"

#include "names/Names.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/ErrorHandling.h"

#include <algorithm>
#include <array>
#include <glob.h>
#include <initializer_list>

using namespace llvm;

namespace gnomon {
namespace {

/// What is done with an argument, in the words of Externals.def.
enum class Use : uint8_t {
  Value,
  Reads,
  Writes,
  Updates,
  ReadsText,
  WritesText,
  UpdatesText,
  ResumesText,
  ReadsShape,
  ReadsShapes,
  ReadsArray,
  WritesArray,
  MakesArray,
  EndsArray,
  AssignsArray,
  ReadsArrayAll,
  TakesArray,
  GivesArray,
  ReadsAll,
  WritesAll,
  UpdatesAll,
  FillsAll,
  Keeps,
  KeepsInside,
  Calls,
  Throws,
  StoresNew,
  StoresNewKept,
  WritesNewInside,
  RenewsPointer,
  StoresFirst,
  StoresFirstBase,
  AdvancesText,
  AdvancesFirst,
  ReadsBehind,
  WritesBehind,
  EndsBehind,
  JoinsEnvironment,
  Null,
  StoresLibrary,
  LibraryObject,
  String,
  ReadsString,
  ReadsLinks,
  UpdatesLinks,
  ReadsFloats,
  WritesIntegers,
  ResultReads,
  ResultWrites,
  ResultUpdatesAll,
  StoresUnit,
  UpdatesBehind,
  ReadsVariables,
  WritesVariables,
  ByShape,
  Strict,
  ReadsEnvironment,
  ReadsFlags,
  WritesFlags,
  Names,
  AnyNumber,
  AndSoOn
};

/// The words of all arguments of one function.
struct Uses {
  constexpr Uses() = default;
  constexpr Uses(std::initializer_list<Use> words) {
    for (Use use : words)
      if (use == Use::AndSoOn)
        repeatsLast = true;
      else if (use == Use::ByShape)
        byShape = true;
      else if (use == Use::Strict)
        strict = true;
      else if (use == Use::ReadsEnvironment)
        readsEnvironment = true;
      else if (use == Use::ReadsFlags)
        readsFlags = true;
      else if (use == Use::WritesFlags)
        writesFlags = true;
      else if (use == Use::Names)
        names = true;
      else
        all[count++] = use;
  }

  std::array<Use, 24> all = {};
  uint8_t count = 0;
  bool repeatsLast = false, byShape = false, strict = false, readsEnvironment = false;
  bool readsFlags = false, writesFlags = false, names = false;
};

struct Result {
  Returned returned = Returned::Value;
  uint8_t argument = 0;
  Ending ending = Ending::None;
  bool verdict = false;
};

struct Row {
  const char *name;
  EffectKind kind;
  Uses uses;
  Result result;
};

/// Externals.def, with its words in scope.
namespace table {

using enum Use;
constexpr Result NoPointer;
constexpr Result Verdict{.verdict = true};
constexpr Result New{.returned = Returned::Fresh};
constexpr Result Library{.returned = Returned::Library};
constexpr Result Environment{.returned = Returned::Environment};
constexpr Result Advanced{.returned = Returned::Advanced};
constexpr Result Resumed{.returned = Returned::Resumed};
constexpr Result Linked{.returned = Returned::Linked};
constexpr Result Unit{.returned = Returned::Unit};
constexpr Result EndsInError{.ending = Ending::Error};
constexpr Result EndsWithCode{.ending = Ending::Code};
constexpr Result EndsWithStop{.ending = Ending::Stop};
constexpr Result EndsByThrow{.ending = Ending::Throw};
constexpr Result Argument(uint8_t index) {
  return {.returned = Returned::Argument, .argument = index};
}
constexpr Result OrNew(uint8_t index) {
  return {.returned = Returned::ArgumentOrFresh, .argument = index};
}
constexpr Result Inside(uint8_t index) {
  return {.returned = Returned::InsideArgument, .argument = index};
}

#define USES(...) {__VA_ARGS__}
#define EXTERNAL(name, kind, arguments, result) {name, EffectKind::kind, USES arguments, result},
constexpr Row Rows[] = {
#include "facts/Externals.def"
};
#undef USES

} // namespace table

constexpr Sharing Sharings[] = {
#define SHARING(functions, makers) {functions, makers},
#include "facts/libraries/Sharing.def"
};

ArgumentEffect effectOf(Use use) {
  switch (use) {
  case Use::Value:
  case Use::ByShape: // no arguments of their own
  case Use::Strict:
  case Use::ReadsEnvironment:
  case Use::ReadsFlags:
  case Use::WritesFlags:
  case Use::Names:
  case Use::AndSoOn:
    return {};
  case Use::AnyNumber:
    return {.anyNumber = true};
  case Use::Reads:
    return {.read = true};
  case Use::Writes:
    return {.written = true};
  case Use::Updates:
    return {.read = true, .written = true};
  case Use::ReadsText:
    return {.read = true, .text = true};
  case Use::WritesText:
    return {.written = true, .text = true};
  case Use::UpdatesText:
    return {.read = true, .written = true, .text = true};
  case Use::ResumesText:
    return {.read = true, .written = true, .text = true, .resumed = true};
  case Use::ReadsShape:
    return {.read = true, .shape = true};
  case Use::ReadsShapes:
    return {.read = true, .shape = true, .deep = true};
  case Use::ReadsArray:
    return {.read = true, .array = true};
  case Use::WritesArray:
    return {.written = true, .array = true};
  case Use::MakesArray:
    return {.written = true, .storesFresh = true, .array = true, .shapeWritten = true};
  case Use::EndsArray:
    return {.read = true, .array = true, .shapeWritten = true};
  case Use::AssignsArray:
    return {
        .written = true, .deep = true, .storesFresh = true, .array = true, .shapeWritten = true};
  case Use::ReadsArrayAll:
    return {.read = true, .deep = true, .array = true};
  case Use::TakesArray:
    return {.deep = true, .array = true, .shapeWritten = true, .moved = true};
  case Use::GivesArray:
    return {.array = true, .shapeWritten = true, .moved = true};
  case Use::ReadsAll:
    return {.read = true, .deep = true};
  case Use::WritesAll:
    return {.written = true, .deep = true};
  case Use::UpdatesAll:
    return {.read = true, .written = true, .deep = true};
  case Use::FillsAll:
    return {.read = true, .written = true, .shape = true, .deep = true};
  case Use::Keeps:
    return {.read = true, .kept = true};
  case Use::KeepsInside:
    return {.read = true, .keptInside = true};
  case Use::Calls:
    return {.called = true};
  case Use::Throws:
    return {.thrown = true};
  case Use::StoresNew:
    return {.written = true, .storesFresh = true};
  case Use::StoresNewKept:
    return {.written = true, .storesFresh = true, .keepsFresh = true};
  case Use::WritesNewInside:
    return {.written = true, .storesFresh = true, .manyFresh = true};
  case Use::RenewsPointer:
    return {.read = true, .written = true, .storesFresh = true};
  case Use::StoresFirst:
    return {.written = true, .storesArgument = 0};
  case Use::StoresFirstBase:
    return {.written = true, .storesBase = true};
  case Use::AdvancesText:
    return {.advances = true};
  case Use::AdvancesFirst:
    return {.advances = true, .storesArgument = 0};
  case Use::ReadsBehind:
    return {.read = true, .readBehind = true};
  case Use::WritesBehind:
    return {.read = true, .writtenBehind = true};
  case Use::EndsBehind:
    return {.read = true, .written = true, .readBehind = true};
  case Use::JoinsEnvironment:
    return {.read = true, .text = true, .environment = true};
  case Use::Null:
    return {.onlyNull = true};
  case Use::StoresLibrary:
    return {.written = true, .storesLibrary = true};
  case Use::LibraryObject:
    return {.read = true, .written = true, .deep = true, .classObject = true};
  case Use::String:
    return {.read = true, .written = true, .deep = true, .classObject = true, .mayBeString = true};
  case Use::ReadsString:
    return {.read = true, .deep = true, .mayBeString = true};
  case Use::ReadsLinks:
    return {.read = true, .links = true};
  case Use::UpdatesLinks:
    return {.read = true, .written = true, .links = true};
  case Use::ReadsFloats:
    return {.read = true, .floats = true};
  case Use::WritesIntegers:
    return {.written = true, .integers = true};
  case Use::ResultReads:
    return {.read = true, .inResult = true};
  case Use::ResultWrites:
    return {.written = true, .inResult = true};
  case Use::ResultUpdatesAll:
    return {.read = true, .written = true, .deep = true, .inResult = true};
  case Use::StoresUnit:
    return {.written = true, .storesUnit = true};
  case Use::UpdatesBehind:
    return {.read = true, .behind = true};
  case Use::ReadsVariables:
    return {.read = true, .text = true, .list = true};
  case Use::WritesVariables:
    return {.written = true, .storesFresh = true, .manyFresh = true, .list = true};
  }
  llvm_unreachable("no such use");
}

Effect effectOf(const Row &row) {
  Effect effect;
  effect.kind = row.kind;
  effect.known = row.kind != EffectKind::Unknown;
  effect.readsFiles = row.kind == EffectKind::Input;
  for (Use use : ArrayRef(row.uses.all).take_front(row.uses.count))
    effect.arguments.push_back(effectOf(use));
  effect.repeatsLast = row.uses.repeatsLast;
  effect.byShape = row.uses.byShape;
  effect.strict = row.uses.strict;
  effect.readsEnvironment = row.uses.readsEnvironment;
  effect.readsFlags = row.uses.readsFlags;
  effect.writesFlags = row.uses.writesFlags;
  effect.names = row.uses.names;
  effect.verdict = row.result.verdict;
  effect.returned = row.result.returned;
  effect.returnedArgument = row.result.argument;
  effect.ending = row.result.ending;
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
  effect.arguments.push_back(effectOf(Use::Updates));
  effect.repeatsLast = true;
  return effect;
}

/// A class is returned through a hidden first argument.
void addHiddenResult(Effect &effect) {
  effect.arguments.insert(effect.arguments.begin(), effectOf(Use::String));
  effect.returned = Returned::Value;
}

/// Whether the argument is a std::string: returned by the call, or passed by reference to a function
/// of strings (other classes of that size are no arguments of those).
bool isString(const CallBase &call, unsigned index) {
  if (Type *result = call.getParamStructRetType(index)) {
    const auto *record = dyn_cast<StructType>(result);
    return record && record->hasName() && record->getName().contains("::basic_string") &&
           call.getDataLayout().getTypeAllocSize(result) == StringBytes;
  }
  return call.getParamDereferenceableBytes(index) == StringBytes &&
         call.getCalledFunction()->getName().contains("12basic_string");
}

/// Which of the arguments that may be strings are. Pointers of which the call does not say how much
/// lies behind them, as it says of references to objects, refer to characters.
void resolveStrings(Effect &effect, const CallBase &call) {
  if (none_of(effect.arguments,
              [](const ArgumentEffect &argument) { return argument.mayBeString; }))
    return;
  while (effect.repeatsLast && effect.arguments.size() < call.arg_size())
    effect.arguments.push_back(effect.arguments.back());
  for (unsigned index = 0; index < std::min<size_t>(call.arg_size(), effect.arguments.size());
       ++index) {
    ArgumentEffect &argument = effect.arguments[index];
    if (!argument.mayBeString)
      continue;
    if (isString(call, index))
      argument = {.read = true, .written = argument.written, .string = true};
    else if (!call.getParamDereferenceableBytes(index) && !argument.written)
      argument = {.read = true, .text = true};
  }
}

/// Flags, widths, precisions and sizes.
constexpr StringLiteral FormatModifiers = "0123456789.*$'+- #IhlqjztLw";

/// Whether a directive of the format has that letter, behind flags, widths and the like.
bool hasDirective(StringRef format, char letter) {
  for (size_t at = format.find('%'); at != StringRef::npos; at = format.find('%', at)) {
    at = format.find_first_not_of(FormatModifiers, at + 1);
    if (at == StringRef::npos)
      return false;
    if (format[at++] == letter)
      return true;
  }
  return false;
}

/// The same of a text that may become a part of a format: "%%n" may make a "%n".
bool mayMakeDirective(StringRef text, char letter) {
  for (size_t at = text.find('%'); at != StringRef::npos; at = text.find('%', at + 1))
    if (const size_t next = text.find_first_not_of(FormatModifiers, at + 1);
        next != StringRef::npos && text[next] == letter)
      return true;
  return false;
}

/// The characters of the variable, wide ones made narrow; empty: it is no text.
std::string charactersOf(const GlobalVariable &variable) {
  const auto *array =
      variable.hasInitializer() ? dyn_cast<ConstantDataArray>(variable.getInitializer()) : nullptr;
  std::string text;
  if (!array || !(array->isString(8) || array->isString(32)))
    return text;
  for (unsigned i = 0; i < array->getNumElements(); ++i) {
    const uint64_t character = array->getElementAsInteger(i);
    text += character < 128 ? char(character) : '?';
  }
  return text;
}

/// Whether one of the module's constants has a directive with that letter, or may make one.
bool hasFormatWith(const Module &module, char letter) {
  return any_of(module.globals(), [&](const GlobalVariable &variable) {
    return mayMakeDirective(charactersOf(variable), letter);
  });
}

/// Whether the value is a constant text; if so, \p text has its characters, of wide ones also those in front of it.
bool isText(const Value &value, std::string &text) {
  StringRef narrow;
  const auto *variable = dyn_cast<GlobalVariable>(getUnderlyingObject(&value));
  const bool isWide = variable && variable->getValueType()->isArrayTy() &&
                      variable->getValueType()->getArrayElementType()->isIntegerTy(32);
  if (!isWide && getConstantStringInfo(&value, narrow)) {
    text = narrow.str();
    return true;
  }
  const bool isConstant = variable && variable->isConstant();
  if (isConstant)
    text = charactersOf(*variable);
  return isConstant && !text.empty();
}

/// What all callers of the function, which nobody else calls, pass; none: that is not known.
SmallVector<const Value *, 4> passedFor(const Argument &argument) {
  SmallVector<const Value *, 4> passed;
  const Function &function = *argument.getParent();
  if (!function.hasLocalLinkage())
    return {};
  for (const llvm::Use &use : function.uses()) {
    const auto *call = dyn_cast<CallBase>(use.getUser());
    if (!call || !call->isCallee(&use) || argument.getArgNo() >= call->arg_size())
      return {};
    passed.push_back(call->getArgOperand(argument.getArgNo()));
  }
  return passed;
}

/// Whether the format may have a directive with that letter; \p unknown: what is said of one that is computed.
bool mayHaveDirective(const Value &format, char letter, bool unknown) {
  constexpr size_t Most = 64;
  SmallVector<const Value *, 8> all{&format};
  for (size_t i = 0; i < all.size(); ++i) {
    std::string text;
    if (isText(*all[i], text)) {
      if (hasDirective(text, letter))
        return true;
      continue;
    }
    SmallVector<const Value *, 4> choices;
    if (const auto *choice = dyn_cast<SelectInst>(all[i]))
      choices = {choice->getTrueValue(), choice->getFalseValue()};
    else if (const auto *phi = dyn_cast<PHINode>(all[i]))
      append_range(choices, phi->incoming_values());
    else if (const auto *argument = dyn_cast<llvm::Argument>(all[i]))
      choices = passedFor(*argument);
    if (choices.empty() || all.size() > Most)
      return unknown;
    for (const Value *choice : choices)
      if (!is_contained(all, choice))
        all.push_back(choice);
  }
  return false;
}

/// Of a function that prints a list of variable arguments: the format, in front of it; null: it does not.
const Value *formatOfList(const Effect &effect, const CallBase &call) {
  for (unsigned index = 1; index < call.arg_size(); ++index)
    if (effect.argument(index).list && !effect.argument(index).written)
      return call.getArgOperand(index - 1);
  return nullptr;
}

/// printf's "%n" stores how much was printed, of which no row tells: nothing is known then. scanf's "%ms" stores a
/// pointer to new memory, and so may a format that is computed. \p storesCounts: whether a computed format may have "%n".
void resolveFormat(Effect &effect, const CallBase &call, bool storesCounts) {
  if (const Value *format = formatOfList(effect, call)) {
    if (mayHaveDirective(*format, 'n', storesCounts))
      effect = {};
    return;
  }
  const FunctionType &type = *call.getFunctionType();
  const unsigned fixed = type.getNumParams();
  if (!type.isVarArg() || !fixed || call.arg_size() <= fixed || !effect.argument(fixed - 1).text)
    return;
  StringRef format;
  const bool constant = getConstantStringInfo(call.getArgOperand(fixed - 1), format);
  if (!effect.argument(fixed).written) {
    const bool refers = any_of(drop_begin(call.args(), fixed), [](const llvm::Use &argument) {
      return argument->getType()->isPointerTy();
    });
    if (refers && mayHaveDirective(*call.getArgOperand(fixed - 1), 'n', storesCounts))
      effect = {};
  } else if (!constant || hasDirective(format, 'm')) {
    effect.arguments.resize(fixed);
    effect.arguments.push_back(effectOf(Use::WritesNewInside));
  }
}

/// Whether the number is one of glob's flags with which it fills a structure anew and calls nothing of the program's.
bool isPlain(const ConstantInt &flags) {
  constexpr uint64_t Others = GLOB_DOOFFS | GLOB_APPEND | GLOB_ALTDIRFUNC;
  return !(flags.getZExtValue() & Others);
}

/// Whether all is null that has to be: a function that would be called, flags.
bool isHandedNull(const Effect &effect, const CallBase &call) {
  return all_of(call.args(), [&](const llvm::Use &argument) {
    const auto *constant = dyn_cast<Constant>(argument);
    const auto *number = dyn_cast<ConstantInt>(argument);
    return !effect.argument(call.getArgOperandNo(&argument)).onlyNull ||
           (constant && constant->isNullValue()) || (number && isPlain(*number));
  });
}

/// What puts out and then ends the process, unless argument 0 is 0.
void resolveEnding(Effect &effect, const CallBase &call) {
  if (effect.kind != EffectKind::Output || effect.ending != Ending::Code)
    return;
  const auto *code = call.arg_empty() ? nullptr : dyn_cast<ConstantInt>(call.getArgOperand(0));
  if (code && code->isZero())
    effect.ending = Ending::None;
  else
    effect.kind = EffectKind::NoReturn;
}

} // namespace

ArgumentEffect Effect::argument(unsigned index) const {
  if (index < arguments.size())
    return arguments[index];
  return repeatsLast && !arguments.empty() ? arguments.back() : ArgumentEffect();
}

bool Effect::returnsArgument(unsigned index) const {
  return (returned == Returned::Argument || returned == Returned::InsideArgument ||
          returned == Returned::ArgumentOrFresh) &&
         returnedArgument == index;
}

bool Effect::mayReturn(unsigned index) const {
  return returned == Returned::Unknown || returned == Returned::AnyArgument ||
         returned == Returned::Linked || returned == Returned::Advanced ||
         argument(index).inResult || returnsArgument(index);
}

bool Effect::mayKeep(unsigned index, unsigned arguments) const {
  const ArgumentEffect used = argument(index);
  const bool stored = any_of(seq(0U, arguments), [&](unsigned other) {
    return argument(other).storesArgument == int(index);
  });
  return !known || stored || used.kept || used.keptInside || used.resumed || used.called ||
         used.classObject || used.string || used.links || used.thrown || used.environment ||
         used.advances || used.readBehind || used.writtenBehind || used.deep || used.array ||
         kind == EffectKind::Copy;
}

/// MPI tells of errors otherwise, clocks that exist are read, and free() leaves errno alone (POSIX.1-2024, glibc 2.33).
bool maySetErrno(const CallBase &call, const Effect &effect) {
  const bool leavesItAlone = effect.kind == EffectKind::Mpi || effect.kind == EffectKind::Time ||
                             effect.kind == EffectKind::Free || effect.kind == EffectKind::NoReturn;
  return !leavesItAlone && isModSet(call.getMemoryEffects().getModRef(IRMemLocation::ErrnoMem));
}

/// What prints or reads numbers may, too, but nobody asks for that.
bool mayRaiseFlags(const Effect &effect) {
  return !effect.readsFlags && !effect.writesFlags &&
         (effect.kind == EffectKind::Pure || effect.kind == EffectKind::Numeric ||
          effect.kind == EffectKind::Copy || effect.kind == EffectKind::Fill ||
          effect.kind == EffectKind::Order || effect.kind == EffectKind::Unknown);
}

const Function *orderedBy(const CallBase &call, const Effect &effect) {
  if (effect.kind != EffectKind::Order)
    return nullptr;
  for (unsigned i = 0; i < call.arg_size(); ++i)
    if (effect.argument(i).called) {
      const auto *function = dyn_cast<Function>(call.getArgOperand(i)->stripPointerCasts());
      return function && !function->isDeclaration() ? function : nullptr;
    }
  return nullptr;
}

Externals::Externals(const Module &module, ArrayRef<NamedEffect> users)
    : storesCounts_(hasFormatWith(module, 'n')) {
  for (const Row &row : table::Rows) {
    StringRef name = row.name;
    if (name.consume_back("*")) {
      prefixes_[name] = effectOf(row);
      longestPrefix_ = std::max(longestPrefix_, unsigned(name.size()));
    } else {
      table_[name] = effectOf(row);
    }
  }
  for (const NamedEffect &said : users)
    table_[said.name] = said.effect;
  for (const Sharing &sharing : Sharings)
    if (mayShare(module, sharing))
      setCommunicating(sharing.functions);
  for (const NamedEffect &said : users)
    table_[said.name] = said.effect;
}

/// Whether the module may make, or get from elsewhere, what ranks share.
bool Externals::mayShare(const Module &module, const Sharing &sharing) const {
  const Function *main = module.getFunction("main");
  if (!main || main->isDeclaration())
    return true;
  return any_of(module, [&](const Function &function) {
    if (!function.isDeclaration() || function.isIntrinsic() || function.use_empty())
      return false;
    StringRef name = function.getName();
    return name.starts_with(sharing.makers) ||
           (!byName(name).known && !name.starts_with(sharing.functions));
  });
}

/// What allocates, frees or computes from what it is handed does so for one rank.
void Externals::setCommunicating(StringRef functions) {
  for (StringMap<Effect> *table : {&table_, &prefixes_})
    for (auto &entry : *table)
      if (entry.getKey().starts_with(functions) &&
          is_contained({EffectKind::Output, EffectKind::Input, EffectKind::Numeric},
                       entry.getValue().kind))
        entry.getValue().kind = EffectKind::Communicates;
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
  if (function && function->isIntrinsic())
    return effectOfIntrinsic(call);
  Effect effect;
  if (function)
    effect = call.hasFnAttr(names::Conforming)
                 ? byName((function->getName() + " " + names::Conforming).str())
                 : byName(function->getName());
  if (!effect.known)
    return function || call.isInlineAsm() ? effectByAttributes(call) : effect;
  if (call.hasStructRetAttr() && function->getName().starts_with("_Z"))
    addHiddenResult(effect);
  if (!isHandedNull(effect, call))
    return {};
  resolveStrings(effect, call);
  resolveFormat(effect, call, storesCounts_);
  resolveEnding(effect, call);
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
