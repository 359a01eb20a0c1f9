// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Who has opened which file, for WrittenFiles and InputFiles: what Files.cpp shares with the functions that open.
#pragma once

#include "process/files/InputFiles.h"
#include "process/ranks/WrittenFiles.h"

#include <cstdio>

namespace gnomon::process {

/// What the calling rank's files are checked by; null: they are not, or the process itself calls.
WrittenFiles *checkedFiles();
/// Where the files that the calling rank reads are noted; null: they are not, or the process itself calls.
InputFiles *notedInputs();
/// The program, or a library, is about to read by the descriptor, or to write.
void noteRead(int descriptor);
void noteWritten(int descriptor);
/// A rank has opened a stream on \p path as input, or for writing.
void noteStream(FILE *opened, const char *path, const char *mode);
/// Whether code at \p caller works for the program: it is part of it, or C++'s streams.
bool isOfProgram(const void *caller);
/// The stream that a rank gets for \p opened: one whose reads are seen if it can be read, else
/// \p opened itself.
FILE *seenStream(FILE *opened, const char *path, const char *mode, const void *caller);
/// The descriptor behind a stream whose reads are seen; -1: another stream.
int seenDescriptor(FILE *file);
/// Before a stream is closed or opened anew.
void forgetStream(FILE *file);

} // namespace gnomon::process
