// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "overrides/Overrides.h"

#include "names/Annotations.h"
#include "overrides/OverrideText.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

#include <cstdlib>
#include <map>

using namespace llvm;

namespace gnomon {
namespace {

constexpr StringLiteral BeginMark = "gnomon_mark_burst_begin", EndMark = "gnomon_mark_burst_end";

CallBase *markerAt(Instruction &instruction, StringRef name) {
  auto *call = dyn_cast<CallBase>(&instruction);
  const Function *callee = call ? call->getCalledFunction() : nullptr;
  return callee && callee->getName() == name ? call : nullptr;
}

void diagnose(const Module &module, const Twine &text, DiagnosticSeverity severity) {
  module.getContext().diagnose(DiagnosticInfoGeneric("gnomon: " + text, severity));
}

std::string placeOf(const CallBase &call) {
  const DebugLoc &location = call.getDebugLoc();
  if (!location)
    return call.getFunction()->getName().str();
  return (sys::path::filename(location->getFilename()) + ":" + Twine(location.getLine())).str();
}

/// Where the paths from a begin marker come out: the only end marker that closes it, or null when
/// there are several or a path gets out of the function. Begins and ends between are counted.
CallBase *endOf(CallBase &begin) {
  SmallSetVector<std::pair<Instruction *, unsigned>, 16> todo;
  todo.insert({begin.getNextNode(), 1});
  CallBase *found = nullptr;
  for (size_t next = 0; next < todo.size(); ++next) {
    auto [at, depth] = todo[next];
    bool closed = false;
    for (; at && !closed; at = at->getNextNode()) {
      depth += markerAt(*at, BeginMark) != nullptr;
      if (CallBase *end = markerAt(*at, EndMark); end && --depth == 0) {
        closed = true;
        if (found && found != end)
          return nullptr;
        found = end;
      } else if (isa<ReturnInst, ResumeInst>(at)) {
        return nullptr;
      } else if (at->isTerminator()) {
        for (BasicBlock *successor : successors(at))
          todo.insert({&successor->front(), depth});
      }
    }
  }
  return found;
}

/// Whether nothing gets to the end marker, or to a place between, but through the begin marker.
bool entersAtBegin(CallBase &begin, CallBase &end) {
  DominatorTree tree(*begin.getFunction());
  SmallSetVector<BasicBlock *, 16> todo;
  if (begin.getParent() == end.getParent())
    return begin.comesBefore(&end);
  for (BasicBlock *successor : successors(begin.getParent()))
    todo.insert(successor);
  for (size_t next = 0; next < todo.size(); ++next) {
    if (!tree.properlyDominates(begin.getParent(), todo[next]))
      return false;
    if (todo[next] != end.getParent())
      for (BasicBlock *successor : successors(todo[next]))
        todo.insert(successor);
  }
  return true;
}

StringRef textOf(const CallBase &begin) {
  StringRef text;
  return getConstantStringInfo(begin.getArgOperand(0), text) ? text : StringRef();
}

/// The flops, when the user gave any: the plugin passes -1 for none.
Value *flopsOf(const CallBase &begin) {
  Value *flops = begin.getArgOperand(1);
  const auto *constant = dyn_cast<ConstantFP>(flops);
  return constant && constant->isNegative() ? nullptr : flops;
}

/// What the lines of the file before have said of each place.
class SaidBefore {
public:
  /// What is wrong with \p line, which has the number \p number; empty when nothing is.
  std::string add(const BurstLine &line, size_t number) {
    auto &before = clauses_[{line.function, line.line}];
    for (const BurstClause &clause : line.clauses)
      for (const auto &[other, where] : before)
        if (contradict(other.words, clause.words))
          return formatv("'{0}' contradicts line {1}, which says '{2}' of '{3}'", clause.text,
                         where, other.text, line.function);
    for (const BurstClause &clause : line.clauses)
      before.emplace_back(clause, number);
    return {};
  }

private:
  std::map<std::pair<std::string, unsigned>, std::vector<std::pair<BurstClause, size_t>>> clauses_;
};

} // namespace

Overrides::Overrides(const Module &module) {
  readAnnotations(module);
  if (const char *path = std::getenv("GNOMON_BURSTS"); path && *path)
    readFile(module, path);
}

bool Overrides::cutStatements(Module &module) {
  bool changed = false;
  if (module.getFunction(BeginMark))
    for (Function &function : module)
      changed |= cutStatements(function);
  return changed;
}

void Overrides::readAnnotations(const Module &module) {
  AnnotationIndex annotations(module);
  for (const Function &function : module)
    for (StringRef text : annotations.of(function))
      if (text.consume_front(annotation::Burst))
        functions_[&function].name = text.str();
      else if (text.consume_front(annotation::BurstClauses))
        functions_[&function].merge(parseClauses(text));
}

void Overrides::readFile(const Module &module, StringRef path) {
  ErrorOr<std::unique_ptr<MemoryBuffer>> buffer = MemoryBuffer::getFile(path, /*IsText=*/true);
  if (!buffer)
    return diagnose(module, path + ": " + buffer.getError().message(), DS_Error);
  // All wrong lines in one message: the linker ends at the first.
  std::string errors;
  SaidBefore said;
  SmallVector<StringRef, 0> lines;
  (*buffer)->getBuffer().split(lines, '\n');
  for (auto [index, text] : enumerate(lines)) {
    const std::string place = (path + ":" + Twine(index + 1) + ": ").str();
    text = text.split('#').first;
    std::string error;
    const FilesWish before = files_;
    const bool ofFiles = parseFilesLine(text, files_, error);
    if (ofFiles && error.empty() && before != FilesWish::Check && before != files_)
      error = "another line says the contrary of files";
    const bool ofProgram = parseConsoleLine(text, console_, error) || ofFiles;
    std::optional<BurstLine> line;
    if (!ofProgram)
      line = parseBurstLine(text, error);
    if (line)
      error = said.add(*line, index + 1);
    if (!error.empty())
      errors += (errors.empty() ? "" : "\n  ") + place + error;
    if (!line)
      continue;
    bool met = false;
    for (const Function &function : module)
      if (!function.isDeclaration() && isCalled(function, line->function)) {
        met = true;
        BurstOverride &words = line->line ? lines_[{&function, line->line}] : functions_[&function];
        words.merge(line->words);
        if (line->words.stay)
          stays_.push_back({&function, line->line});
      }
    if (!met)
      diagnose(module, place + "no function of this program is called '" + line->function + "'",
               DS_Warning);
  }
  if (!errors.empty())
    diagnose(module, errors, DS_Error);
}

bool Overrides::cutStatements(Function &function) {
  SmallVector<CallBase *, 8> begins, ends;
  for (Instruction &instruction : instructions(function)) {
    if (CallBase *begin = markerAt(instruction, BeginMark))
      begins.push_back(begin);
    if (CallBase *end = markerAt(instruction, EndMark))
      ends.push_back(end);
  }
  // All pairs before the first cut, for a cut takes its markers away; inner ones first.
  SmallVector<std::pair<CallBase *, CallBase *>, 8> pairs;
  for (CallBase *begin : reverse(begins)) {
    CallBase *end = endOf(*begin);
    if (end && entersAtBegin(*begin, *end))
      pairs.emplace_back(begin, end);
    else
      diagnose(*function.getParent(),
               placeOf(*begin) + ": this burst is not in one piece any more after the compiler's "
                                 "optimisations; what is said of it is ignored",
               DS_Warning);
  }
  for (auto [begin, end] : pairs)
    cutStatement(*begin, *end);
  for (CallBase *marker : concat<CallBase *>(begins, ends))
    marker->eraseFromParent();
  return !begins.empty() || !ends.empty();
}

void Overrides::cutStatement(CallBase &begin, CallBase &end) {
  BasicBlock *entry = SplitBlock(begin.getParent(), begin.getNextNode());
  BasicBlock *exit = SplitBlock(end.getParent(), &end);
  BurstOverride words = parseClauses(textOf(begin));
  Value *flops = flopsOf(begin);
  if (const auto *constant = dyn_cast_or_null<ConstantFP>(flops))
    words.flops = constant->getValueAPF().convertToDouble();
  const unsigned line = begin.getDebugLoc() ? begin.getDebugLoc().getLine() : 0;
  if (const BurstOverride *said = of(*begin.getFunction(), line))
    words.merge(*said);
  statements_.push_back({begin.getFunction(), entry, exit, std::move(words), flops, line});
}

const BurstOverride *Overrides::of(const Function &function) const {
  auto found = functions_.find(&function);
  return found == functions_.end() ? nullptr : &found->second;
}

const BurstOverride *Overrides::of(const Function &function, unsigned line) const {
  auto found = lines_.find({&function, line});
  return found == lines_.end() ? nullptr : &found->second;
}

} // namespace gnomon
