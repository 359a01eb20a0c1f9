// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "trace-formats/dimemas/Records.h"

#include "support/Number.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>

namespace gnomon::trace::dimemas {
namespace {

enum Operation : int64_t {
  Noop = 0,
  Burst = 1,
  Send = 2,
  Receive = 3,
  Global = 10,
  Gpu = 11,
  Event = 20
};

/// Dimemas numbers collectives; 16 more is the nonblocking one.
enum Collective : int64_t {
  Barrier = 0,
  Bcast = 1,
  Gather = 2,
  Gatherv = 3,
  Scatter = 4,
  Scatterv = 5,
  Allgather = 6,
  Allgatherv = 7,
  Alltoall = 8,
  Alltoallv = 9,
  Reduce = 10,
  Allreduce = 11,
  ReduceScatter = 12,
  ReduceScatterBlock = 13,
  Scan = 14,
  Alltoallw = 15,
  Collectives = 16,
};
constexpr int64_t MostBytes = int64_t{1} << 60;

/// In a line of a collective.
enum Field : size_t {
  WhichField = 3,
  CommField = 4,
  RootField = 5,
  SentField = 7,
  ReceivedField = 8,
  SyncField = 9
};

bool isRooted(int64_t which) { return (which >= Bcast && which <= Scatterv) || which == Reduce; }

/// Whether the line says of its own task that it is the root, and not who is.
bool hasFlag(const Line &line, int64_t which) {
  return which != Reduce && line.fields.size() > SyncField;
}

int64_t rankOf(const Communicator &communicator, uint32_t task) {
  if (communicator.rankOf.empty())
    return task < communicator.size() ? int64_t{task} : -1;
  const auto found = communicator.rankOf.find(task);
  return found == communicator.rankOf.end() ? -1 : int64_t{found->second};
}

} // namespace

Line readLine(const LineReader &reader, const std::vector<std::string_view> &fields,
              const Header &header) {
  Line line{reader, fields};
  if (fields.size() < 3)
    reader.fail("a record is operation:task:thread:…");
  line.operation = number(line, 0, "operation", 0, 1000);
  line.task = static_cast<uint32_t>(number(line, 1, "task", 0, int64_t{header.tasks} - 1));
  number(line, 2, "thread of the task, which has one", 0, 0);
  return line;
}

int64_t number(const Line &line, size_t field, const char *what, int64_t least, int64_t most) {
  int64_t value = 0;
  if (field >= line.fields.size())
    line.reader.fail(fmt::format("the record ends before its {}", what));
  if (!readInteger(line.fields[field], least, most, value))
    line.reader.fail(fmt::format("{} is no {}", quoted(line.fields[field]), what));
  return value;
}

/// Communicator 0 is that of all tasks where none is defined as such.
const Communicator &communicatorOf(const Line &line, size_t field, const Header &header) {
  const int64_t id = number(line, field, "communicator", 0, INT64_MAX);
  const auto found = header.communicators.find(id);
  if (found == header.communicators.end())
    line.reader.fail(fmt::format("there is no communicator {}", id));
  return found->second;
}

//===----------------------------------------- roots ------------------------------------------===//

void Roots::see(const Line &line, const Header &header) {
  const int64_t which =
      number(line, WhichField, "collective", 0, 2 * Collectives - 1) % Collectives;
  if (line.operation != Global || !isRooted(which) || !hasFlag(line, which))
    return;
  if (line.fields[SyncField] == "2") // a wait
    return;
  const int64_t id = number(line, CommField, "communicator", 0, INT64_MAX);
  const uint64_t count = counts_[{line.task, id}]++;
  if (number(line, RootField, "flag of a root", 0, INT32_MAX) == 0)
    return;
  if (!roots_.try_emplace({id, count}, line.task).second)
    line.reader.fail(
        fmt::format("another task is the root of this collective, too: number {} with a "
                    "root of communicator {}",
                    count, id));
}

int64_t Roots::rootOf(const Line &line, const Header &header) {
  const int64_t which =
      number(line, WhichField, "collective", 0, 2 * Collectives - 1) % Collectives;
  const Communicator &communicator = communicatorOf(line, CommField, header);
  if (!hasFlag(line, which)) {
    if (line.fields.size() <= SyncField) // Extrae's: a rank
      return number(line, RootField, "root", 0, int64_t{communicator.size()} - 1);
    const int64_t root = number(line, RootField, "root", 0, int64_t{header.tasks} - 1);
    if (rankOf(communicator, static_cast<uint32_t>(root)) < 0)
      line.reader.fail(fmt::format("task {}, the root, is not in the communicator", root));
    return rankOf(communicator, static_cast<uint32_t>(root));
  }
  const int64_t id = number(line, CommField, "communicator", 0, INT64_MAX);
  const uint64_t count = counts_[{line.task, id}]++;
  const auto found = roots_.find({id, count});
  if (found == roots_.end() || rankOf(communicator, found->second) < 0)
    line.reader.fail(fmt::format("no task is the root of this collective: number {} with a root of "
                                 "communicator {}",
                                 count, id));
  return rankOf(communicator, found->second);
}

//===---------------------------------------- records -----------------------------------------===//

void Records::take(const Line &line) {
  Task &task = ofTask_[line.task];
  switch (line.operation) {
  case Noop:
    return;
  case Burst:
    return burst(line, task);
  case Send:
    return send(line, task);
  case Receive:
    return receive(line, task);
  case Global:
    return collective(line, task);
  case Event:
    return event(line, task);
  case Gpu:
    line.reader.fail("bursts of accelerators have no place in a trace of ranks");
  default:
    line.reader.fail(fmt::format("Dimemas has no operation {}", line.operation));
  }
}

void Records::burst(const Line &line, Task &task) {
  double seconds = 0;
  try {
    seconds = line.fields.size() > 3 ? parseNumber(line.fields[3]) : parseNumber("");
  } catch (const NumberError &error) {
    line.reader.fail(fmt::format("a burst's seconds: {}", error.what()));
  }
  const std::string name =
      task.events.empty()
          ? ""
          : fmt::format("event {}:{}", task.events.back().first, task.events.back().second);
  if (seconds > 0)
    sink_.compute(line.task, name, std::numeric_limits<double>::quiet_NaN(), seconds);
}

/// The user's functions and clusters of bursts name what is computed in them; all else is for
/// Paraver.
void Records::event(const Line &line, Task &task) {
  const int64_t type = number(line, 3, "type of an event", 0, INT64_MAX);
  const int64_t value = number(line, 4, "value of an event", INT64_MIN, INT64_MAX);
  constexpr int64_t FirstOfUser = 60000000, LastOfUser = 60999999, Cluster = 90000001;
  if ((type < FirstOfUser || type > LastOfUser) && type != Cluster)
    return;
  if (value != 0) {
    task.events.emplace_back(type, value);
    return;
  }
  const auto last = std::find_if(task.events.rbegin(), task.events.rend(),
                                 [type](const auto &event) { return event.first == type; });
  if (last != task.events.rend())
    task.events.erase(std::next(last).base());
}

/// A message's lines: partner[:thread]:bytes:tag:communicator:kind.
int64_t Records::partner(const Line &line, const Communicator &communicator) const {
  const int64_t task = number(line, 3, "task", -1, int64_t{header_.tasks} - 1);
  if (task < 0)
    return AnyPeer;
  const int64_t rank = rankOf(communicator, static_cast<uint32_t>(task));
  if (rank < 0)
    line.reader.fail(fmt::format("task {} is not in the communicator", task));
  return rank;
}

void Records::send(const Line &line, Task &task) {
  const size_t at = line.fields.size() > 8 ? 5 : 4;
  const int64_t bytes = number(line, at, "number of bytes", 0, MostBytes);
  const int64_t tag = number(line, at + 1, "tag", 0, INT32_MAX);
  const Communicator &communicator = communicatorOf(line, at + 2, header_);
  const int64_t kind = number(line, at + 3, "kind of a message: 0 to 3", 0, 3);
  const int64_t dest = partner(line, communicator);
  if (dest == AnyPeer)
    line.reader.fail("a message to any task");
  constexpr int64_t Immediate = 2;
  if (kind < Immediate)
    return sink_.append(line.task, Call::Send, {bytes, 1, dest, tag, communicator.row});
  // Nothing waits for it.
  const int64_t slot = task.slots.take();
  sink_.append(line.task, Call::Isend, {bytes, 1, dest, tag, communicator.row, slot});
  sink_.append(line.task, Call::RequestFree, {slot});
  task.slots.give(slot);
}

void Records::receive(const Line &line, Task &task) {
  const size_t at = line.fields.size() > 8 ? 5 : 4;
  const int64_t bytes = number(line, at, "number of bytes", 0, MostBytes);
  const int64_t tag = number(line, at + 1, "tag", AnyTag, INT32_MAX);
  const Communicator &communicator = communicatorOf(line, at + 2, header_);
  const int64_t kind = number(line, at + 3, "kind of a receive: 0 to 2", 0, 2);
  const int64_t source = partner(line, communicator);
  const Key key{source, tag, communicator.row};
  if (kind == 0)
    return sink_.append(line.task, Call::Recv, {bytes, 1, source, tag, communicator.row});
  if (kind == 2)
    return wait(line, task, task.receives, key);
  const int64_t slot = task.slots.take();
  task.receives[key].push_back(slot);
  sink_.append(line.task, Call::Irecv, {bytes, 1, source, tag, communicator.row, slot});
}

void Records::wait(const Line &line, Task &task, Open &open, const Key &key) {
  const auto found = open.find(key);
  if (found == open.end())
    line.reader.fail(fmt::format("task {} waits for what it has not begun", line.task));
  const int64_t slot = found->second.front();
  found->second.pop_front();
  if (found->second.empty())
    open.erase(found);
  task.slots.give(slot);
  sink_.append(line.task, Call::Wait, {slot});
}

void Records::finish() {
  std::vector<int64_t> values;
  for (uint32_t rank = 0; rank < ofTask_.size(); ++rank) {
    values.assign(1, 0);
    for (const Open *open : {&ofTask_[rank].receives, &ofTask_[rank].collectives})
      for (const auto &[key, slots] : *open)
        values.insert(values.end(), slots.begin(), slots.end());
    if (values.size() == 1)
      continue;
    std::sort(values.begin() + 1, values.end());
    values[0] = static_cast<int64_t>(values.size() - 1);
    sink_.append(rank, Call::Waitall, values);
  }
}

//===-------------------------------------- collectives ---------------------------------------===//

void Records::collective(const Line &line, Task &task) {
  const int64_t number16 = number(line, WhichField, "collective", 0, 2 * Collectives - 1);
  const int64_t which = number16 % Collectives;
  const Communicator &communicator = communicatorOf(line, CommField, header_);
  if (rankOf(communicator, line.task) < 0)
    line.reader.fail(fmt::format("task {} is not in the communicator", line.task));
  constexpr int64_t Async = 0, Waits = 2;
  const int64_t kind = line.fields.size() > SyncField
                           ? number(line, SyncField, "kind of a collective: 0 to 3", 0, 3)
                           : 1;
  const Key key{which, 0, communicator.row};
  if (kind == Waits)
    return wait(line, task, task.collectives, key);
  int64_t slot = 0;
  if (kind == Async || number16 >= Collectives) {
    slot = task.slots.take();
    task.collectives[key].push_back(slot);
  }
  write(line, which, slot);
}

namespace {

struct Names {
  Call blocking, nonblocking;
  bool approximate; ///< Dimemas knows less than MPI: all shares are taken as equal
};

Names namesOf(int64_t which) {
  switch (which) {
  case Barrier:
    return {Call::Barrier, Call::Ibarrier, false};
  case Bcast:
    return {Call::Bcast, Call::Ibcast, false};
  case Gather:
  case Gatherv:
    return {Call::Gather, Call::Igather, which == Gatherv};
  case Scatter:
  case Scatterv:
    return {Call::Scatter, Call::Iscatter, which == Scatterv};
  case Allgather:
  case Allgatherv:
    return {Call::Allgather, Call::Iallgather, which == Allgatherv};
  case Alltoall:
  case Alltoallv:
  case Alltoallw:
    return {Call::Alltoall, Call::Ialltoall, which != Alltoall};
  case Reduce:
    return {Call::Reduce, Call::Ireduce, false};
  case Allreduce:
    return {Call::Allreduce, Call::Iallreduce, false};
  case Scan:
    return {Call::Scan, Call::Iscan, false};
  default:
    return {Call::ReduceScatterBlock, Call::IreduceScatterBlock, which == ReduceScatter};
  }
}

} // namespace

/// Writes the call. A line says what its task sent and received in all; of an all-to-all, what it
/// sent to each.
void Records::write(const Line &line, int64_t which, int64_t slot) {
  const Communicator &communicator = communicatorOf(line, CommField, header_);
  const int64_t sent = number(line, SentField, "number of bytes", 0, MostBytes);
  const int64_t received = number(line, ReceivedField, "number of bytes", 0, MostBytes);
  const int64_t most = std::max(sent, received), size = communicator.size();
  const int64_t root = isRooted(which) ? roots_.rootOf(line, header_) : -1;
  const bool here = root == rankOf(communicator, line.task);
  const auto [blocking, nonblocking, approximate] = namesOf(which);
  if (approximate)
    losses_.add(
        fmt::format("{} of different shares: Dimemas knows their sum, all are taken as equal",
                    functionOf(blocking).name));
  std::vector<int64_t> values;
  const auto buffer = [&](int64_t bytes, bool counts = true) {
    values.insert(values.end(), {counts ? bytes : Absent, counts ? 1 : 0});
  };
  if (which == Bcast) {
    buffer(most);
  } else if (which == Gather || which == Gatherv) {
    buffer(sent);
    buffer(received / size, here);
  } else if (which == Scatter || which == Scatterv) {
    buffer(sent / size, here);
    buffer(received);
  } else if (which == Allgather || which == Allgatherv) {
    buffer(sent);
    buffer(received / size);
  } else if (which == Alltoall || which == Alltoallv || which == Alltoallw) {
    buffer(received / size);
    buffer(received / size);
  } else if (which == ReduceScatter || which == ReduceScatterBlock) {
    buffer(received);
    buffer(received);
  } else if (which != Barrier) {
    buffer(most);
    buffer(most, which != Reduce || here);
  }
  if (which >= Reduce && which <= Scan)
    values.push_back(noOperation_);
  if (root >= 0)
    values.push_back(root);
  values.push_back(communicator.row);
  if (slot != 0)
    values.push_back(slot);
  sink_.append(line.task, slot != 0 ? nonblocking : blocking, values);
}

} // namespace gnomon::trace::dimemas
