// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Which instructions write and read each cell of memory, MPI's part in it by the roles of its
/// arguments, and which MPI calls may hand data to which.
#pragma once

#include "facts/Externals.h"
#include "points-to/Interned.h"
#include "slice/Heap.h"
#include "slice/Program.h"
#include "slice/Reloads.h"

#include "llvm/ADT/SmallSet.h"

#include <map>
#include <optional>
#include <tuple>
#include <vector>

namespace gnomon {

class Needs;

/// What an MPI call does with the program's memory.
struct MpiMemory {
  llvm::SmallVector<Cell> control;  ///< read, and decides communication
  llvm::SmallVector<Cell> sent;     ///< read as payload
  llvm::SmallVector<Cell> received; ///< written as payload
  llvm::SmallVector<Cell> written;  ///< payload and results (requests, ranks, statuses)
};

/// What a message may match, as far as the call's text tells. In a correct program types agree,
/// tags are equal or wild, and a collective meets the same collective.
struct Channel {
  enum Family { PointToPoint, Collective, Window, File } family;
  llvm::StringRef name; ///< of a collective
  MpiData data;
  std::optional<int64_t> tag; ///< when constant and not MPI_ANY_TAG
  /// Of a broadcast or a reduction, when constant: all its callers agree on them.
  std::optional<int64_t> count, datatype, operation;

  bool meets(const Channel &other) const;
};

class MemoryUse {
public:
  /// \p pieceOf: see Reloads.
  MemoryUse(
      const Program &program, const Externals &externals,
      Reloads::PieceOf pieceOf = [](const llvm::BasicBlock &) { return -1; });
  ~MemoryUse();

  /// The same module once more, with other regions, its blocks split further: what is asked again is only what rests on
  /// these.
  void renew(const Program &program, Reloads::PieceOf pieceOf);

  using Users = llvm::ArrayRef<const llvm::Instruction *>;
  Users writers(Cell cell) const { return writers_[cell]; }
  Users readers(Cell cell) const { return readers_[cell]; }
  /// Equal ones are one array, so that its address tells whether it has been seen.
  llvm::ArrayRef<Cell> reads(const llvm::Instruction &instruction) const {
    return reads_.lookup(&instruction);
  }
  llvm::ArrayRef<Cell> writes(const llvm::Instruction &instruction) const;

  /// All calls of MPI, in order of the module.
  Users mpiCalls() const { return mpiCalls_; }
  const MpiMemory &mpi(const llvm::CallBase &call) const;
  /// What the call of MPI may touch where its argument points: what the argument's role and its
  /// datatype allow. Numbers are received over numbers, never over an address beside them.
  llvm::SmallVector<Cell> argumentCells(const llvm::CallBase &call, unsigned index) const;
  /// The call of MPI that has surely written what \p load reads, and nobody since: of Fortran's
  /// `ierror` right behind the call. Null: there is none.
  const llvm::CallBase *writerOf(const llvm::LoadInst &load) const;
  /// Where \p load reads errno and its function has stored something there before, on the one way to it: that store, and the
  /// calls since then that may have written there. None: others may have.
  llvm::SmallVector<const llvm::Instruction *, 4> writersSince(const llvm::LoadInst &load) const;
  /// The load whose value the phi has, whichever way led to it; null: the way decides.
  const llvm::LoadInst *reloadOf(const llvm::PHINode &phi) const { return reloads_->first(phi); }
  /// The same where somebody has asked for it, so that his answer rests on it.
  const llvm::LoadInst *knownReloadOf(const llvm::PHINode &phi) const {
    return reloads_->known(phi);
  }
  /// Channels of what the call takes in (receives), or gives out.
  llvm::ArrayRef<Channel> incoming(const llvm::CallBase &call) const;
  llvm::ArrayRef<Channel> outgoing(const llvm::CallBase &call) const;

