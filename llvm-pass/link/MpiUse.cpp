// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "link/MpiUse.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/Instruction.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include <cstdlib>
#include <dlfcn.h>
#include <map>
#include <memory>
#include <string>

using namespace llvm;

namespace gnomon {
namespace {

std::string listPath() {
  if (const char *path = std::getenv("GNOMON_MPI_UNSUPPORTED"))
    return path;
  Dl_info plugin;
  if (!dladdr(reinterpret_cast<const void *>(&listPath), &plugin) || !plugin.dli_fname)
    return {};
  SmallString<256> path(sys::path::parent_path(plugin.dli_fname));
  sys::path::append(path, "..", "..", "share", "gnomon");
  sys::path::append(path, "mpi-unsupported.txt");
  return path.str().str();
}

/// Symbol → MPI name. Empty when the file is not there: the list is a courtesy, never an error.
StringMap<std::string> readList() {
  StringMap<std::string> names;
  ErrorOr<std::unique_ptr<MemoryBuffer>> buffer =
      MemoryBuffer::getFile(listPath(), /*IsText=*/true);
  if (!buffer)
    return names;
  SmallVector<StringRef, 0> lines;
  (*buffer)->getBuffer().split(lines, '\n', -1, /*KeepEmpty=*/false);
  for (StringRef line : lines) {
    auto [symbol, name] = line.split('\t');
    if (!line.starts_with("#") && !name.empty())
      names[symbol] = name.str();
  }
  return names;
}

/// "app.c:12" of the first use that debug information places; empty when it places none.
std::string placeOfUse(const Function &function) {
  for (const User *user : function.users())
    if (const auto *instruction = dyn_cast<Instruction>(user))
      if (const DebugLoc &location = instruction->getDebugLoc())
        return (sys::path::filename(location->getFilename()) + ":" + Twine(location.getLine()))
            .str();
  return {};
}

} // namespace

PreservedAnalyses MpiUsePass::run(Module &module, ModuleAnalysisManager &) {
  StringMap<std::string> unsupported = readList();
  std::map<std::string, std::string>
      used; // MPI name → place; sorted, so that the message is the same every time
  for (const Function &function : module) {
    if (!function.isDeclaration() || function.use_empty())
      continue;
    auto found = unsupported.find(function.getName());
    if (found == unsupported.end())
      continue;
    std::string &place = used[found->second];
    if (place.empty())
      place = placeOfUse(function);
  }
  if (used.empty())
    return PreservedAnalyses::all();
  std::string text = "gnomon: the program uses MPI functions that Gnomon " GNOMON_VERSION
                     " does not support; a run that calls one stops there:";
  for (const auto &[name, place] : used)
    text += "\n  " + name + (place.empty() ? "" : " (" + place + ")");
  module.getContext().diagnose(DiagnosticInfoGeneric(text, DS_Warning));
  return PreservedAnalyses::all();
}

} // namespace gnomon
