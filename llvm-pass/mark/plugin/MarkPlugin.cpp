// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Registration only, of the plugin that clang and flang load when they compile: it stands in front of all optimisations,
/// which make bytes of the source's types. Without optimisations types stay as they are.
#include "mark/MarkArrays.h"

#include "llvm/Passes/PassBuilder.h"
#include "llvm/Plugins/PassPlugin.h"

using namespace llvm;

namespace {

void registerPasses(PassBuilder &builder) {
  builder.registerPipelineStartEPCallback([](ModulePassManager &passes, OptimizationLevel level) {
    if (level != OptimizationLevel::O0)
      passes.addPass(gnomon::MarkArraysPass());
  });
}

} // namespace

extern "C" LLVM_ATTRIBUTE_WEAK LLVM_ATTRIBUTE_VISIBILITY_DEFAULT PassPluginLibraryInfo
llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "GnomonMark", GNOMON_VERSION, registerPasses, nullptr};
}
