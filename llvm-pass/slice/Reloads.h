// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Phis that choose between readings of one and the same place, which nobody writes meanwhile: the
/// optimiser makes them where it cannot see that (`s->boxes`, read again behind a call). Whichever
/// way was taken, the value is the same; so it rests on no branch. The same of numbers of addresses
/// (`v.size()`, with a vector's two addresses read again): the phi's value is the loaded address's.
#pragma once

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"

#include <functional>
#include <memory>

namespace gnomon {

class MemoryUse;

class Reloads {
public:
  /// \p pieceOf: the number of the piece of code that is left out whole, or -1. A load of such a
  /// piece stands only for phis of the same piece.
  using PieceOf = std::function<int(const llvm::BasicBlock &)>;
  Reloads(const MemoryUse &memory, PieceOf pieceOf)
      : memory_(memory), pieceOf_(std::move(pieceOf)) {}

  /// The load that dominates the phi and has its value, or whose address has it as its number; null: the phi is no such
  /// choice.
  const llvm::LoadInst *first(const llvm::PHINode &phi) const;
  /// The same where it has been asked for before; else null.
  const llvm::LoadInst *known(const llvm::PHINode &phi) const { return found_.lookup(&phi); }

private:
  struct Shape {
    llvm::DominatorTree dominators;
    llvm::LoopInfo loops;
  };
  /// A load as (what its address starts from, bytes from there).
  using Place = std::pair<const llvm::Value *, int64_t>;

  const llvm::LoadInst *find(const llvm::PHINode &phi) const;
  const llvm::Value *representative(const llvm::Value &value, unsigned depth) const;
  bool standsFor(const llvm::LoadInst &load, const llvm::PHINode &phi) const;
  bool isWrittenMeanwhile(const llvm::LoadInst &load) const;
  const Shape &shape(const llvm::Function &function) const;
  /// The function, and all that it may call; some, where these are too many.
  const llvm::DenseSet<const llvm::Function *> &running(const llvm::Function &function) const;

  const MemoryUse &memory_;
  PieceOf pieceOf_;
  mutable llvm::DenseMap<const llvm::PHINode *, const llvm::LoadInst *> found_;
  mutable llvm::DenseMap<std::pair<Place, const llvm::Type *>, const llvm::Value *> loads_;
  mutable llvm::DenseMap<const llvm::Function *, std::unique_ptr<Shape>> shapes_;
  mutable llvm::DenseMap<const llvm::Function *,
                         std::unique_ptr<llvm::DenseSet<const llvm::Function *>>>
      running_;
};

} // namespace gnomon
