// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Of which calls an exception may come, from outside the program: of all but those of which it is known that none does.
/// What the program throws itself comes of `__cxa_throw`, a bad_alloc of `operator new`. Source: the Itanium C++ ABI for
/// what functions of C may do; libstdc++'s streams, which keep to themselves what is thrown while they print.
#pragma once

#include "facts/Externals.h"
#include "points-to/PointsTo.h"

namespace gnomon {

class Throws {
public:
  Throws(const llvm::Module &module, const PointsTo &pointsTo, const Externals &externals);

  /// Whether one may come of the call that none of the program's functions with a body throws which it enters.
  bool fromOutside(const llvm::CallBase &call) const;

private:
  bool fromLibrary(const llvm::CallBase &call, llvm::StringRef name) const;

  const PointsTo &pointsTo_;
  const Externals &externals_;
  const bool streams_; ///< a stream may throw when it fails
};

} // namespace gnomon
