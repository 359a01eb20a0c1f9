// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Functions of C++'s library that the program carries too: instances of its templates
/// (`std::string::append`), which the library exports as well, so that the linker leaves them
/// visible. Code outside may call them, so what they are passed would be one with all that such code
/// can reach. While the program is analysed they are functions of the library, and do what
/// Externals.def says of their names.
#pragma once

#include <memory>
#include <vector>

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace gnomon {

class Externals;

class LibraryInstances {
public:
  /// Takes their bodies out of the module.
  LibraryInstances(llvm::Module &module, const Externals &externals);
  ~LibraryInstances();
  LibraryInstances(const LibraryInstances &) = delete;
  LibraryInstances &operator=(const LibraryInstances &) = delete;

  /// Puts the bodies back.
  void restore();

private:
  struct Shelved {
    llvm::Function *function, *holder;
  };
  std::unique_ptr<llvm::Module> shelf_; ///< holds the bodies meanwhile
  std::vector<Shelved> shelved_;
};

} // namespace gnomon
