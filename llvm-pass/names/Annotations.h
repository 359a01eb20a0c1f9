// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What the clang plugin found in the source, as it reaches the link: strings attached to globals.
#pragma once

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/Module.h"

namespace gnomon {

namespace annotation {
#define GNOMON_ANNOTATION(Name, String, Meaning) inline constexpr char Name[] = String;
#include "gnomon/Annotations.def"
#undef GNOMON_ANNOTATION
} // namespace annotation

class AnnotationIndex {
public:
  /// Reads llvm.global.annotations of \p module.
  explicit AnnotationIndex(const llvm::Module &module);
  /// \p global carries exactly the string \p text.
  bool has(const llvm::GlobalValue &global, llvm::StringRef text) const;
  /// All strings that \p global carries, in the order of the source.
  llvm::ArrayRef<llvm::StringRef> of(const llvm::GlobalValue &global) const;

private:
  llvm::DenseMap<const llvm::GlobalValue *, llvm::SmallVector<llvm::StringRef, 1>> strings_;
};

} // namespace gnomon
