// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Writes a trace of random records to the file that is its first argument, and prints what it
/// wrote as examples/traces/trace-reader.c prints what it reads. The second argument: the seed.
#include "trace/TraceWriter.h"
#include "trace/test/MemoryTrace.h"

#include <cmath>
#include <cstdio>
#include <fmt/format.h>

using namespace gnomon::trace;
using namespace gnomon::trace::test;

namespace {

const std::vector<std::string> Texts = {"lu.f:120 blts", "", "a \"b\"", "\xc3\xa4"};

std::string valueText(Kind kind, int64_t value) {
  if (kind == Kind::Text)
    return fmt::format("\"{}\"", Texts.at(static_cast<size_t>(value)));
  if (kind != Kind::Real)
    return fmt::format("{}", value);
  const auto real = std::bit_cast<double>(value);
  char text[64];
  std::snprintf(text, sizeof text, "%.17g", real);
  return std::isnan(real) ? "nan" : text;
}

void print(uint32_t rank, const Call &call) {
  const Function function = functions().at(call.function);
  std::string line = fmt::format("{} {}", rank, function.name);
  const int64_t *value = call.values.data();
  for (const Field &field : function.fields) {
    line += fmt::format(" {}=", field.name);
    const int64_t length = field.list ? *value++ : 1;
    for (int64_t i = 0; i < length; ++i)
      line += (i > 0 ? "," : "") + valueText(field.kind, *value++);
  }
  std::puts(line.c_str());
}

} // namespace

int main(int argc, char **argv) {
  Generator generator(argc > 2 ? static_cast<uint32_t>(std::stoul(argv[2])) : 0);
  constexpr uint32_t Ranks = 5;
  constexpr size_t MostCalls = 3000;
  TraceWriter writer(argv[1], Ranks);
  declare(writer);
  for (const std::string &text : Texts)
    writer.text(text);
  writer.communicator({{4, 2, 0}, {}});
  writer.communicator({{1}, {3}});
  std::puts("program ./app 1, ranks 5, origin a test, INCOMPLETE");
  std::puts("communicator 2 4 2 0\ncommunicator 3 1");
  for (uint32_t rank = 0; rank < Ranks; ++rank) {
    Calls calls;
    generator.body(calls, 4, MostCalls);
    // Enough that no loop spans, and blocks fill a page of the index.
    for (int i = 0; rank == 1 && i < 200000; ++i)
      calls.push_back({Send, {generator.number(0, 1 << 20), i % 5, i % 3, 0}});
    for (const Call &call : calls) {
      writer.append(rank, {call.function, call.values});
      print(rank, call);
    }
  }
  const std::string error = writer.finish({.ranks = Ranks,
                                           .program = "./app 1",
                                           .origin = "a test",
                                           .complete = false,
                                           .secondsPerFlop = 0});
  std::fputs(error.c_str(), stderr);
  return error.empty() ? 0 : 1;
}
