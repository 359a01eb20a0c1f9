// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Traces in memory for the tests of this room, and files for them.
#pragma once

#include "trace/TraceFile.h"
#include "trace/TraceWriter.h"

#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace gnomon::trace::test {

/// A record that has values of its own.
struct Call {
  uint32_t function = 0;
  std::vector<int64_t> values;
  bool operator==(const Call &) const = default;
};
using Calls = std::vector<Call>;

/// A folder of its own, removed at the end.
class Folder {
public:
  Folder() {
    std::string name = std::filesystem::temp_directory_path() / "gnomon-trace-XXXXXX";
    if (!mkdtemp(name.data()))
      std::abort();
    path_ = name;
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder &) = delete;
  Folder &operator=(const Folder &) = delete;
  std::string operator/(const std::string &name) const { return path_ / name; }
  const std::filesystem::path &path() const { return path_; }

private:
  std::filesystem::path path_;
};

inline std::string bytesOf(const std::string &path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}
inline void writeBytes(const std::string &path, const std::string &bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

/// All records that \p cursor has, but at most so many.
inline Calls callsOf(Cursor &cursor, size_t most = ~size_t{0}) {
  Calls calls;
  Record record;
  while (calls.size() < most && cursor.next(record))
    calls.push_back({record.function, {record.values.begin(), record.values.end()}});
  return calls;
}

/// The functions that the tests' records call, by number.
inline std::vector<Function> functions() {
  using enum Kind;
  return {
      {"MPI_Send", {{"buf.count", Count}, {"dest", Peer}, {"tag", Tag}, {"comm", Comm}}},
      {"compute", {{"burst", Text}, {"instructions", Real}, {"seconds", Real}}},
      {"MPI_Finalize", {}},
      {"MPI_Waitall", {{"requests", Request, true}, {"sources", Peer, true}}},
      {"MPI_Bcast", {{"buf.count", Count}, {"root", Peer}, {"comm", Comm}}},
      {"sleep", {{"seconds", Real}}},
  };
}
enum : uint32_t { Send, Compute, Finalize, Waitall, Bcast, Sleep };

inline void declare(Sink &sink) {
  for (const Function &function : functions())
    sink.function(function);
}

/// Writes \p ranks to \p path; what went wrong.
inline std::string write(const std::string &path, const std::vector<Calls> &ranks) {
  TraceWriter writer(path, static_cast<uint32_t>(ranks.size()));
  declare(writer);
  for (uint32_t rank = 0; rank < ranks.size(); ++rank)
    for (const Call &call : ranks[rank])
      writer.append(rank, {call.function, call.values});
  return writer.finish({.ranks = static_cast<uint32_t>(ranks.size()),
                        .program = "./app",
                        .origin = "a test",
                        .complete = true,
                        .secondsPerFlop = 0});
}

/// A random program of nested loops.
class Generator {
public:
  explicit Generator(uint32_t seed) : random_(seed) {}

  int64_t number(int64_t least, int64_t most) {
    return std::uniform_int_distribution<int64_t>(least, most)(random_);
  }

  Call call() {
    switch (static_cast<uint32_t>(number(0, 7))) {
    case 0:
      return {Finalize, {}};
    case 1:
      return waitall();
    case 2:
      return {Bcast, {wild(), number(-3, 9), number(-1, 4)}};
    case 3:
      return {Sleep, {real()}};
    case 4:
    case 5:
      return {Compute, {number(0, 3), real(), real()}};
    default:
      return {Send, {wild(), number(-3, 20), number(-1, 3), number(-1, 1)}};
    }
  }

  /// Some records, then loops of such.
  void body(Calls &calls, unsigned depth, size_t most) {
    const int64_t parts = number(1, 4);
    for (int64_t part = 0; part < parts && calls.size() < most; ++part) {
      if (depth == 0 || number(0, 2) == 0) {
        calls.push_back(call());
        continue;
      }
      Calls inner;
      body(inner, depth - 1, most / 8);
      const int64_t turns = number(1, 40);
      for (int64_t turn = 0; turn < turns && calls.size() < most; ++turn)
        calls.insert(calls.end(), inner.begin(), inner.end());
    }
  }

private:
  int64_t wild() {
    return number(0, 9) == 0 ? static_cast<int64_t>(random_() << 1 ^ random_()) : number(0, 1000);
  }
  int64_t real() {
    constexpr double Reals[] = {0.0,    -0.0,   1,      2.1e-5, 81240, -7,
                                0x1p53, 0x1p60, 1e-300, 1e300,  0.1};
    const int64_t choice = number(0, 13);
    if (choice < 11)
      return std::bit_cast<int64_t>(Reals[choice]);
    if (choice == 11) // any bits: NaN of any payload, denormals
      return static_cast<int64_t>(random_());
    return std::bit_cast<int64_t>(static_cast<double>(number(-1000000, 1000000)) /
                                  (choice == 12 ? 1e9 : 1));
  }
  Call waitall() {
    Call call{Waitall, {}};
    for (int list = 0; list < 2; ++list) {
      const int64_t length = number(0, 5);
      call.values.push_back(length);
      for (int64_t i = 0; i < length; ++i)
        call.values.push_back(list == 0 ? wild() : number(-2, 9));
    }
    return call;
  }

  std::mt19937_64 random_;
};

} // namespace gnomon::trace::test
