// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What a record costs to append and to read, and how large the file is beside SimGrid's text of the
/// same calls. The argument is by how many thousandths computations vary: 0 folds, 30 does not.
#include "trace/TraceFile.h"
#include "trace/TraceWriter.h"
#include "trace/bench/LuTrace.h"

#include <benchmark/benchmark.h>

#include <filesystem>
#include <string>
#include <unistd.h>
#include <vector>

using namespace gnomon::trace;
using namespace gnomon::trace::bench;

namespace {

/// Takes bytes and counts none.
struct Nowhere final : Target {
  void write(std::string_view) override {}
  std::string finish() override { return {}; }
};

/// Keeps records, to be appended without the generator's own time.
struct Kept final : Sink {
  struct Call {
    uint32_t rank, function;
    size_t at, length;
  };
  std::vector<Function> functions;
  std::vector<std::string> texts;
  std::vector<Call> calls;
  std::vector<int64_t> values;

  uint32_t function(const Function &function) override {
    functions.push_back(function);
    return static_cast<uint32_t>(functions.size() - 1);
  }
  int64_t text(std::string_view text) override {
    texts.emplace_back(text);
    return static_cast<int64_t>(texts.size() - 1);
  }
  int64_t communicator(const Group &) override { return World; }
  int64_t set(const std::vector<uint32_t> &) override { return 0; }
  void append(uint32_t rank, const Record &record) override {
    calls.push_back({rank, record.function, values.size(), record.values.size()});
    values.insert(values.end(), record.values.begin(), record.values.end());
  }
};

LuTrace::Settings settings(const benchmark::State &state) {
  LuTrace::Settings settings;
  settings.variation = static_cast<double>(state.range(0)) / 1000;
  return settings;
}

void append(benchmark::State &state) {
  Kept kept;
  LuTrace::Settings some = settings(state);
  some.iterations = 50;
  LuTrace(kept, some).run();
  constexpr uint32_t Ranks = 64;
  for (auto _ : state) {
    TraceWriter writer(std::make_unique<Nowhere>(), "", Ranks);
    for (const Function &function : kept.functions)
      writer.function(function);
    for (const Kept::Call &call : kept.calls)
      writer.append(call.rank,
                    {call.function, std::span(kept.values).subspan(call.at, call.length)});
    writer.finish({});
  }
  state.SetItemsProcessed(static_cast<int64_t>(state.iterations() * kept.calls.size()));
}

std::string benchFile() {
  return std::filesystem::temp_directory_path() / fmt::format("gnomon-bench-{}.gtr", getpid());
}

void next(benchmark::State &state) {
  const std::string path = benchFile();
  {
    TraceWriter writer(path, 64);
    LuTrace(writer, settings(state)).run();
    if (const std::string error = writer.finish({}); !error.empty()) {
      state.SkipWithError(error.c_str());
      return;
    }
  }
  const TraceFile file(path);
  std::filesystem::remove(path);
  int64_t records = 0, sum = 0;
  for (auto _ : state)
    for (uint32_t rank = 0; rank < file.facts().ranks; ++rank) {
      const auto cursor = file.open(rank);
      Record record;
      while (cursor->next(record)) {
        sum += record.values.empty() ? 0 : record.values.back();
        ++records;
      }
    }
  benchmark::DoNotOptimize(sum);
  state.SetItemsProcessed(records);
}

uint64_t size(const LuTrace::Settings &settings, Compressor::Method method, uint64_t &text) {
  TraceWriter writer(std::make_unique<Nowhere>(), "", settings.columns * settings.rows, method);
  LuTrace trace(writer, settings);
  trace.run();
  writer.finish({});
  text = trace.textBytes();
  return writer.bytes();
}

void bytes(benchmark::State &state) {
  uint64_t text = 0, plain = 0, packed = 0;
  for (auto _ : state) {
    plain = size(settings(state), Compressor::Method::None, text);
    packed = size(settings(state), Compressor::Method::Zstd, text);
  }
  state.counters["text"] = static_cast<double>(text);
  state.counters["plain"] = static_cast<double>(plain);
  state.counters["zstd"] = static_cast<double>(packed);
}

} // namespace

BENCHMARK(append)->Arg(0)->Arg(30)->Unit(benchmark::kMillisecond);
BENCHMARK(next)->Arg(0)->Arg(30)->Unit(benchmark::kMillisecond);
BENCHMARK(bytes)->Arg(0)->Arg(30)->Unit(benchmark::kMillisecond)->Iterations(1);
