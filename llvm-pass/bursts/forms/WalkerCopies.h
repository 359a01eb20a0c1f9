// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Functions that walk through linked memory (a tree's search, its destruction), and those that have such a one work on
/// what they were handed, get a copy for each object that a caller hands them. A slice knows no callers: what such a
/// function reads would rest on the nodes of every structure that anybody hands it, and two maps of one type would be
/// one. What is inlined is copied anyhow.
#pragma once

namespace llvm {
class Module;
} // namespace llvm

namespace gnomon {

/// Functions stay as they are that code outside may call, whose address is taken, that are large, or are handed many
/// objects; and those that are left when the copies come to a sixteenth of the program.
void copyWalkers(llvm::Module &module);

} // namespace gnomon
