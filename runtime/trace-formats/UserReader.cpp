// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "trace-formats/UserReader.h"

#include "gnomon/TraceReader.h"
#include "support/Error.h"
#include "trace-formats/LineReader.h"
#include "trace-formats/RecordView.h"

#include <dlfcn.h>
#include <exception>
#include <fmt/format.h>

namespace gnomon::trace::user {
namespace {

static_assert(static_cast<int>(Kind::Real) == GNOMON_TRACE_REAL && Kinds == GNOMON_TRACE_REAL + 1);

/// Behind the `context` of the sink. No exception passes through the user's code: it is kept, and
/// every later call refused.
class Reading {
public:
  Reading(const std::string &object, const std::string &path, const OpenSink &open)
      : object_(object), path_(path), open_(open) {}

  template <class Step> int64_t guarded(Step step) {
    if (error_)
      return -1;
    try {
      return step();
    } catch (...) {
      error_ = std::current_exception();
      return -1;
    }
  }

  int64_t begin(uint32_t ranks, const char *program) {
    if (sink_)
      blame("begin() is called a second time");
    if (ranks == 0 || ranks > MostRanks)
      blame(fmt::format("{} ranks: there must be 1 to {}", ranks, MostRanks));
    Facts facts;
    facts.ranks = ranks;
    facts.program = program ? program : "";
    facts.origin = fmt::format("gnomon trace convert --reader {}", object_);
    ranks_ = ranks;
    sink_ = &open_(facts);
    return 0;
  }

  int64_t function(const char *name, const gnomon_trace_field *fields, size_t count) {
    begun();
    Function function{name ? name : "", {}};
    if (function.name.empty() || (count > 0 && !fields))
      blame("a function has no name, or no fields");
    for (size_t i = 0; i < count; ++i) {
      if (!fields[i].name || fields[i].kind < 0 || fields[i].kind >= static_cast<int>(Kinds))
        blame(fmt::format("{}: field {} has no name, or no kind that there is", name, i));
      function.fields.push_back(
          {fields[i].name, static_cast<Kind>(fields[i].kind), fields[i].is_list != 0});
    }
    const uint32_t number = sink_->function(function);
    if (number >= functions_.size())
      functions_.resize(number + 1);
    functions_[number] = std::move(function);
    return number;
  }

  int64_t text(const char *text) {
    begun();
    const int64_t number = sink_->text(text ? text : "");
    checker_.texts = std::max(checker_.texts, number + 1);
    return number;
  }

  int64_t communicator(std::span<const uint32_t> members, std::span<const uint32_t> remote) {
    begun();
    inRange(members);
    inRange(remote);
    const int64_t row =
        sink_->communicator({{members.begin(), members.end()}, {remote.begin(), remote.end()}});
    checker_.communicators = std::max(checker_.communicators, row + 1);
    return row;
  }

  int64_t set(std::span<const uint32_t> members) {
    begun();
    inRange(members);
    const int64_t row = sink_->set({members.begin(), members.end()});
    checker_.sets = std::max(checker_.sets, row + 1);
    return row;
  }

  int64_t append(uint32_t rank, int64_t function, std::span<const int64_t> values) {
    begun();
    if (rank >= ranks_)
      blame(fmt::format("a record of rank {} of {}", rank, ranks_));
    if (function < 0 || static_cast<size_t>(function) >= functions_.size())
      blame(fmt::format("rank {}: a record of function {}, which there is not", rank, function));
    const Record record{static_cast<uint32_t>(function), values};
    if (!view_.set(functions_[static_cast<size_t>(function)], record))
      blame(fmt::format("rank {}: {}: {} values do not fit its fields", rank,
                        functions_[static_cast<size_t>(function)].name, values.size()));
    if (const std::optional<std::string> problem = checker_.problem(view_))
      blame(fmt::format("rank {}: {}", rank, *problem));
    sink_->append(rank, record);
    return 0;
  }

  int64_t fail(uint64_t line, const char *message) const {
    failAt(path_, line, message && *message ? message : "the reader says no more");
  }

  /// After the reader has returned \p code.
  void end(int code) {
    if (error_)
      std::rethrow_exception(error_);
    if (code != 0)
      blame(fmt::format("gnomon_read_trace gave {} and did not say why", code));
    begun();
  }

private:
  [[noreturn]] void blame(const std::string &what) const {
    throw InputError(object_, 0, fmt::format("while reading '{}': {}", path_, what));
  }
  void begun() const {
    if (!sink_)
      blame("begin() was not called before all else");
  }
  void inRange(std::span<const uint32_t> members) const {
    for (const uint32_t member : members)
      if (member >= MostRanks) // spawned processes are above the trace's own
        blame(fmt::format("a group with process {}", member));
  }

  const std::string &object_, &path_;
  const OpenSink &open_;
  Sink *sink_ = nullptr;
  uint32_t ranks_ = 0;
  std::vector<Function> functions_; ///< by number
  RecordChecker checker_;
  RecordView view_;
  std::exception_ptr error_;
};

Reading &of(void *context) { return *static_cast<Reading *>(context); }

gnomon_trace_sink sinkOf(Reading &reading) {
  gnomon_trace_sink sink{};
  sink.bytes = sizeof sink;
  sink.context = &reading;
  sink.begin = [](void *context, uint32_t ranks, const char *program) {
    return static_cast<int>(of(context).guarded([&] { return of(context).begin(ranks, program); }));
  };
  sink.function = [](void *context, const char *name, const gnomon_trace_field *fields,
                     size_t count) {
    return of(context).guarded([&] { return of(context).function(name, fields, count); });
  };
  sink.text = [](void *context, const char *text) {
    return of(context).guarded([&] { return of(context).text(text); });
  };
  sink.communicator = [](void *context, const uint32_t *members, size_t count,
                         const uint32_t *remote, size_t remoteCount) {
    return of(context).guarded(
        [&] { return of(context).communicator({members, count}, {remote, remoteCount}); });
  };
  sink.set = [](void *context, const uint32_t *members, size_t count) {
    return of(context).guarded([&] { return of(context).set({members, count}); });
  };
  sink.append = [](void *context, uint32_t rank, int64_t function, const int64_t *values,
                   size_t count) {
    return static_cast<int>(
        of(context).guarded([&] { return of(context).append(rank, function, {values, count}); }));
  };
  sink.fail = [](void *context, uint64_t line, const char *message) {
    return static_cast<int>(of(context).guarded([&] { return of(context).fail(line, message); }));
  };
  return sink;
}

/// The user's function; the object stays loaded.
ReadTrace load(const std::string &object) {
  // Without a slash the name would be looked for where libraries are.
  const std::string path = object.find('/') == std::string::npos ? "./" + object : object;
  void *library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library)
    throw InputError(object, 0, fmt::format("the reader cannot be loaded: {}", dlerror()));
  void *function = dlsym(library, "gnomon_read_trace");
  if (!function)
    throw InputError(object, 0, "has no function gnomon_read_trace (gnomon/TraceReader.h)");
  return reinterpret_cast<ReadTrace>(function);
}

} // namespace

void read(ReadTrace readTrace, const std::string &object, const std::string &path,
          const OpenSink &open) {
  Reading reading(object, path, open);
  const gnomon_trace_sink sink = sinkOf(reading);
  reading.end(readTrace(path.c_str(), &sink));
}

void read(const std::string &object, const std::string &path, const OpenSink &open) {
  read(load(object), object, path, open);
}

} // namespace gnomon::trace::user
