// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// An assignment to an allocatable array (`a%x = b%x`) makes its memory anew where the shapes differ:
/// so who needs the array's address would need the whole assignment, each time. It becomes two, behind
/// a comparison of the shapes: where they are the same, the call copies numbers and no more.
#pragma once

namespace llvm {
class Module;
} // namespace llvm

namespace gnomon {

/// Before PointsTo. The comparison counts as none of the program's instructions.
void splitAssignments(llvm::Module &module);

} // namespace gnomon
