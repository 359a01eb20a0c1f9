// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The attributes by which a user overrides an automatic decision:
//   [[gnomon::shared]]         __attribute__((gnomon_shared))         on a variable
//                                                                     (Attributes.cpp)
//   [[gnomon::burst("name")]]  __attribute__((gnomon_burst("name")))  on a function or a statement
//                                                                     (BurstAttribute.cpp)
// A compiler without the plugin ignores them, with its warning on unknown attributes.
#pragma once

namespace clang {
class ParsedAttr;
class Sema;
} // namespace clang

namespace gnomon {

/// Whether an attribute of our name is another's. Clang asks for an attribute by its name without
/// the scope before it parses its arguments. So each attribute has spellings without a scope too,
/// and one of that name that is not ours gets clang's own warning here.
bool isOthers(clang::Sema &sema, const clang::ParsedAttr &attribute);

} // namespace gnomon
