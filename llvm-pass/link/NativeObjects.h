// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The objects of this link that the pass does not see because they hold machine code only:
/// assembly, objects, archives and shared libraries built without the flag or with -fno-lto.
///
/// Such code reaches a variable at its link-time address. A variable that it uses therefore cannot
/// have one copy per rank, and those that it defines never do.
#pragma once

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/IR/Module.h"

#include <string>
#include <vector>

namespace gnomon {

struct NativeObject {
  std::string name; ///< "file.o", "libfile.a(member.o)"
  bool linked;
  std::vector<std::string> defines, uses; ///< symbols that other objects can see
  std::vector<std::string> variables;     ///< that it defines and may write, its statics included
};

/// A shared library that the pass has not seen, nor Gnomon does know the purpose of.
struct NativeLibrary {
  std::string name;
  uint64_t stateBytes;              ///< of its variables, the hidden ones included
  std::vector<std::string> defines; ///< symbols that the program can use
};

class NativeObjects {
public:
  /// Those linked together with \p module. The compiler's and the languages' own runtimes are left
  /// out.
  explicit NativeObjects(const llvm::Module &module);

  /// An object that uses or defines \p symbol; empty when there is none.
  llvm::StringRef userOf(llvm::StringRef symbol) const;
  /// Only those that are certainly linked.
  const std::vector<NativeObject> &linked() const { return objects_; }
  const std::vector<NativeLibrary> &libraries() const { return libraries_; }

private:
  void select(const llvm::Module &module);

  std::vector<NativeLibrary> libraries_; ///< before objects_, whose making fills it
  std::vector<NativeObject> objects_;
  llvm::StringMap<size_t> users_; ///< symbol → index of the first object that names it
};

} // namespace gnomon
