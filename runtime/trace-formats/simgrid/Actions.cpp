// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "trace-formats/simgrid/Actions.h"

#include "support/Number.h"
#include "trace-formats/simgrid/Types.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <unordered_map>

namespace gnomon::trace::simgrid {

constexpr double Unknown = std::numeric_limits<double>::quiet_NaN();
/// The largest whole number that a double has exactly: counts may be written as 1e6.
constexpr int64_t MostCount = int64_t{1} << 53;

/// SimGrid's actions. It needs `required` arguments and `perRank` times the number of ranks, and
/// takes `optional` more (and `optionalPerRank`).
struct ActionTable {
  size_t required, perRank, optional, optionalPerRank;
  Actions::Handler handler;

  static const ActionTable *find(std::string_view name) {
    static const std::unordered_map<std::string_view, ActionTable> table = {
        {"init", {0, 0, 1, 0, &Actions::begin}},
        {"finalize", {0, 0, 0, 0, &Actions::end}},
        {"comm_size", {0, 0, 1, 0, &Actions::communicator}},
        {"comm_split", {0, 0, 1, 0, &Actions::communicator}},
        {"comm_dup", {0, 0, 1, 0, &Actions::communicator}},
        {"send", {3, 0, 1, 0, &Actions::send}},
        {"isend", {3, 0, 1, 0, &Actions::isend}},
        {"recv", {3, 0, 1, 0, &Actions::receive}},
        {"irecv", {3, 0, 1, 0, &Actions::ireceive}},
        {"test", {3, 0, 0, 0, &Actions::test}},
        {"sendRecv", {6, 0, 0, 0, &Actions::sendReceive}},
        {"wait", {3, 0, 0, 0, &Actions::wait}},
        {"waitall", {0, 0, 1, 0, &Actions::waitAll}}, // SMPI writes their number
        {"barrier", {0, 0, 0, 0, &Actions::barrier}},
        {"bcast", {1, 0, 2, 0, &Actions::broadcast}},
        {"reduce", {2, 0, 2, 0, &Actions::reduce}},
        {"allreduce", {2, 0, 1, 0, &Actions::allreduce}},
        {"alltoall", {2, 0, 2, 0, &Actions::alltoall}},
        {"alltoallv", {2, 2, 2, 0, &Actions::alltoallV}},
        {"gather", {2, 0, 3, 0, &Actions::gather}},
        {"scatter", {2, 0, 3, 0, &Actions::scatter}},
        {"gatherv", {1, 1, 3, 0, &Actions::gatherV}},
        {"scatterv", {1, 1, 3, 0, &Actions::scatterV}},
        {"allgather", {2, 0, 2, 0, &Actions::allgather}},
        {"allgatherv", {1, 1, 2, 1, &Actions::allgatherV}},
        {"reducescatter", {1, 1, 1, 0, &Actions::reduceScatter}},
        {"scan", {2, 0, 1, 0, &Actions::scan}},
        {"exscan", {2, 0, 1, 0, &Actions::exscan}},
        {"compute", {1, 0, 0, 0, &Actions::compute}},
        {"sleep", {1, 0, 0, 0, &Actions::sleep}},
        {"location", {2, 0, 0, 0, &Actions::location}},
    };
    const auto found = table.find(name);
    return found == table.end() ? nullptr : &found->second;
  }
};

bool isAction(std::string_view name) { return ActionTable::find(name) != nullptr; }

Actions::Actions(Sink &sink, uint32_t ranks, Losses &losses)
    : sink_(sink), ranks_(ranks), losses_(losses), noOperation_(sink_.text("MPI_OP_NULL")),
      ofRank_(ranks) {}

void Actions::take(const LineReader &reader, const std::vector<std::string_view> &words) {
  int64_t rank = 0;
  if (!readInteger(words[0], 0, int64_t{ranks_} - 1, rank))
    reader.fail(
        fmt::format("{} is no rank: a line is 'rank action arguments', with ranks from 0 to {}",
                    quoted(words[0]), ranks_ - 1));
  if (words.size() < 2)
    reader.fail("the line ends before its action");
  const ActionTable *action = ActionTable::find(words[1]);
  if (!action)
    reader.fail(fmt::format("SimGrid has no action {}", quoted(words[1])));
  const Line line{reader, words, static_cast<uint32_t>(rank), ofRank_[static_cast<size_t>(rank)]};
  const size_t required = action->required + action->perRank * ranks_;
  if (line.arguments() < required)
    line.fail(fmt::format("'{}' needs {} arguments on {} ranks and has {}", words[1], required,
                          ranks_, line.arguments()));
  if (line.arguments() > required + action->optional + action->optionalPerRank * ranks_)
    losses_.add(fmt::format("more arguments than '{}' has, which SimGrid does not read", words[1]));
  if (line.of.ended)
    line.fail(fmt::format("rank {} has ended by 'finalize' before", rank));
  if (!line.of.begun && action->handler != &Actions::begin)
    line.fail(fmt::format("rank {} does not begin with 'init', which says what its default type is",
                          rank));
  (this->*action->handler)(line);
}

void Actions::finish(uint32_t rank, const LineReader &reader) const {
  if (!ofRank_[rank].begun)
    reader.fail(fmt::format("there is no line of rank {}", rank));
  if (!ofRank_[rank].ended)
    reader.fail(fmt::format("rank {} ends without 'finalize': the trace is cut short", rank));
}

//===--------------------------------------- arguments ----------------------------------------===//

int64_t Actions::integer(const Line &line, size_t argument, const char *what, int64_t least,
                         int64_t most) const {
  int64_t value = 0;
  if (!readInteger(line.words[2 + argument], least, most, value))
    line.fail(fmt::format("{} is no {}", quoted(line.words[2 + argument]), what));
  return value;
}

int64_t Actions::count(const Line &line, size_t argument, int64_t least) const {
  const std::string_view word = line.words[2 + argument];
  int64_t value = 0;
  if (readInteger(word, least, MostCount, value))
    return value;
  try {
    const double real = parseNumber(word);
    if (real <= static_cast<double>(MostCount))
      return static_cast<int64_t>(real); // truncated, as SimGrid does
  } catch (const NumberError &) {
    // reported below
  }
  line.fail(fmt::format("{} is no number of elements", quoted(word)));
}

double Actions::volume(const Line &line, size_t argument, const char *what) const {
  try {
    return parseNumber(line.words[2 + argument]);
  } catch (const NumberError &error) {
    line.fail(fmt::format("{}: {}", what, error.what()));
  }
}

int64_t Actions::peer(const Line &line, size_t argument) const {
  int64_t value = 0;
  if (readInteger(line.words[2 + argument], 0, int64_t{ranks_} - 1, value))
    return value;
  if (readInteger(line.words[2 + argument], AnySource, AnySource, value))
    return AnyPeer;
  if (readInteger(line.words[2 + argument], ProcNull, ProcNull, value))
    return NullPeer;
  line.fail(fmt::format("{} is no rank: there are {}", quoted(line.words[2 + argument]), ranks_));
}

int64_t Actions::tag(const Line &line, size_t argument) const {
  int64_t value = 0;
  if (readInteger(line.words[2 + argument], AnyTagText, AnyTagText, value))
    return AnyTag;
  return integer(line, argument, "tag", 0, std::numeric_limits<int32_t>::max());
}

int64_t Actions::root(const Line &line, size_t argument) const {
  return argument < line.arguments() ? integer(line, argument, "root", 0, int64_t{ranks_} - 1) : 0;
}

int64_t Actions::elementSize(const Line &line, size_t argument) const {
  if (argument >= line.arguments())
    return line.of.defaultSize;
  const std::optional<int64_t> size = sizeOfType(integer(line, argument, "type", 0, MostCount));
  if (!size)
    line.fail(fmt::format("SimGrid has no type {}", line.words[2 + argument]));
  return *size;
}

void Actions::appendCounts(const Line &line, size_t argument) {
  values_.push_back(ranks_);
  for (size_t i = 0; i < ranks_; ++i)
    values_.push_back(integer(line, argument + i, "number of elements", 0, MostCount));
}

//===--------------------------------- computation and others ---------------------------------===//

void Actions::begin(const Line &line) {
  if (line.of.begun)
    line.fail(fmt::format("a second 'init' of rank {}", line.rank));
  line.of.begun = true;
  line.of.defaultSize = *sizeOfType(line.arguments() > 0 ? DoubleType : ByteType);
  sink_.append(line.rank, Call::Init, {});
}

void Actions::end(const Line &line) {
  if (!line.of.pending.empty()) // SimGrid waits for what is left at the end
    waitAll(line);
  line.of.ended = true;
  sink_.append(line.rank, Call::Finalize, {});
}

void Actions::communicator(const Line &line) {
  losses_.add(fmt::format(
      "'{}': SimGrid's replay does nothing there, all is done in MPI_COMM_WORLD", line.words[1]));
}

void Actions::compute(const Line &line) {
  sink_.compute(line.rank, line.of.location, volume(line, 0, "operations"), Unknown);
}

void Actions::sleep(const Line &line) {
  sink_.append(line.rank, Call::Sleep, {realBits(volume(line, 0, "seconds"))});
}

void Actions::location(const Line &line) {
  line.of.location = fmt::format("{}:{}", line.words[2], integer(line, 1, "line", 0, MostCount));
}

/// The operations of a reduction, which SimGrid has in the reduction's line, are a computation of
/// the function's name.
void Actions::operations(const Line &line, Call call, size_t argument) {
  const double operations = volume(line, argument, "operations");
  if (operations > 0)
    sink_.compute(line.rank, functionOf(call).name, operations, Unknown);
}

//===------------------------------------- point to point -------------------------------------===//

void Actions::send(const Line &line) {
  sink_.append(line.rank, Call::Send,
               {count(line, 2), elementSize(line, 3), peer(line, 0), tag(line, 1), World});
}

/// A negative count: whatever comes, which SimGrid finds by a probe.
void Actions::receive(const Line &line) {
  const int64_t source = peer(line, 0), tagged = tag(line, 1);
  int64_t elements = count(line, 2, -MostCount);
  if (elements < 0) {
    elements = Absent;
    sink_.append(line.rank, Call::Probe, {source, tagged, World});
  }
  sink_.append(line.rank, Call::Recv, {elements, elementSize(line, 3), source, tagged, World});
}

void Actions::isend(const Line &line) {
  const int64_t slot = line.of.slots.take();
  const int64_t dest = peer(line, 0), tagged = tag(line, 1);
  line.of.pending[{line.rank, dest, tagged}].push_back(slot);
  sink_.append(line.rank, Call::Isend,
               {count(line, 2), elementSize(line, 3), dest, tagged, World, slot});
}

void Actions::ireceive(const Line &line) {
  const int64_t slot = line.of.slots.take();
  const int64_t source = peer(line, 0), tagged = tag(line, 1);
  int64_t elements = count(line, 2, -MostCount);
  if (elements < 0) {
    elements = Absent;
    sink_.append(line.rank, Call::Probe, {source, tagged, World});
  }
  line.of.pending[{source, line.rank, tagged}].push_back(slot);
  sink_.append(line.rank, Call::Irecv,
               {elements, elementSize(line, 3), source, tagged, World, slot});
}

void Actions::sendReceive(const Line &line) {
  constexpr int64_t Tag = 0; // SimGrid's
  sink_.append(line.rank, Call::Sendrecv,
               {count(line, 0), elementSize(line, 4), peer(line, 1), Tag, count(line, 2),
                elementSize(line, 5), peer(line, 3), Tag, World});
}

/// The requests of the sender, receiver and tag that a line names; end(): there are none (any
/// more).
Actions::Pending::iterator Actions::pendingOf(const Line &line) {
  const int64_t source = peer(line, 0), dest = peer(line, 1), tagged = tag(line, 2);
  Pending &pending = line.of.pending;
  if (pending.empty())
    line.fail(fmt::format("'{}' on rank {}, which has no open request", line.words[1], line.rank));
  for (const Key &key : {Key{source, dest, tagged}, Key{AnyPeer, dest, tagged},
                         Key{source, dest, AnyTag}, Key{AnyPeer, dest, AnyTag}})
    if (const auto found = pending.find(key); found != pending.end())
      return found;
  losses_.add(fmt::format("'{}' for a request that is not open, which SimGrid takes for completed",
                          line.words[1]));
  return pending.end();
}

/// What a test found depends on time. Here none has found anything; the wait that follows does.
void Actions::test(const Line &line) {
  if (const auto found = pendingOf(line); found != line.of.pending.end())
    sink_.append(line.rank, Call::Test, {found->second.front(), 0});
}

void Actions::wait(const Line &line) {
  const auto found = pendingOf(line);
  if (found == line.of.pending.end())
    return;
  const int64_t slot = found->second.front();
  found->second.pop_front();
  if (found->second.empty())
    line.of.pending.erase(found);
  line.of.slots.give(slot);
  sink_.append(line.rank, Call::Wait, {slot});
}

/// For every open request of the rank; nothing where there is none.
void Actions::waitAll(const Line &line) {
  values_.assign(1, 0);
  for (const auto &[key, slots] : line.of.pending)
    values_.insert(values_.end(), slots.begin(), slots.end());
  if (values_.size() == 1)
    return;
  std::sort(values_.begin() + 1, values_.end());
  values_[0] = static_cast<int64_t>(values_.size() - 1);
  for (size_t i = 1; i < values_.size(); ++i)
    line.of.slots.give(values_[i]);
  line.of.pending.clear();
  sink_.append(line.rank, Call::Waitall, values_);
}

} // namespace gnomon::trace::simgrid
