// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The files that a run has read, as its decisions carry them. Many whose names differ in one number that runs on, as
/// those of a rank each, are one: "in.[0000-0063]".
#pragma once

#include "process/files/InputFiles.h"

#include <cstdint>
#include <string>
#include <vector>

namespace gnomon::process::burst {

struct InputLog {
  std::string path;
  uint32_t files = 1;
  FileContents contents;       ///< of many: their bytes together, and the hash of their hashes
  std::vector<uint32_t> ranks; ///< that read it; empty: all of the run
};

/// A line each. \p ranks: of the run.
std::vector<InputLog> inputLogs(const std::vector<InputFile> &files, uint32_t ranks);

/// How many files the name of many stands for; 0: it is no such name.
uint32_t filesNamed(const std::string &path);
/// The names that \p log stands for, in order.
std::vector<std::string> pathsOf(const InputLog &log);
/// What many files hold; as one where there is one.
FileContents together(const std::vector<FileContents> &files);

} // namespace gnomon::process::burst
