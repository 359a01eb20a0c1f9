// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What users say of bursts, wherever they say it:
///
///   in C and C++, of a function or a statement (clang-plugin):
///     #pragma gnomon burst ("name") skip|run flops(expression) samples(N)
///     [[gnomon::burst("name", "skip", "flops", expression)]]
///   in a file that the environment variable GNOMON_BURSTS names at the link, for every language; a
///   line is a function, or a line of one, and the words:
///     solve          run
///     solve:120      skip name=relaxation samples=5
///     "ns::f(int)"   flops=2e6
///     solve:131      stay
///   and, of the program as a whole:
///     files=needed
///     console=needed
///
/// A statement stands between calls of markers, which cut a region with one entry and one exit out
/// of its function here. What the file says goes before what the source says, word by word.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/PassManager.h"

#include <optional>
#include <string>
#include <vector>

namespace llvm {
class BasicBlock;
class CallBase;
class Function;
class Module;
class Value;
} // namespace llvm

namespace gnomon {

/// What the user says of the files that the program writes (docs/overrides.md).
enum class FilesWish : uint8_t {
  Check,  ///< nothing
  Needed, ///< they are read back
  Unread, ///< they are not, and no run is checked for it
};

/// What the user says of what bursts print to the console.
enum class ConsoleWish : uint8_t {
  Leave,  ///< nothing: it holds no burst
  Needed, ///< all of it is to appear
};

struct BurstOverride {
  enum class Decision : uint8_t { Auto, Skip, Run };
  std::string name; ///< empty: none given
  Decision decision = Decision::Auto;
  std::optional<unsigned> samples; ///< instances to execute
  std::optional<double> flops;     ///< cost of an instance, where it is a constant
  bool stay = false; ///< of a line: where bursts may be skipped, no loop is left early there

  /// Takes over the words that \p other has.
  void merge(const BurstOverride &other);
};

/// A statement that the source calls a burst: the blocks that \p entry reaches without passing
/// \p exit. Every path into them is through \p entry, every path on through \p exit (or ends in an
/// unreachable place). The entry of an empty statement only branches to its exit.
struct MarkedRegion {
  llvm::Function *function;
  llvm::BasicBlock *entry, *exit;
  BurstOverride words;
  llvm::Value *flops; ///< a double, computed before the region; null: none given
  unsigned line = 0;  ///< of the statement; 0 without line tables
};

class Overrides {
public:
  /// Reads annotations and the file of GNOMON_BURSTS. A wrong line of the file is an error of the
  /// link, with its file and line; a function that is not there is a warning.
  explicit Overrides(const llvm::Module &module);

  /// Finds the statements: splits blocks at markers and removes the markers. A statement that
  /// optimisations have torn apart is a warning. Whether the module has changed.
  bool cutStatements(llvm::Module &module);

  /// What is said of the function as a whole; null: nothing.
  const BurstOverride *of(const llvm::Function &function) const;
  /// What the file says of the burst that begins at \p line of the function's file; null: nothing.
  const BurstOverride *of(const llvm::Function &function, unsigned line) const;
  /// Once cut, in the order of the module; an inner one before the one around it.
  llvm::ArrayRef<MarkedRegion> statements() const { return statements_; }
  /// The lines that the file says `stay` of, in its order.
  struct StayLine {
    const llvm::Function *function;
    unsigned line;
  };
  llvm::ArrayRef<StayLine> stays() const { return stays_; }
  FilesWish files() const { return files_; }
  ConsoleWish console() const { return console_; }

private:
  void readAnnotations(const llvm::Module &module);
  void readFile(const llvm::Module &module, llvm::StringRef path);
  bool cutStatements(llvm::Function &function);
  void cutStatement(llvm::CallBase &begin, llvm::CallBase &end);

  llvm::DenseMap<const llvm::Function *, BurstOverride> functions_;
  llvm::DenseMap<std::pair<const llvm::Function *, unsigned>, BurstOverride> lines_;
  std::vector<MarkedRegion> statements_;
  std::vector<StayLine> stays_;
  FilesWish files_ = FilesWish::Check;
  ConsoleWish console_ = ConsoleWish::Leave;
};

/// Cuts the ways out of loops that the user's `stay` names. A warning where a line has none, and
/// where the loop has no other end.
llvm::SmallVector<llvm::BasicBlock *, 2> cutStayedExits(const Overrides &overrides,
                                                        llvm::FunctionAnalysisManager &analyses);

/// One word of a line: `samples=3`.
struct BurstClause {
  std::string text;
  BurstOverride words;
};

/// One line of the file.
struct BurstLine {
  std::string function;
  unsigned line = 0;   ///< 0: the whole function
  BurstOverride words; ///< of all clauses
  std::vector<BurstClause> clauses;
};

/// Whether \p text, without its comment, is a line about files (`files=unread`) rather than about a
/// function: then it fills \p wish, or \p error when the line is wrong.
bool parseFilesLine(llvm::StringRef text, FilesWish &wish, std::string &error);

/// The same of the line about the console, `console=needed`.
bool parseConsoleLine(llvm::StringRef text, ConsoleWish &wish, std::string &error);

/// Whether both say something of the same kind, and not the same.
bool contradict(const BurstOverride &a, const BurstOverride &b);

/// Parses \p text without its comment; fills \p error ("unknown word 'skp'; …") when it is wrong.
/// Nothing when the line is empty or wrong.
std::optional<BurstLine> parseBurstLine(llvm::StringRef text, std::string &error);

/// Whether a user who writes \p name means \p function: the symbol, the name in the source, the
/// demangled name with or without parameters; of Fortran in any case, with or without the module.
bool isCalled(const llvm::Function &function, llvm::StringRef name);

} // namespace gnomon
