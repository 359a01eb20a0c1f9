// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// gnomon/Trace.h over TraceFile. No exception leaves a function.
#include "gnomon/Trace.h"

#include "trace/TraceFile.h"

#include <bit>
#include <exception>
#include <string>

using namespace gnomon::trace;

struct gnomon_trace {
  TraceFile file;
};

struct gnomon_trace_cursor {
  std::unique_ptr<Cursor> cursor;
};

namespace {

#define GNOMON_TRACE_EXPORT extern "C" __attribute__((visibility("default")))

static_assert(static_cast<int>(Kind::Real) == GNOMON_TRACE_REAL && Kinds == GNOMON_TRACE_REAL + 1);

thread_local std::string lastError;

/// What \p action returns; \p otherwise, and the error is kept, when it throws.
template <class Action, class Result> Result guarded(Action action, Result otherwise) {
  try {
    return action();
  } catch (const std::exception &error) {
    lastError = error.what();
    return otherwise;
  }
}

const Function *functionOf(const gnomon_trace *trace, uint32_t function) {
  const std::vector<Function> &functions = trace->file.functions();
  return function < functions.size() ? &functions[function] : nullptr;
}

const Field *fieldOf(const gnomon_trace *trace, uint32_t function, uint32_t field) {
  const Function *of = functionOf(trace, function);
  return of && field < of->fields.size() ? &of->fields[field] : nullptr;
}

template <class Row> const Row *rowOf(const std::vector<Row> &rows, int64_t row) {
  return static_cast<uint64_t>(row) < rows.size() ? &rows[static_cast<size_t>(row)] : nullptr;
}

const uint32_t *membersOf(const std::vector<uint32_t> *members, size_t *count) {
  *count = members ? members->size() : 0;
  return *count > 0 ? members->data() : nullptr;
}

} // namespace

GNOMON_TRACE_EXPORT gnomon_trace *gnomon_trace_open(const char *path) {
  return guarded([&] { return new gnomon_trace{TraceFile(path)}; },
                 static_cast<gnomon_trace *>(nullptr));
}

GNOMON_TRACE_EXPORT void gnomon_trace_close(gnomon_trace *trace) { delete trace; }

GNOMON_TRACE_EXPORT const char *gnomon_trace_error() { return lastError.c_str(); }

GNOMON_TRACE_EXPORT uint32_t gnomon_trace_ranks(const gnomon_trace *trace) {
  return trace->file.facts().ranks;
}

GNOMON_TRACE_EXPORT const char *gnomon_trace_program(const gnomon_trace *trace) {
  return trace->file.facts().program.c_str();
}

GNOMON_TRACE_EXPORT const char *gnomon_trace_origin(const gnomon_trace *trace) {
  return trace->file.facts().origin.c_str();
}

GNOMON_TRACE_EXPORT int gnomon_trace_complete(const gnomon_trace *trace) {
  return trace->file.facts().complete;
}

GNOMON_TRACE_EXPORT double gnomon_trace_seconds_per_flop(const gnomon_trace *trace) {
  return trace->file.facts().secondsPerFlop;
}

GNOMON_TRACE_EXPORT uint32_t gnomon_trace_functions(const gnomon_trace *trace) {
  return static_cast<uint32_t>(trace->file.functions().size());
}

GNOMON_TRACE_EXPORT const char *gnomon_trace_function_name(const gnomon_trace *trace,
                                                           uint32_t function) {
  const Function *found = functionOf(trace, function);
  return found ? found->name.c_str() : nullptr;
}

GNOMON_TRACE_EXPORT uint32_t gnomon_trace_fields(const gnomon_trace *trace, uint32_t function) {
  const Function *found = functionOf(trace, function);
  return found ? static_cast<uint32_t>(found->fields.size()) : 0;
}

GNOMON_TRACE_EXPORT const char *gnomon_trace_field_name(const gnomon_trace *trace,
                                                        uint32_t function, uint32_t field) {
  const Field *found = fieldOf(trace, function, field);
  return found ? found->name.c_str() : nullptr;
}

GNOMON_TRACE_EXPORT int gnomon_trace_field_kind(const gnomon_trace *trace, uint32_t function,
                                                uint32_t field) {
  const Field *found = fieldOf(trace, function, field);
  return found ? static_cast<int>(found->kind) : 0;
}

GNOMON_TRACE_EXPORT int gnomon_trace_field_is_list(const gnomon_trace *trace, uint32_t function,
                                                   uint32_t field) {
  const Field *found = fieldOf(trace, function, field);
  return found && found->list;
}

GNOMON_TRACE_EXPORT uint64_t gnomon_trace_strings(const gnomon_trace *trace) {
  return trace->file.texts().size();
}

GNOMON_TRACE_EXPORT const char *gnomon_trace_string(const gnomon_trace *trace, int64_t number) {
  const std::string *found = rowOf(trace->file.texts(), number);
  return found ? found->c_str() : nullptr;
}

GNOMON_TRACE_EXPORT uint64_t gnomon_trace_communicators(const gnomon_trace *trace) {
  return trace->file.communicators().size();
}

GNOMON_TRACE_EXPORT const uint32_t *gnomon_trace_members(const gnomon_trace *trace, int64_t comm,
                                                         size_t *count) {
  const Group *found = rowOf(trace->file.communicators(), comm);
  return membersOf(found ? &found->members : nullptr, count);
}

GNOMON_TRACE_EXPORT const uint32_t *gnomon_trace_remote_members(const gnomon_trace *trace,
                                                                int64_t comm, size_t *count) {
  const Group *found = rowOf(trace->file.communicators(), comm);
  return membersOf(found ? &found->remote : nullptr, count);
}

GNOMON_TRACE_EXPORT uint64_t gnomon_trace_sets(const gnomon_trace *trace) {
  return trace->file.sets().size();
}

GNOMON_TRACE_EXPORT const uint32_t *gnomon_trace_set_members(const gnomon_trace *trace, int64_t set,
                                                             size_t *count) {
  return membersOf(rowOf(trace->file.sets(), set), count);
}

GNOMON_TRACE_EXPORT uint64_t gnomon_trace_records(const gnomon_trace *trace, uint32_t rank) {
  return rank < trace->file.facts().ranks ? trace->file.records(rank) : 0;
}

GNOMON_TRACE_EXPORT gnomon_trace_cursor *gnomon_trace_cursor_open(const gnomon_trace *trace,
                                                                  uint32_t rank, uint64_t first) {
  return guarded([&] { return new gnomon_trace_cursor{trace->file.open(rank, first)}; },
                 static_cast<gnomon_trace_cursor *>(nullptr));
}

GNOMON_TRACE_EXPORT int gnomon_trace_next(gnomon_trace_cursor *cursor,
                                          struct gnomon_trace_record *record) {
  return guarded(
      [&] {
        Record next;
        if (!cursor->cursor->next(next))
          return 0;
        *record = {.function = next.function,
                   .values_count = static_cast<uint32_t>(next.values.size()),
                   .values = next.values.data()};
        return 1;
      },
      -1);
}

GNOMON_TRACE_EXPORT void gnomon_trace_cursor_close(gnomon_trace_cursor *cursor) { delete cursor; }

GNOMON_TRACE_EXPORT double gnomon_trace_real(int64_t value) { return std::bit_cast<double>(value); }
