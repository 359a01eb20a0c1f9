// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "link/LibraryState.h"

#include "facts/Externals.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/LLVMContext.h"

using namespace llvm;

namespace gnomon {
namespace {

/// What a library has without being an interpreter: tables that could be constant, an error's text, a
/// handle. LAPACK has 4 KiB, OpenSSL 20, Python 740.
constexpr uint64_t Usual = 64 * 1024;

/// A function of the library that the program uses and that may keep something; null: none.
const GlobalValue *unknownUse(const Module &module, const NativeLibrary &library,
                              const Externals &externals) {
  for (const std::string &name : library.defines) {
    const GlobalValue *used = module.getNamedValue(name);
    if (!used || !used->isDeclaration() || used->use_empty())
      continue;
    const auto *function = dyn_cast<Function>(used);
    if (!function || !externals.of(*function).known)
      return used;
  }
  return nullptr;
}

} // namespace

void reportLibraryState(const Module &module, const NativeObjects &natives) {
  const Externals externals(module);
  for (const NativeLibrary &library : natives.libraries()) {
    if (library.stateBytes <= Usual)
      continue;
    const GlobalValue *used = unknownUse(module, library, externals);
    if (!used)
      continue;
    module.getContext().diagnose(DiagnosticInfoGeneric(
        "gnomon: " + Twine(library.name) + " keeps " + Twine(library.stateBytes / 1024) +
            " KiB of variables, which all ranks share: '" + used->getName() +
            "' of one rank may meet what another left. Link a static library that is built with "
            "the flag, or use it from one rank only",
        DS_Warning));
  }
}

} // namespace gnomon
