// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a file of GNOMON_EFFECTS is understood or refused with errors of the link, whatever it holds; what is understood
// fits what the program declares and calls, once a function.
#include "facts/MpiRoles.h"
#include "overrides/Effects.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SourceMgr.h"

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <set>
#include <string>
#include <sys/mman.h>
#include <unistd.h>

using namespace gnomon;

namespace {

constexpr const char *Program = R"(
declare void @norm(ptr, i64)
declare ptr @make(i64, ptr)
declare ptr @none()
declare void @work_(ptr, ptr, ptr)
declare void @_ZN2ns5sweepEPKdPd(ptr, ptr)
declare ptr @report(ptr, ...)
declare ptr @malloc(i64)
declare void @nobody(ptr)
declare i32 @MPI_Barrier(ptr)
define void @own(ptr %p) {
  ret void
}
define i32 @main() {
  call void @norm(ptr null, i64 1)
  %p = call ptr @make(i64 1, ptr null)
  %q = call ptr @none()
  call void @work_(ptr %p, ptr %q, ptr null)
  call void @_ZN2ns5sweepEPKdPd(ptr %p, ptr %q)
  %r = call ptr (ptr, ...) @report(ptr %p, i64 1)
  %s = call ptr @malloc(i64 1)
  %b = call i32 @MPI_Barrier(ptr null)
  call void @own(ptr %p)
  ret i32 0
}
)";

/// The program, and how many errors were told since it was last asked.
struct Fixture {
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module;
  int file = memfd_create("effects", 0);
  int errors = 0;

  Fixture() {
    llvm::SMDiagnostic error;
    module = llvm::parseAssemblyString(Program, error, context);
    context.setDiagnosticHandlerCallBack(
        [](const llvm::DiagnosticInfo *info, void *self) {
          static_cast<Fixture *>(self)->errors += info->getSeverity() == llvm::DS_Error;
        },
        this);
    setenv("GNOMON_EFFECTS", ("/proc/self/fd/" + std::to_string(file)).c_str(), 1);
  }
  void write(const uint8_t *data, size_t size) {
    errors = 0;
    if (ftruncate(file, 0) != 0 || pwrite(file, data, size, 0) != static_cast<ssize_t>(size))
      std::abort();
  }
};

void must(bool holds) {
  if (!holds)
    std::abort();
}

void mustFit(const NamedEffect &row, const llvm::Function *function) {
  must(function && function->isDeclaration() && !function->use_empty() && !mpiFunction(*function));
  must(row.effect.known && !row.effect.isUnknown());
  const Returned returned = row.effect.returned;
  if (returned == Returned::Argument || returned == Returned::InsideArgument)
    for (const llvm::User *user : function->users())
      must(row.effect.returnedArgument < llvm::cast<llvm::CallBase>(user)->arg_size());
  if (function->isVarArg())
    return;
  for (unsigned i = 0; i < 100; ++i) {
    const ArgumentEffect argument = row.effect.argument(i);
    if (argument.read || argument.written || argument.called)
      must(i < function->arg_size() && function->getArg(i)->getType()->isPointerTy());
  }
  must(row.effect.kind == EffectKind::NoReturn ||
       (returned == Returned::Value) != function->getReturnType()->isPointerTy());
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static Fixture fixture;
  fixture.write(data, size);
  const std::vector<NamedEffect> rows = readEffects(*fixture.module);
  std::set<std::string> names;
  for (const NamedEffect &row : rows) {
    must(names.insert(row.name).second);
    mustFit(row, fixture.module->getFunction(row.name));
  }
  // A line is understood, or refused, or says nothing.
  llvm::StringRef text(reinterpret_cast<const char *>(data), size);
  while (!text.empty()) {
    auto [line, rest] = text.split('\n');
    line = line.split('#').first;
    std::string error;
    const bool understood = parseEffectsLine(line, error).has_value();
    must(!understood || error.empty());
    must(understood || !error.empty() || line.trim().empty());
    must(error.empty() || fixture.errors > 0);
    text = rest;
  }
  return 0;
}
