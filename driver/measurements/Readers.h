// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Files of measurements. What a file is, its text says: nobody has to name the format.
#pragma once

#include "measurements/Lines.h"
#include "measurements/Samples.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gnomon::measurements {

/// Reads all \p files. Throws InputError with file and line for what cannot be read, for text of no
/// known format, and for a file without a sample.
Measurements readFiles(const std::vector<std::string> &files);

/// Adds the samples of one file's \p text. Throws as readFiles.
void readText(std::string_view text, const std::string &file, Collector &collector);

/// What a reader takes: the lines of a file, one at least. It throws InputError at a line that it
/// does not understand where a sample is due.
using Lines = std::span<const Line>;

// Gnomon's own (RawReader.cpp).
bool isRaw(Lines lines);
void readRaw(Lines lines, Collector &collector);

// Of others (TableReaders.cpp). Their times are between hosts, because nothing says otherwise.
bool isOsu(Lines lines);
void readOsu(Lines lines, Collector &collector);
bool isImb(Lines lines);
void readImb(Lines lines, Collector &collector);
bool isSkampi(Lines lines);
void readSkampi(Lines lines, Collector &collector);
bool isPairs(Lines lines);
void readPairs(Lines lines, Collector &collector);

} // namespace gnomon::measurements
