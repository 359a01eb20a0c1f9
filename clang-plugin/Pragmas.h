// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pragma forms of the attributes, for code that must stay portable C:
//   #pragma gnomon shared              the declaration that follows
//   #pragma gnomon shared(a, ns::b)    variables of these names defined further down
//   #pragma gnomon burst("name")       the function that follows
#pragma once

#include "clang/AST/DeclGroup.h"
#include "clang/Basic/SourceLocation.h"
#include <memory>
#include <string>
#include <vector>

namespace clang {
class CompilerInstance;
class Decl;
class VarDecl;
} // namespace clang

namespace gnomon {

/// Handles the pragmas of one compilation. To be made with its AST consumer, not by clang's
/// registry of pragmas: `clang -E` has no consumer, and must print the pragmas as they are.
class Pragmas {
public:
  explicit Pragmas(clang::CompilerInstance &compiler);

  /// Marks the variables in `group` that a `shared(...)` before them has named. Must see a
  /// declaration before code generation does. Costs nothing when there is no such pragma.
  void apply(clang::DeclGroupRef group);

  /// At the end of the translation unit: an error for each name of a `shared(...)` that met no
  /// variable.
  void reportUnused();

  struct SharedName {
    std::string name;
    clang::SourceLocation location;
    bool met = false;
  };

private:
  void applyToDecl(clang::Decl *decl);
  void applyToVariable(clang::VarDecl &variable);

  clang::CompilerInstance &compiler_;
  /// Shared with the handler, which the preprocessor owns.
  std::shared_ptr<std::vector<SharedName>> names_;
};

} // namespace gnomon
