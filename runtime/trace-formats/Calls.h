// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The functions that readers of foreign formats write, and the object through which they write
/// them: they name a call, and the sink's number for it is asked for once.
#pragma once

#include "trace/Record.h"

#include <array>
#include <bit>
#include <initializer_list>
#include <optional>
#include <string_view>
#include <vector>

namespace gnomon::trace {

enum class Call : uint8_t {
#define GNOMON_TRACE_CALL(id, name, fields) id,
#include "trace-formats/Calls.def"
#undef GNOMON_TRACE_CALL
};
inline constexpr size_t Calls = static_cast<size_t>(Call::Ialltoall) + 1;

/// The function \p name whose fields are the words of \p fields; kinds follow from the names.
Function makeFunction(std::string_view name, std::string_view fields);
const Function &functionOf(Call call);

/// What the nonblocking form of a function does when it blocks: "MPI_Iallreduce" gives
/// "MPI_Allreduce". Nothing for names of another form; whether there is such a function is not looked at.
std::optional<std::string> blockingFormOf(std::string_view name);

inline int64_t realBits(double value) { return std::bit_cast<int64_t>(value); }
inline double realOf(int64_t bits) { return std::bit_cast<double>(bits); }

/// Writes records of Calls.def to a sink.
class CallSink {
public:
  explicit CallSink(Sink &sink) : sink_(sink) {}

  Sink &sink() { return sink_; }
  void append(uint32_t rank, Call call, std::initializer_list<int64_t> values) {
    append(rank, call, std::span(values.begin(), values.size()));
  }
  void append(uint32_t rank, Call call, std::span<const int64_t> values);
  /// A volume of computation; NaN: not known.
  void compute(uint32_t rank, std::string_view burst, double instructions, double seconds);
  int64_t text(std::string_view text) { return sink_.text(text); }

private:
  Sink &sink_;
  std::array<std::optional<uint32_t>, Calls> numbers_;
};

} // namespace gnomon::trace
