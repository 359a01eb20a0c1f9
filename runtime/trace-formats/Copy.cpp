// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "trace-formats/Copy.h"

namespace gnomon::trace {
namespace {

/// The element at \p at, which is made where there is none yet.
template <class T> std::optional<T> &known(std::vector<std::optional<T>> &all, size_t at) {
  if (at >= all.size())
    all.resize(at + 1);
  return all[at];
}

} // namespace

Copier::Copier(const Source &source, Sink &sink) : source_(source), sink_(sink) {
  std::vector<int64_t> rows{World, Self};
  for (size_t row = rows.size(); row < source.communicators().size(); ++row)
    rows.push_back(sink.communicator(source.communicators()[row]));
  rowOf_ = [rows](int64_t comm) {
    return comm >= 0 && static_cast<size_t>(comm) < rows.size() ? rows[static_cast<size_t>(comm)]
                                                                : comm;
  };
}

uint32_t Copier::functionOf(uint32_t number) {
  std::optional<uint32_t> &of = known(functions_, number);
  if (!of)
    of = sink_.function(source_.functions()[number]);
  return *of;
}

int64_t Copier::translate(Kind kind, int64_t value) {
  if (kind == Kind::Comm)
    return rowOf_(value);
  if (value < 0)
    return value;
  const auto at = static_cast<size_t>(value);
  if (kind == Kind::Text && at < source_.texts().size()) {
    std::optional<int64_t> &of = known(texts_, at);
    if (!of)
      of = sink_.text(source_.texts()[at]);
    return *of;
  }
  if (kind == Kind::Set && at < source_.sets().size()) {
    std::optional<int64_t> &of = known(sets_, at);
    if (!of)
      of = sink_.set(source_.sets()[at]);
    return *of;
  }
  return value;
}

void Copier::append(uint32_t rank, const Record &record) {
  values_.assign(record.values.begin(), record.values.end());
  size_t at = 0;
  for (const Field &field : source_.functions()[record.function].fields) {
    const int64_t length = field.list ? values_[at++] : 1;
    const bool numbered =
        field.kind == Kind::Comm || field.kind == Kind::Text || field.kind == Kind::Set;
    for (int64_t i = 0; i < length; ++i, ++at)
      if (numbered)
        values_[at] = translate(field.kind, values_[at]);
  }
  sink_.append(rank, {functionOf(record.function), values_});
}

} // namespace gnomon::trace
