// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Writes the trace of LuTrace.h for a grid of ranks: lu-trace OUT COLUMNS ROWS ITERATIONS. For
/// replays that are too long to be recorded (test/bench/replays.py).
#include "support/Error.h"
#include "trace/TraceWriter.h"
#include "trace/bench/LuTrace.h"

#include <charconv>
#include <cstdio>
#include <cstring>

using namespace gnomon;
using namespace gnomon::trace;

namespace {

bool readNumber(const char *text, uint32_t &number) {
  const char *end = text + std::strlen(text);
  const auto [at, error] = std::from_chars(text, end, number);
  return error == std::errc() && at == end && number > 0;
}

int make(const char *path, const bench::LuTrace::Settings &settings) {
  Facts facts;
  facts.ranks = settings.columns * settings.rows;
  facts.program = "lu-trace";
  facts.origin = "lu-trace";
  TraceWriter writer(path, facts.ranks);
  bench::LuTrace trace(writer, settings);
  trace.run();
  const std::string wrong = writer.finish(facts);
  if (!wrong.empty()) {
    std::fprintf(stderr, "lu-trace: %s\n", wrong.c_str());
    return 74;
  }
  std::printf("%llu\n", static_cast<unsigned long long>(trace.records()));
  return 0;
}

} // namespace

int main(int argc, char **argv) {
  bench::LuTrace::Settings settings;
  settings.countsText = false;
  if (argc != 5 || !readNumber(argv[2], settings.columns) || !readNumber(argv[3], settings.rows) ||
      !readNumber(argv[4], settings.iterations)) {
    std::fprintf(stderr,
                 "lu-trace OUT COLUMNS ROWS ITERATIONS: writes a trace, prints its records\n");
    return 2;
  }
  try {
    return make(argv[1], settings);
  } catch (const InputError &error) {
    std::fprintf(stderr, "lu-trace: %s\n", error.what());
    return 2;
  }
}
