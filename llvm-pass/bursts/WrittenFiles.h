// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Whether a program reads what it has written to files. What it writes must be right only then, and
/// most programs read one file and write another. Names are built at run time, so that nobody knows
/// before; the rule (docs/adr/0021):
///
///   it plainly may, or by ways that nobody sees at run time   all that it writes is needed
///   it reads files, but shows no sign of it                   it is not, and the run is checked: who
///                                                             then reads such a file ends it
///
/// Opening, closing, renaming and removing are needed either way, for whoever asks whether a file is
/// there; only contents are not.
#pragma once

#include "overrides/Overrides.h"

#include "llvm/ADT/StringRef.h"

#include <utility>
#include <vector>

namespace llvm {
class CallBase;
class Module;
class Value;
} // namespace llvm

namespace gnomon {

class Program;
class Scope;

/// Tells the runtime of each statement of Fortran that writes or reads a unit: what it reads back may
/// still be in the memory of Fortran's runtime.
void addUnitHooks(llvm::Module &module);
/// Tells the runtime of each call by which the program may see what it has written, and which the runtime itself does not;
/// or only of commands for the shell whose results are looked at.
void addReadBackHooks(llvm::Module &module, bool onlyCommands);

class WrittenFiles {
public:
  WrittenFiles(const Program &program, FilesWish wish);

  /// What is asked below is meant of code of this scope. Gives whether it may have another answer
  /// now.
  bool enterScope(const Scope &scope);

  /// Whether contents must be right, if anything in the scope reads files.
  bool needed() const { return (sign_ && !assumesUnread_) || wish_ == FilesWish::Needed; }
  /// Where decisions are given: signs count for nothing. The run sees to it (addReadBackHooks).
  void assumeUnread(bool assumes) { assumesUnread_ = assumes; }
  /// Whether the call writes contents: a print to a stream, a file's unit or a descriptor, or what
  /// belongs to Fortran's statement that does.
  bool isContents(const llvm::CallBase &call) const;
  /// Whether that file was surely opened to be written, no more: then a run that is checked counts
  /// it as written, whether or not this write is there.
  bool isOpenedToWrite(const llvm::CallBase &call) const;
  /// The calls of C and C++ that open a file only to read it: whether they can tells what the program has done. And commands
  /// for the shell, where the program looks at what they give back.
  llvm::SmallVector<const llvm::CallBase *> looksAtFiles() const;

  FilesWish wish() const { return wish_; }
  /// The call by which the program may read in the scope what it has written; null: none.
  const llvm::CallBase *sign() const { return sign_; }

private:
  /// A unit of Fortran: a number, or the variable that holds it.
  using Unit = std::pair<const llvm::Value *, int64_t>;
  struct Opening {
    const llvm::CallBase *call;
    const llvm::Value *name; ///< null: not known
    int64_t length = -1;     ///< of the name; -1: it ends with a null
    bool reads = true, writes = true;
    bool byMpi = false;
    bool fortran = false;
    bool onlyWrites = false; ///< Fortran's ACTION='WRITE', STATUS='REPLACE' or 'NEW'
    Unit unit{};
  };
  struct Transfer {
    const llvm::CallBase *call;
    Unit unit;
    bool placed; ///< REC= or POS=
  };

  void look(const llvm::CallBase &call);
  bool lookAtC(const llvm::CallBase &call, llvm::StringRef name);
  bool lookAtCxx(const llvm::CallBase &call, llvm::StringRef name);
  bool lookAtFortran(const llvm::CallBase &call, llvm::StringRef name);
  void openUnit(const llvm::CallBase &begin, bool numbered);
  void openWith(const llvm::CallBase &call, const llvm::Value *name, llvm::StringRef mode);
  static Unit unitOf(const llvm::Value &value);
  static Unit unitOfStatement(const llvm::CallBase &begin);

  const llvm::CallBase *findSign(const Scope &scope) const;
  const llvm::CallBase *findPair(const Scope &scope) const;
  const llvm::CallBase *findPlacing(const Scope &scope) const;
  bool mayReadBack(const Opening &written, const Opening &read) const;
  bool mayBeSameName(const Opening &a, const Opening &b) const;
  bool transfers(const std::vector<Transfer> &transfers, const Unit &unit) const;

  const Program &program_;
  FilesWish wish_;
  const llvm::CallBase *sign_ = nullptr;
  bool assumesUnread_ = false;
  std::vector<const llvm::CallBase *> ways_; ///< by which data may come back unseen, later too
  std::vector<const llvm::CallBase *>
      unseen_; ///< reads and questions that no run can be checked for
  std::vector<const llvm::CallBase *>
      asked_; ///< commands for the shell whose results are looked at
  std::vector<Opening> openings_;
  std::vector<Transfer> written_, read_;                          ///< by Fortran's statements
  std::vector<std::pair<const llvm::CallBase *, Unit>> placings_; ///< REWIND, BACKSPACE
};

} // namespace gnomon
