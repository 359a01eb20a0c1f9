// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Decides where each global variable of a linked module lives: once per rank, or once for all.
///
/// A variable is private when a rank of a real run could write it, or could see in it an address
/// that differs between ranks. That second rule is what makes this a fixpoint: a constant whose
/// initialiser holds the address of a private variable must itself be private.
#pragma once

#include "link/NativeObjects.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/GlobalAlias.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Module.h"

namespace gnomon {

/// Why a variable stays shared although a rank may write it (gnomon/Residence.def).
enum class SharedFor : uint8_t {
#define GNOMON_SHARED(Id, Fate, Severity, AtLink, InSource) Id,
#include "gnomon/Residence.def"
};

enum class Severity : uint8_t { Harmless, MayBreak };

struct Refusal {
  const llvm::GlobalVariable *variable;
  SharedFor why;
  std::string user; ///< of NativeObject: that object

  /// Completes "'x' stays shared by all ranks: ".
  std::string reason() const;
  Severity severity() const;
};

struct Residence {
  /// Defined here, one copy per rank, in the order of the module.
  llvm::SetVector<llvm::GlobalVariable *> privates;
  /// Declared here and defined in another linked output, which may have privatised it: known when
  /// loaded.
  llvm::SetVector<llvm::GlobalVariable *> imports;
  llvm::SmallVector<Refusal, 8> refusals;

  bool isPrivate(const llvm::Value *value) const;
  bool isImport(const llvm::Value *value) const;
};

Residence findResidence(llvm::Module &module, const NativeObjects &natives);

/// The dynamic linker may resolve uses of \p value to a definition in another linked output.
bool isPreemptible(const llvm::GlobalValue &value);

/// Every global variable and alias that \p constant mentions, itself included; functions are left
/// out.
void collectGlobals(const llvm::Constant &constant, llvm::SetVector<llvm::GlobalValue *> &globals);

} // namespace gnomon
