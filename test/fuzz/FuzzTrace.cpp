// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a trace file, or a block of one, is understood or refused with an InputError, whatever it
// holds; what is understood of a block is written so that it is understood again, as the same. The
// first byte says which: '@' a block, anything else a file. Checksums are not looked at in this
// build.
#include "support/Error.h"
#include "trace/Block.h"
#include "trace/BlockEncoder.h"
#include "trace/TraceFile.h"
#include "trace/Wire.h"

#include <cstdint>
#include <cstdlib>
#include <string>
#include <sys/mman.h>
#include <unistd.h>

using namespace gnomon;
using namespace gnomon::trace;

namespace {

constexpr size_t MostRecords = 2000;

Schema makeSchema() {
  using enum Kind;
  Schema schema;
  schema.number({"f", {{"count", Count}, {"dest", Peer}, {"root", Peer}}}, "");
  schema.number({"g", {{"seconds", Real}, {"requests", Request, true}, {"tag", Tag}}}, "");
  schema.number({"h", {{"reals", Real, true}, {"peers", Peer, true}}}, "");
  schema.number({"none", {}}, "");
  return schema;
}

/// The first records of \p block, and a window of the same.
std::string recordsOf(const Block &block, RecordPool &pool, Window &window) {
  std::string text;
  Walk walk;
  walk.start(block);
  const Block::Step *step = nullptr;
  for (size_t i = 0; i < MostRecords && window.values() < MostWindowValues && (step = walk.next());
       ++i) {
    const std::span values(block.values.data() + step->at, step->length);
    window.append(pool, step->function, values, Window::MostNodes);
    putFixed(text, step->function);
    for (const int64_t value : values)
      putFixed(text, static_cast<uint64_t>(value));
  }
  return text;
}

void readBlock(std::string_view bytes) {
  static const Schema schema = makeSchema();
  Block block;
  try {
    block = decodeBlock(bytes, schema);
  } catch (const Damage &) {
    return;
  }
  RecordPool pool;
  Window window, again;
  const std::string text = recordsOf(block, pool, window);
  window.settle(pool);
  BlockEncoder encoder(schema, pool);
  const Block other = decodeBlock(encoder.encode(window, 0, window.items()), schema);
  if (recordsOf(other, pool, again) != text)
    std::abort();
}

void readAll(const TraceFile &file) {
  constexpr uint32_t MostRanks = 20;
  for (uint32_t rank = 0; rank < std::min(file.facts().ranks, MostRanks); ++rank)
    for (const uint64_t first : {uint64_t{0}, file.records(rank) / 2}) {
      const auto cursor = file.open(rank, first);
      Record record;
      size_t records = 0;
      while (records < MostRecords && cursor->next(record)) {
        ++records;
        if (!file.fits(record))
          std::abort();
      }
      if (records != std::min<uint64_t>(MostRecords, file.records(rank) - first))
        std::abort();
    }
}

void readFile(std::string_view bytes) {
  static const int descriptor = memfd_create("trace", 0);
  static const std::string path = "/proc/self/fd/" + std::to_string(descriptor);
  if (ftruncate(descriptor, 0) != 0 ||
      pwrite(descriptor, bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
    std::abort();
  try {
    readAll(TraceFile(path));
  } catch (const InputError &error) {
    if (error.file() != path)
      std::abort();
  }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char *>(data), size);
  if (bytes.starts_with("@"))
    readBlock(bytes.substr(1));
  else
    readFile(bytes);
  return 0;
}
