// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Variables with static storage duration, and what becomes of each in a simulation.
//
// The rule, in the terms of the pass (llvm-pass/privatise/Residence): a variable is shared if code
// generation would make it a constant (its type is const through and through, nothing initialises
// or destroys it at run time) and its initial value holds no address of a variable that each rank
// has its own copy of; every other is privatised, unless the user or the linker needs it in one
// place. Optimisation may find more constants than that (a variable never written), never fewer.
// The words for what becomes of a variable, and why, are those of gnomon/Residence.def.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace clang {
class ASTContext;
class VarDecl;
} // namespace clang

namespace gnomon {

// GNOMON_STORAGE(Id, "name")
#define GNOMON_STORAGES                                                                            \
  GNOMON_STORAGE(Global, "global")                                                                 \
  GNOMON_STORAGE(FileStatic, "file static")                                                        \
  GNOMON_STORAGE(FunctionStatic, "function static")                                                \
  GNOMON_STORAGE(ClassStatic, "class static")                                                      \
  GNOMON_STORAGE(TemplateStatic, "template static")

enum class Fate {
#define GNOMON_FATE(Id, Name, Words) Id,
#include "gnomon/Residence.def"
};

enum class Storage {
#define GNOMON_STORAGE(Id, Name) Id,
  GNOMON_STORAGES
#undef GNOMON_STORAGE
};

const char *fateName(Fate fate);
const char *fateWords(Fate fate);
const char *storageName(Storage storage);

/// An address that a constant's initial value holds.
struct HeldAddress {
  std::string key;  ///< StaticVariable::key of the variable; empty for an unnamed mutable object
  std::string name; ///< for the reason
};

struct StaticVariable {
  std::string key;    ///< same in every translation unit that sees this variable
  std::string name;   ///< qualified; a function static is qualified by its function
  std::string symbol; ///< the linker's name
  std::string file;   ///< absolute
  unsigned line = 0, column = 0;
  std::string type;
  std::optional<uint64_t> bytes; ///< unknown for an incomplete type
  Storage storage = Storage::Global;
  bool threadLocal = false;
  bool definition = true;
  Fate fate = Fate::Privatised;
  std::string reason;
  std::vector<HeldAddress> holds; ///< only of constants
  std::string section;            ///< of __attribute__((section("…")))
};

/// The findings of one or several translation units.
struct Statics {
  std::vector<StaticVariable> variables;
  std::set<std::string>
      usedByAssembly; ///< keys of variables whose address assembly uses as a constant
};

/// Whether `variable` is one to describe: static storage, not dependent on a template's parameters,
/// not a named machine register, and the declaration that speaks for all its redeclarations in this
/// translation unit.
bool isDescribed(const clang::VarDecl &variable);

/// What becomes of `variable` as far as its own translation unit tells. See settle().
StaticVariable describe(const clang::VarDecl &variable);

/// Whether each rank has its own copy of `variable`, or may have (an external declaration that is
/// not const).
bool mayBePrivatised(const clang::VarDecl &variable);

/// StaticVariable::key of `variable`.
std::string keyOf(const clang::VarDecl &variable);

/// Puts what several translation units say together: one entry per variable (a definition beats a
/// declaration); what assembly or a walk over a section needs in place stays shared; constants that
/// hold the address of a privatised variable become privatised; sorted by file, line, column, name.
std::vector<StaticVariable> settle(Statics statics);

} // namespace gnomon
