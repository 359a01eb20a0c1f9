// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "trace-formats/Calls.h"

namespace gnomon::trace {
namespace {

/// Names of fields are names of MPI's parameters, or a buffer's with a property of it.
Field makeField(std::string_view name) {
  Field field{std::string(name), Kind::Number, false};
  const std::string_view last = name.substr(name.rfind('.') + 1); // all of it without a dot
  field.list = last == "counts" || last == "sizes" || last == "requests";
  if (last == "count" || last == "counts")
    field.kind = Kind::Count;
  else if (last == "size" || last == "sizes")
    field.kind = Kind::Size;
  else if (last == "dest" || last == "source" || last == "root")
    field.kind = Kind::Peer;
  else if (last.ends_with("tag"))
    field.kind = Kind::Tag;
  else if (last == "comm" || last == "newcomm")
    field.kind = Kind::Comm;
  else if (last == "request" || last == "requests")
    field.kind = Kind::Request;
  else if (last == "op" || last == "burst")
    field.kind = Kind::Text;
  else if (last == "seconds" || last == "instructions")
    field.kind = Kind::Real;
  return field;
}

} // namespace

Function makeFunction(std::string_view name, std::string_view fields) {
  Function function{std::string(name), {}};
  while (!fields.empty()) {
    const size_t end = std::min(fields.find(' '), fields.size());
    if (end > 0)
      function.fields.push_back(makeField(fields.substr(0, end)));
    fields.remove_prefix(std::min(end + 1, fields.size()));
  }
  return function;
}

const Function &functionOf(Call call) {
  static const std::array<Function, Calls> functions = {
#define GNOMON_TRACE_CALL(id, name, fields) makeFunction(name, fields),
#include "trace-formats/Calls.def"
#undef GNOMON_TRACE_CALL
  };
  return functions[static_cast<size_t>(call)];
}

std::optional<std::string> blockingFormOf(std::string_view name) {
  constexpr std::string_view Begin = "MPI_I";
  if (!name.starts_with(Begin) || name.size() == Begin.size())
    return std::nullopt;
  const char first = name[Begin.size()];
  if (first < 'a' || first > 'z')
    return std::nullopt;
  return "MPI_" + std::string(1, static_cast<char>(first - 'a' + 'A')) +
         std::string(name.substr(Begin.size() + 1));
}

void CallSink::append(uint32_t rank, Call call, std::span<const int64_t> values) {
  std::optional<uint32_t> &number = numbers_[static_cast<size_t>(call)];
  if (!number)
    number = sink_.function(functionOf(call));
  sink_.append(rank, {*number, values});
}

void CallSink::compute(uint32_t rank, std::string_view burst, double instructions, double seconds) {
  append(rank, Call::Compute, {text(burst), realBits(instructions), realBits(seconds)});
}

} // namespace gnomon::trace
