// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "measurements/Readers.h"

#include "platform/FileText.h"
#include "support/Error.h"

#include <fmt/format.h>

namespace gnomon::measurements {
namespace {

/// In the order in which they are asked.
constexpr struct {
  bool (*is)(Lines);
  void (*read)(Lines, Collector &);
} Formats[] = {{isRaw, readRaw},
               {isOsu, readOsu},
               {isImb, readImb},
               {isSkampi, readSkampi},
               {isPairs, readPairs}};

} // namespace

void readText(std::string_view text, const std::string &file, Collector &collector) {
  const std::vector<Line> lines = linesOf(text, file);
  const size_t before = collector.samples();
  for (const auto &format : Formats) {
    if (!format.is(lines))
      continue;
    format.read(lines, collector);
    if (collector.samples() == before)
      throw InputError(file, 0, "there is no sample of a known experiment in it");
    return;
  }
  throw InputError(file, 0,
                   "not what 'gnomon calibrate measure' writes ('# gnomon-calibration: 1'), nor a "
                   "table of OSU's, IMB's or SKaMPI's benchmarks, nor lines 'BYTES SECONDS'");
}

Measurements readFiles(const std::vector<std::string> &files) {
  Collector collector;
  for (const std::string &file : files)
    readText(platform::readText(file), file, collector);
  return collector.finish(files);
}

} // namespace gnomon::measurements
