// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Actions' collectives, which are all in MPI_COMM_WORLD.
#include "trace-formats/simgrid/Actions.h"

namespace gnomon::trace::simgrid {

void Actions::barrier(const Line &line) { sink_.append(line.rank, Call::Barrier, {World}); }

void Actions::broadcast(const Line &line) {
  sink_.append(line.rank, Call::Bcast,
               {count(line, 0), elementSize(line, 2), root(line, 1), World});
}

void Actions::reduce(const Line &line) {
  const int64_t elements = count(line, 0), size = elementSize(line, 3), to = root(line, 2);
  const bool here = to == line.rank;
  sink_.append(
      line.rank, Call::Reduce,
      {elements, size, here ? elements : Absent, here ? size : 0, noOperation_, to, World});
  operations(line, Call::Reduce, 1);
}

void Actions::reduceAll(const Line &line, Call call) {
  const int64_t elements = count(line, 0), size = elementSize(line, 2);
  sink_.append(line.rank, call, {elements, size, elements, size, noOperation_, World});
  operations(line, call, 1);
}

void Actions::reduceScatter(const Line &line) {
  const int64_t size = elementSize(line, 1 + ranks_);
  values_.clear();
  for (int buffer = 0; buffer < 2; ++buffer) {
    appendCounts(line, 0);
    values_.push_back(size);
  }
  values_.insert(values_.end(), {noOperation_, World});
  sink_.append(line.rank, Call::ReduceScatter, values_);
  operations(line, Call::ReduceScatter, ranks_);
}

void Actions::bothCounts(const Line &line, Call call) {
  sink_.append(line.rank, call,
               {count(line, 0), elementSize(line, 2), count(line, 1), elementSize(line, 3), World});
}

void Actions::gather(const Line &line) {
  const int64_t to = root(line, 2);
  const bool here = to == line.rank;
  const int64_t received = count(line, 1), size = elementSize(line, 4);
  sink_.append(
      line.rank, Call::Gather,
      {count(line, 0), elementSize(line, 3), here ? received : Absent, here ? size : 0, to, World});
}

void Actions::scatter(const Line &line) {
  const int64_t from = root(line, 2);
  const bool here = from == line.rank;
  const int64_t sent = count(line, 0), size = elementSize(line, 3);
  sink_.append(
      line.rank, Call::Scatter,
      {here ? sent : Absent, here ? size : 0, count(line, 1), elementSize(line, 4), from, World});
}

void Actions::gatherV(const Line &line) {
  const int64_t to = root(line, 1 + ranks_), size = elementSize(line, 3 + ranks_);
  values_ = {count(line, 0), elementSize(line, 2 + ranks_)};
  const size_t lists = values_.size();
  appendCounts(line, 1);
  if (to != line.rank) {
    values_.resize(lists);
    values_.push_back(0);
  }
  values_.insert(values_.end(), {to == line.rank ? size : 0, to, World});
  sink_.append(line.rank, Call::Gatherv, values_);
}

/// Displacements may follow, with types before them or without; they cost nothing.
void Actions::allgatherV(const Line &line) {
  const size_t behind = line.arguments() - 1 - ranks_;
  const bool typed = behind <= 2 || behind > ranks_;
  const size_t type = 1 + ranks_;
  const int64_t sendSize = typed ? elementSize(line, type) : line.of.defaultSize;
  const int64_t receiveSize = typed ? elementSize(line, type + 1) : line.of.defaultSize;
  values_ = {count(line, 0), sendSize};
  appendCounts(line, 1);
  values_.insert(values_.end(), {receiveSize, World});
  sink_.append(line.rank, Call::Allgatherv, values_);
}

void Actions::scatterV(const Line &line) {
  const int64_t from = root(line, 1 + ranks_), size = elementSize(line, 2 + ranks_);
  values_.clear();
  appendCounts(line, 0);
  if (from != line.rank)
    values_ = {0};
  values_.insert(values_.end(), {from == line.rank ? size : 0, count(line, ranks_),
                                 elementSize(line, 3 + ranks_), from, World});
  sink_.append(line.rank, Call::Scatterv, values_);
}

/// The sizes of the buffers, which stand before the counts, cost nothing.
void Actions::alltoallV(const Line &line) {
  count(line, 0);
  count(line, 1 + ranks_);
  values_.clear();
  appendCounts(line, 1);
  values_.push_back(elementSize(line, 2 + 2 * size_t{ranks_}));
  appendCounts(line, 2 + ranks_);
  values_.insert(values_.end(), {elementSize(line, 3 + 2 * size_t{ranks_}), World});
  sink_.append(line.rank, Call::Alltoallv, values_);
}

} // namespace gnomon::trace::simgrid
