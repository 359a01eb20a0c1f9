// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "overrides/PrintOverrides.h"

#include "overrides/Effects.h"
#include "overrides/Overrides.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"

#include <set>

using namespace llvm;

namespace gnomon {
namespace {

void print(raw_ostream &out, const BurstOverride &words) {
  using Decision = BurstOverride::Decision;
  if (!words.name.empty())
    out << " name=" << words.name;
  if (words.decision != Decision::Auto)
    out << (words.decision == Decision::Skip ? " skip" : " run");
  if (words.stay)
    out << " stay";
  if (words.samples)
    out << " samples=" << *words.samples;
  if (words.flops)
    out << " flops=" << *words.flops;
  out << '\n';
}

StringRef nameOf(EffectKind kind) {
  switch (kind) {
  case EffectKind::Pure:
    return "pure";
  case EffectKind::Fill:
    return "fills";
  case EffectKind::Copy:
    return "copies";
  case EffectKind::Allocate:
    return "allocates";
  case EffectKind::Free:
    return "frees";
  case EffectKind::Output:
    return "outputs";
  case EffectKind::Input:
    return "inputs";
  case EffectKind::Clock:
    return "varies";
  case EffectKind::Communicates:
    return "communicates";
  case EffectKind::NoReturn:
    return "ends";
  case EffectKind::Callback:
    return "calls";
  default:
    return "unknown";
  }
}

void print(raw_ostream &out, const Effect &effect) {
  out << ' ' << nameOf(effect.kind);
  for (const ArgumentEffect &argument : effect.arguments)
    out << " (" << (argument.read ? "r" : "") << (argument.written ? "w" : "")
        << (argument.deep ? "a" : "") << (argument.kept ? "k" : "") << (argument.called ? "c" : "")
        << ')';
  out << " result " << unsigned(effect.returned) << ' ' << unsigned(effect.returnedArgument)
      << '\n';
}

size_t blocksOf(const MarkedRegion &region) {
  SmallSetVector<const BasicBlock *, 16> blocks;
  blocks.insert(region.entry);
  for (size_t i = 0; i < blocks.size(); ++i)
    for (const BasicBlock *successor : successors(blocks[i]))
      if (successor != region.exit)
        blocks.insert(successor);
  return blocks.size();
}

} // namespace

PreservedAnalyses PrintOverridesPass::run(Module &module, ModuleAnalysisManager &) {
  Overrides overrides(module);
  const bool changed = overrides.cutStatements(module);
  raw_ostream &out = outs();
  if (overrides.files() != FilesWish::Check)
    out << "files=" << (overrides.files() == FilesWish::Needed ? "needed" : "unread") << '\n';
  if (overrides.console() == ConsoleWish::Needed)
    out << "console=needed\n";
  for (const Function &function : module) {
    if (const BurstOverride *words = overrides.of(function))
      print(out << function.getName() << ":", *words);
    std::set<unsigned> lines;
    for (const Instruction &instruction : instructions(function))
      if (const DebugLoc &location = instruction.getDebugLoc())
        lines.insert(location.getLine());
    for (unsigned line : lines)
      if (const BurstOverride *words = overrides.of(function, line))
        print(out << function.getName() << ", line " << line << ":", *words);
  }
  for (const MarkedRegion &region : overrides.statements()) {
    out << region.function->getName() << ", statement";
    if (region.line)
      out << " at line " << region.line;
    out << " of " << blocksOf(region) << " blocks";
    if (region.flops && !region.words.flops)
      out << ", computed flops";
    print(out << ':', region.words);
  }
  for (const NamedEffect &row : readEffects(module))
    print(out << row.name << ':', row.effect);
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace gnomon
