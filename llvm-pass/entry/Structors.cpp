// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "entry/Structors.h"

#include "names/Records.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/GlobalVariable.h"

#include <algorithm>

using namespace llvm;

namespace gnomon {
namespace {

struct Structor {
  Constant *function;
  uint32_t priority;
  uint32_t order;
};

/// Set up once per process, whatever the ranks do.
bool isCompilersOwn(const Constant &function) {
  StringRef name = function.stripPointerCasts()->getName();
  return any_of(ArrayRef<StringRef>{"asan.", "tsan.", "msan.", "ubsan.", "sancov.", "__llvm_",
                                    "__sanitizer", "gnomon."},
                [&](StringRef prefix) { return name.starts_with(prefix); });
}

/// Empties the list \p name except for the compiler's own, and returns the others in the list's
/// order.
SmallVector<Structor, 8> drain(Module &module, StringRef name) {
  SmallVector<Structor, 8> taken;
  GlobalVariable *list = module.getNamedGlobal(name);
  if (!list || !list->hasInitializer())
    return taken;
  SmallVector<Constant *, 8> kept;
  for (const Use &entry : list->getInitializer()->operands()) {
    auto *fields = cast<ConstantStruct>(entry);
    Constant *function = fields->getOperand(1);
    if (function->isNullValue())
      continue;
    if (isCompilersOwn(*function))
      kept.push_back(fields);
    else
      taken.push_back({function, uint32_t(cast<ConstantInt>(fields->getOperand(0))->getZExtValue()),
                       uint32_t(taken.size())});
  }
  if (!kept.empty()) {
    auto *type = ArrayType::get(kept.front()->getType(), kept.size());
    auto *rest =
        new GlobalVariable(module, type, false, list->getLinkage(), ConstantArray::get(type, kept));
    rest->takeName(list);
  }
  list->eraseFromParent();
  return taken;
}

} // namespace

StructorTable takeStructors(Module &module, StructorKind kind) {
  bool constructors = kind == StructorKind::Constructors;
  auto structors = drain(module, constructors ? "llvm.global_ctors" : "llvm.global_dtors");
  if (structors.empty())
    return {nullptr, 0};

  // libc walks .init_array forwards and .fini_array backwards; the linker has sorted both by
  // priority.
  sort(structors, [](const Structor &a, const Structor &b) {
    return std::pair(a.priority, a.order) < std::pair(b.priority, b.order);
  });
  if (!constructors)
    std::reverse(structors.begin(), structors.end());
  SmallVector<Constant *, 8> entries;
  for (const Structor &structor : structors)
    entries.push_back(record::Structor{
        .function = structor.function, .priority = structor.priority, .order = structor.order}
                          .constant(module));
  return {record::addTable(module, entries, record::Access::ReadOnly,
                           constructors ? "gnomon.constructors" : "gnomon.destructors"),
          entries.size()};
}

} // namespace gnomon
