// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What a record costs to append and to read, and how large the file is beside SimGrid's text of
/// the same calls. The argument is by how many thousandths computations vary: 0 folds, 30 does not.
#include "trace/TraceFile.h"
#include "trace/TraceWriter.h"
#include "trace/bench/LuTrace.h"

#include <benchmark/benchmark.h>

#include <ctime>
#include <filesystem>
#include <fstream>
#include <malloc.h>
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

/// Bytes of the process's memory.
size_t resident() {
  size_t pages = 0, ignored = 0;
  std::ifstream("/proc/self/statm") >> ignored >> pages;
  return pages * static_cast<size_t>(sysconf(_SC_PAGESIZE));
}

/// Of the processor, in this process.
double nanosecondsSince(std::clock_t begin) {
  return static_cast<double>(std::clock() - begin) * (1e9 / CLOCKS_PER_SEC);
}

/// 16,384 ranks are appended to in turn, as a run does, and then read in turn, with all cursors
/// open.
void manyRanks(benchmark::State &state) {
  LuTrace::Settings some = settings(state);
  some.columns = some.rows = 128;
  some.iterations = 2;
  Kept kept;
  LuTrace(kept, some).run();
  std::vector<size_t> places(some.columns * some.rows, kept.calls.size());
  for (size_t i = kept.calls.size(); i-- > 0;)
    places[kept.calls[i].rank] = i;
  const std::string path = benchFile();
  for (auto _ : state) {
    malloc_trim(0);
    const size_t before = resident();
    TraceWriter writer(path, static_cast<uint32_t>(places.size()));
    for (const Function &function : kept.functions)
      writer.function(function);
    const auto begin = std::clock();
    for (size_t step = 0, appended = 0; appended < kept.calls.size(); ++step)
      for (uint32_t rank = 0; rank < places.size(); ++rank) {
        const size_t i = places[rank] + step;
        if (i >= kept.calls.size() || kept.calls[i].rank != rank)
          continue;
        const Kept::Call &call = kept.calls[i];
        writer.append(rank, {call.function, std::span(kept.values).subspan(call.at, call.length)});
        ++appended;
      }
    state.counters["appendNs"] = nanosecondsSince(begin) / static_cast<double>(kept.calls.size());
    state.counters["windowBytes"] = static_cast<double>(writer.windowMemory());
    state.counters["writerBytes"] = static_cast<double>(resident()) - static_cast<double>(before);
    if (const std::string error = writer.finish({}); !error.empty())
      state.SkipWithError(error.c_str());
  }
  const auto records = static_cast<double>(kept.calls.size());
  kept = {};
  malloc_trim(0); // what was freed is not to be taken for what cursors need
  const size_t before = resident();
  const TraceFile file(path);
  std::filesystem::remove(path);
  std::vector<std::unique_ptr<Cursor>> cursors;
  for (uint32_t rank = 0; rank < places.size(); ++rank)
    cursors.push_back(file.open(rank));
  size_t most = 0;
  Record record;
  const auto begin = std::clock();
  for (bool more = true; more;) {
    more = false;
    for (const auto &cursor : cursors)
      more |= cursor->next(record);
    most = std::max(most, resident());
  }
  state.counters["nextNs"] = nanosecondsSince(begin) / records;
  state.counters["cursorBytes"] = static_cast<double>(most) - static_cast<double>(before);
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
BENCHMARK(manyRanks)->Arg(0)->Arg(30)->Unit(benchmark::kMillisecond)->Iterations(1);
BENCHMARK(bytes)->Arg(0)->Arg(30)->Unit(benchmark::kMillisecond)->Iterations(1);