  /// Whether what the instruction writes and returns depends on what it takes. Not so for what a
  /// library's function keeps for itself while it puts data out, for what it reads from files or
  /// clocks, for new memory.
  bool passesData(const llvm::Instruction &instruction) const;
  /// Whether the instruction copies arrays by their descriptors: addresses and bounds that it writes
  /// rest on such alone, not on numbers in the arrays.
  bool copiesByShape(const llvm::Instruction &instruction) const;
  /// Of such: whether it reads, or writes, the cell only in what an array's elements refer to, or only elsewhere.
  bool isOnlyBehind(const llvm::Instruction &copy, Cell cell, bool written) const;
  bool isOnlyInFront(const llvm::Instruction &copy, Cell cell, bool written) const;
  /// Of such: what it reads, or writes, in what an array's elements refer to, or elsewhere. Sorted.
  llvm::ArrayRef<Cell> touches(const llvm::Instruction &copy, bool written, bool behind) const;
  /// Addresses and bounds of descriptors, or handles: no numbers of an array.
  bool isShape(Cell cell) const;
  /// Addresses or bounds of descriptors.
  bool holdsNoNumbers(Cell cell) const;
  /// Floating-point data, and what is not told from such: integers that may be addresses are.
  bool holdsNoAddresses(Cell cell) const;
  /// Of a call of an external function that is not MPI's.
  const Effect &effect(const llvm::CallBase &call) const;
  /// Temporaries.h, remembered.
  llvm::ArrayRef<const llvm::CallBase *> freesOfTemporary(const llvm::CallBase &allocation) const;
  /// Whether the cell lies in a local variable of the function, or in a temporary of it (slice/Temporaries.h), and the
  /// instruction, which writes there, writes that of its own activation: by addresses that lead there and nowhere else.
  bool writesOwn(const llvm::Instruction &writer, Cell cell) const;
  /// The argument of its function by which the instruction writes all that it writes: where a caller's does not lead, it
  /// writes nothing for that one. Null: there is no one such, or callers are too many to be asked.
  const llvm::Argument *writesBy(const llvm::Instruction &writer) const;
  /// The same of a load.
  const llvm::Argument *readsBy(const llvm::Instruction &reader) const;
  /// Whether the argument of the call may lead to the object of the cell.
  bool mayPass(const llvm::CallBase &call, unsigned index, Cell cell) const;
  const Heap &heap() const { return heap_; }
  /// Of an external function, whoever calls it.
  const Externals &externals() const { return externals_; }
  Effect effect(const llvm::Function &function) const { return externals_.of(function); }

  const Program &program() const { return *program_; }
  /// What slices find out of the program, which is the same for all of them.
  Needs &needs() const;

private:
  void findAddressed();
  MpiMemory describe(const llvm::CallBase &call, const MpiFunction &mpi) const;
  void addMpi(const llvm::CallBase &call, const MpiFunction &mpi);
  MpiData dataOf(const llvm::CallBase &call, int index) const;
  MpiData storedType(const llvm::LoadInst &load) const;
  void findStoredTypes(llvm::ArrayRef<const llvm::CallBase *> calls);
  bool mayWriteTypes(llvm::ArrayRef<const llvm::CallBase *> calls) const;
  const llvm::Value *onlyWritten(const llvm::Instruction &writer) const;
  const llvm::Argument *askable(const llvm::Value *object) const;
  bool mayWriteAny(const llvm::Instruction &instruction, llvm::ArrayRef<Cell> cells) const;
  struct Channels {
    llvm::SmallVector<Channel, 2> incoming, outgoing;
  };
  const Channels &channels(const llvm::CallBase &call) const;
  llvm::SmallVector<Channel, 2> findChannels(const llvm::CallBase &call, bool in) const;

  const Program *program_;
  const Externals &externals_;
  const Heap heap_;
  llvm::SmallVector<Cell> addressed_; ///< of objects that a datatype may reach without the buffer
  std::vector<llvm::SmallVector<const llvm::Instruction *, 2>> writers_, readers_;
  llvm::DenseMap<const llvm::Instruction *, llvm::ArrayRef<Cell>> reads_,
      writes_; ///< none: nothing
  std::vector<const llvm::Instruction *> mpiCalls_;
  bool callsFortran_ = false; ///< MPI, as Fortran does
  /// Kinds of types that calls of MPI find in memory to which only such of that kind are stored.
  llvm::DenseMap<const llvm::Use *, MpiData> storedTypes_;
  llvm::DenseMap<const llvm::CallBase *, MpiMemory> mpi_;
  mutable llvm::DenseMap<const llvm::CallBase *, std::unique_ptr<Effect>> effects_;
  mutable llvm::DenseMap<const llvm::CallBase *, std::unique_ptr<Channels>> channels_;
  mutable llvm::DenseMap<const llvm::CallBase *, llvm::SmallVector<const llvm::CallBase *, 2>>
      temporaries_;
  /// The objects that arguments of calls may lead to.
  mutable llvm::DenseMap<const llvm::Use *, llvm::ArrayRef<uint32_t>> passed_;
  mutable Interned<uint32_t> passedSets_;
  mutable std::map<std::tuple<const llvm::Instruction *, bool, bool>, llvm::SmallVector<Cell>>
      touches_;
  std::unique_ptr<Reloads> reloads_;
  mutable std::unique_ptr<Needs> needs_; ///< none: there has been no slice
};

} // namespace gnomon
