// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a trace in another format's text is understood or refused with an InputError that names
// the file, whatever it holds; what is understood is written so that it is understood again, as the
// same. The first byte says which format: 's' SimGrid's, 'g' GOAL, 'd' Dimemas', which is not
// written.
#include "support/Error.h"
#include "trace-formats/MemoryTrace.h"
#include "trace-formats/RecordView.h"
#include "trace-formats/dimemas/Reader.h"
#include "trace-formats/goal/Reader.h"
#include "trace-formats/goal/Writer.h"
#include "trace-formats/simgrid/Reader.h"
#include "trace-formats/simgrid/Writer.h"

#include <cstdint>
#include <cstdlib>
#include <fmt/format.h>
#include <optional>
#include <sys/mman.h>
#include <unistd.h>

using namespace gnomon;
using namespace gnomon::trace;

namespace {

/// A file in memory, with a name by which it can be opened.
struct MemoryFile {
  int descriptor = memfd_create("fuzz", 0);
  std::string path = fmt::format("/proc/self/fd/{}", descriptor);
  explicit MemoryFile(std::string_view text) {
    if (write(descriptor, text.data(), text.size()) != static_cast<ssize_t>(text.size()))
      std::abort();
  }
  ~MemoryFile() { close(descriptor); }
};

struct TextInMemory : Target {
  std::string text;
  void write(std::string_view more) override { text += more; }
  std::string finish() override { return {}; }
};

using Read = void (*)(const std::string &, const OpenSink &, Conversion &);

/// Nothing where the text is refused.
std::unique_ptr<MemoryTrace> readText(Read read, std::string_view text) {
  const MemoryFile file(text);
  std::unique_ptr<MemoryTrace> trace;
  Conversion conversion;
  try {
    read(
        file.path,
        [&](const Facts &facts) -> Sink & {
          trace = std::make_unique<MemoryTrace>(facts);
          return *trace;
        },
        conversion);
    return trace;
  } catch (const InputError &error) {
    // A list may name other files, which are then at fault.
    if (error.file() != file.path && read != simgrid::read)
      std::abort();
    return nullptr;
  }
}

/// All records; each must fit its function and the trace's tables.
std::string textOf(const MemoryTrace &trace) {
  std::string text;
  RecordView view;
  RecordChecker checker;
  checker.communicators = static_cast<int64_t>(trace.communicators().size());
  checker.texts = static_cast<int64_t>(trace.texts().size());
  for (uint32_t rank = 0; rank < trace.facts().ranks; ++rank) {
    text += fmt::format("rank {}\n", rank);
    const std::unique_ptr<Cursor> cursor = trace.open(rank);
    for (Record record; cursor->next(record);) {
      if (!view.set(trace.functions()[record.function], record) || checker.problem(view))
        std::abort();
      text += recordText(trace, view) + "\n";
    }
  }
  return text;
}

/// The trace as text of the format it came from; nothing where a writer refuses it.
std::optional<std::string> writeText(const MemoryTrace &trace, bool goal) {
  TextInMemory target;
  Conversion conversion;
  try {
    if (goal)
      goal::write(trace, "fuzz.trace", target, {}, conversion);
    else
      simgrid::write(trace, "fuzz.trace", target, {}, conversion);
  } catch (const InputError &error) {
    if (error.file() != "fuzz.trace")
      std::abort();
    return std::nullopt;
  }
  return target.text;
}

/// What is written and read again is written in the same way.
void writeAgain(const MemoryTrace &trace, Read read) {
  const std::optional<std::string> written = writeText(trace, read == goal::read);
  if (!written)
    return;
  const std::unique_ptr<MemoryTrace> again = readText(read, *written);
  if (!again || again->facts().ranks != trace.facts().ranks)
    std::abort();
  textOf(*again);
  if (writeText(*again, read == goal::read) != *written)
    std::abort();
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size == 0)
    return 0;
  const std::string_view text(reinterpret_cast<const char *>(data) + 1, size - 1);
  const Read read = data[0] == 'd' ? dimemas::read : data[0] == 'g' ? goal::read : simgrid::read;
  const std::unique_ptr<MemoryTrace> trace = readText(read, text);
  if (!trace)
    return 0;
  textOf(*trace);
  if (read == dimemas::read) // to be written as the others'
    writeText(*trace, false);
  else
    writeAgain(*trace, read);
  return 0;
}
