// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "api/CommTrace.h"

#include "api/Recorder.h"
#include "mpi/RankState.h"
#include "mpi/request/Status.h"
#include "process/burst/Arrivals.h"
#include "support/Format.h"

#include "mpi.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

namespace gnomon::api {

using process::burst::Arrivals;

namespace {

/// Room for `got=` and the longest source, tag and number of bytes.
constexpr size_t GotWidth = 48;

std::string gotText(int64_t source, int64_t tag, int64_t bytes) {
  return fmt::format("got={},{},{}B", source, tag, bytes);
}

bool isOpen(mpi::Request &request) {
  const mpi::Receiving *receive = request.receiving();
  return receive && receive->isOpen();
}

/// The number of a communicator on its rank: world and self have names, the others are counted as
/// the rank meets them first, which is where it made them.
std::string nameOf(mpi::Comm &comm) {
  mpi::RankState &own = mpi::state(comm.owner());
  if (&comm == &*own.world)
    return "world";
  if (&comm == own.selfIfMade())
    return "self";
  if (comm.traceNumber == 0)
    comm.traceNumber = ++own.tracedComms;
  return std::to_string(comm.traceNumber);
}

/// `[80*3,16]`: equal neighbours are counted.
template <class Value> std::string list(int64_t length, Value value, const char *unit) {
  std::string text = "[";
  auto end = std::back_inserter(text);
  for (int64_t i = 0; i < length;) {
    const auto first = value(i);
    int64_t next = i + 1;
    while (next < length && value(next) == first)
      ++next;
    fmt::format_to(end, "{}{}{}", i ? "," : "", first, unit);
    if (next > i + 1)
      fmt::format_to(end, "*{}", next - i);
    i = next;
  }
  return text + "]";
}

} // namespace

/// The line of a call in the trace of communication.
class CommLine {
public:
  explicit CommLine(process::Rank &rank) : rank_(rank), text_(rank.call.function) {}

  void payload(const char *name, const void *buffer, int64_t count, const mpi::Datatype *type);
  void payloads(const char *name, const void *buffer, mpi::Counts counts, const mpi::Datatype *type,
                int length);
  void payloads(const char *name, const void *buffer, mpi::Counts counts, const MPI_Datatype *types,
                int length);
  void number(const char *name, int64_t value);
  void numbers(const char *name, mpi::Counts values, int64_t length);
  void peer(const char *name, int rank);
  void tag(const char *name, int tag);
  void comm(const char *name, const mpi::Comm *comm);
  void op(const char *name, const mpi::Op *op);
  void requests(const char *name, const MPI_Request *handles, int64_t count);
  void newComm(const char *name, MPI_Comm handle);
  void newRequest(const char *name, MPI_Request handle, bool matched);
  void started(std::span<const MPI_Request> handles);
  void got(const MPI_Status &status, bool matched);
  void end(int code);

private:
  void field(const char *name);
  void members(const char *name, const mpi::Members &members);
  void awaitResult(mpi::Request &request);

  process::Rank &rank_;
  std::string text_;
  bool open_ = false; ///< any source or any tag: the result belongs in the line
  /// Places in the text for what requests will have got.
  std::vector<std::pair<mpi::Request *, size_t>> awaited_;
};

CommTrace::CommTrace(process::CallSink &sink) : sink_(sink) {
  running_ = this;
  CallLine::lookWhoListens();
}

CommTrace::~CommTrace() {
  running_ = nullptr;
  CallLine::lookWhoListens();
}

void CommTrace::received(mpi::Request &request) {
  mpi::Receiving &receive = *request.receiving();
  const int64_t bytes =
      static_cast<int64_t>(std::min(receive.result.messageBytes, receive.buffer.bytes));
  std::string text = receive.cancelled ? "got=cancelled"
                                       : gotText(receive.result.source, receive.result.tag, bytes);
  running()->sink_.replace(request.comm->owner().number, receive.tracePlace - 1, text);
  receive.tracePlace = 0;
}

void CommLine::field(const char *name) {
  text_ += ' ';
  text_ += name;
  text_ += '=';
}

void CommLine::payload(const char *name, const void *buffer, int64_t count,
                       const mpi::Datatype *type) {
  field(name);
  if (buffer == MPI_IN_PLACE)
    text_ += "in-place";
  else
    fmt::format_to(std::back_inserter(text_), "{}B", count * type->size());
}

void CommLine::payloads(const char *name, const void *buffer, mpi::Counts counts,
                        const mpi::Datatype *type, int length) {
  field(name);
  if (buffer == MPI_IN_PLACE)
    text_ += "in-place";
  else
    text_ += list(length, [&](int64_t i) { return counts[i] * type->size(); }, "B");
}

void CommLine::payloads(const char *name, const void *buffer, mpi::Counts counts,
                        const MPI_Datatype *types, int length) {
  field(name);
  auto bytes = [&](int64_t i) {
    const mpi::Datatype *type = mpi::find<mpi::Datatype>(rank_, types[i]);
    return counts[i] * (type ? type->size() : 0);
  };
  text_ += buffer == MPI_IN_PLACE ? "in-place" : list(length, bytes, "B");
}

void CommLine::number(const char *name, int64_t value) {
  field(name);
  text_ += std::to_string(value);
}

void CommLine::numbers(const char *name, mpi::Counts values, int64_t length) {
  field(name);
  text_ += list(values ? length : 0, [&](int64_t i) { return values[i]; }, "");
}

void CommLine::peer(const char *name, int rank) {
  field(name);
  text_ += rank == MPI_ANY_SOURCE  ? "any"
           : rank == MPI_PROC_NULL ? "null"
           : rank == MPI_ROOT      ? "root"
                                   : std::to_string(rank);
  open_ |= rank == MPI_ANY_SOURCE;
}

void CommLine::tag(const char *name, int tag) {
  field(name);
  text_ += tag == MPI_ANY_TAG ? "any" : std::to_string(tag);
  open_ |= tag == MPI_ANY_TAG;
}

void CommLine::comm(const char *name, const mpi::Comm *comm) {
  field(name);
  text_ += comm ? nameOf(const_cast<mpi::Comm &>(*comm)) : "null";
}

void CommLine::op(const char *name, const mpi::Op *op) {
  field(name);
  text_ += op->isPredefined() ? op->name() : "user";
}

void CommLine::requests(const char *name, const MPI_Request *handles, int64_t count) {
  field(name);
  auto number = [&](int64_t i) {
    const mpi::Request *request = mpi::find<mpi::Request>(rank_, handles[i]);
    return request ? request->traceNumber : 0;
  };
  text_ += list(count, number, "");
}

void CommLine::members(const char *name, const mpi::Members &members) {
  field(name);
  text_ +=
      list(members.size(), [&](int64_t i) { return members.process(static_cast<int>(i)); }, "");
}

void CommLine::newComm(const char *name, MPI_Comm handle) {
  field(name);
  mpi::Comm *comm = mpi::find<mpi::Comm>(rank_, handle);
  if (!comm) {
    text_ += "null";
    return;
  }
  text_ += nameOf(*comm);
  number("rank", comm->rank());
  members("members", *comm->members());
  if (comm->isInter())
    members("remote", *comm->remoteMembers());
}

void CommLine::awaitResult(mpi::Request &request) {
  text_ += ' ';
  awaited_.emplace_back(&request, text_.size());
  fmt::format_to(std::back_inserter(text_), "{:<{}}", "got=?", GotWidth);
}

void CommLine::newRequest(const char *name, MPI_Request handle, bool matched) {
  mpi::Request *request = mpi::find<mpi::Request>(rank_, handle);
  if (!request)
    return;
  request->traceNumber = ++mpi::state(rank_).tracedRequests;
  if (matched) {
    const mpi::Receiving *receive = request->receiving(); // null: from MPI_PROC_NULL
    peer("source", receive ? receive->pattern.source : MPI_PROC_NULL);
    tag("tag", receive ? receive->pattern.tag : MPI_ANY_TAG);
  }
  number(name, request->traceNumber);
  if (request->active && isOpen(*request))
    awaitResult(*request);
}

void CommLine::started(std::span<const MPI_Request> handles) {
  for (MPI_Request handle : handles)
    if (mpi::Request *request = mpi::find<mpi::Request>(rank_, handle))
      if (request->active && isOpen(*request))
        awaitResult(*request);
}

void CommLine::got(const MPI_Status &status, bool matched) {
  if (open_ || matched)
    text_ += ' ' + gotText(status.MPI_SOURCE, status.MPI_TAG, mpi::statusBytes(status));
}

void CommLine::end(int code) {
  if (code != MPI_SUCCESS)
    number("error", code);
  text_ += '\n';
  const uint64_t place = CommTrace::running()->sink().append(rank_.number, text_);
  for (auto [request, offset] : awaited_)
    request->receiving()->tracePlace = place + offset + 1;
}

namespace {

void received(mpi::Request &request) {
  if (CommTrace::running() && request.receiving()->tracePlace)
    CommTrace::received(request);
  if (Recorder::running() && request.receiving()->recordNumber)
    Recorder::running()->received(request);
}

} // namespace

struct CallLine::State {
  std::optional<CommLine> line;
  RecordLine record;
  bool records = false;  ///< there is a recorder, and nothing() was not said
  State *next = nullptr; ///< that is idle, too
};

void CallLine::lookWhoListens() {
  const bool tells = CommTrace::running() || Recorder::running();
  const Arrivals *arrivals = Arrivals::running();
  countsCalls_ = arrivals && arrivals->followsPolls();
  anyone_ = tells || countsCalls_;
  plainRecorder_ = CommTrace::running() || countsCalls_ ? nullptr : Recorder::running();
  // When the last but one leaves, there may be no ranks any more.
  if (!std::exchange(tells_, tells) && tells)
    mpi::runtime().received = received;
}

void CallLine::begin(process::Rank &rank, Told told) {
  if (countsCalls_ && told == Told::Communication && Arrivals::running())
    Arrivals::running()->called(rank.number);
  Recorder *recorder = Recorder::running();
  const bool writesLine = CommTrace::running() && told == Told::Communication;
  if (!recorder && !writesLine)
    return;
  if (!idle_) [[unlikely]]
    idle_ = new State;
  state_ = std::exchange(idle_, idle_->next);
  state_->records = recorder != nullptr;
  state_->record.begin(recorder, rank); // which takes fields, whether they are wanted or not
  if (writesLine) [[unlikely]]
    state_->line.emplace(rank);
}

void CallLine::discard() {
  if (state_->line) [[unlikely]]
    state_->line.reset();
  // Its address does not stay in the caller's frame (process/ranks/DeadFrames.h).
  State *const state = std::exchange(state_, nullptr);
  state->next = std::exchange(idle_, state);
}

void CallLine::payload(const char *name, const void *buffer, int64_t count,
                       const mpi::Datatype *type) {
  state_->record.payload(name, buffer, count, type);
  if (state_->line) [[unlikely]]
    state_->line->payload(name, buffer, count, type);
}

void CallLine::payloads(const char *name, const void *buffer, mpi::Counts counts,
                        const mpi::Datatype *type, int length) {
  if (state_->records)
    state_->record.payloads(name, buffer, counts, type, length);
  if (state_->line) [[unlikely]]
    state_->line->payloads(name, buffer, counts, type, length);
}

void CallLine::payloads(const char *name, const void *buffer, mpi::Counts counts,
                        const MPI_Datatype *types, int length) {
  if (state_->records)
    state_->record.payloads(name, buffer, counts, types, length);
  if (state_->line) [[unlikely]]
    state_->line->payloads(name, buffer, counts, types, length);
}

void CallLine::number(const char *name, int64_t value) {
  state_->record.number(name, value);
  if (state_->line) [[unlikely]]
    state_->line->number(name, value);
}

void CallLine::numbers(const char *name, mpi::Counts values, int64_t length) {
  if (state_->records)
    state_->record.numbers(name, values, length);
  if (state_->line) [[unlikely]]
    state_->line->numbers(name, values, length);
}

void CallLine::peer(const char *name, int rank) {
  state_->record.peer(name, rank);
  if (state_->line) [[unlikely]]
    state_->line->peer(name, rank);
}

void CallLine::tag(const char *name, int tag) {
  state_->record.tag(name, tag);
  if (state_->line) [[unlikely]]
    state_->line->tag(name, tag);
}

void CallLine::comm(const char *name, const mpi::Comm *comm) {
  if (state_->records)
    state_->record.comm(name, comm);
  if (state_->line) [[unlikely]]
    state_->line->comm(name, comm);
}

void CallLine::op(const char *name, const mpi::Op *op) {
  if (state_->records)
    state_->record.op(name, op);
  if (state_->line) [[unlikely]]
    state_->line->op(name, op);
}

void CallLine::request(const char *name, const MPI_Request *handle) {
  if (state_->records)
    state_->record.request(name, handle);
  if (state_->line) [[unlikely]]
    state_->line->requests(name, handle, 1);
}

void CallLine::requests(const char *name, const MPI_Request *handles, int64_t count) {
  if (state_->records)
    state_->record.requests(name, handles, count);
  if (state_->line) [[unlikely]]
    state_->line->requests(name, handles, count);
}

void CallLine::group(const char *name, const mpi::Group *group) {
  if (state_->records)
    state_->record.members(name, *group->members());
}

void CallLine::more(const char *name, mpi::Counts values, int64_t length) {
  if (state_->records)
    state_->record.numbers(name, values, length);
}

void CallLine::waitsFor(const char *name, const MPI_Request *handle) {
  if (state_->records)
    state_->record.request(name, handle);
}

void CallLine::waitsFor(const char *name, const MPI_Request *handles, int64_t count) {
  if (state_->records)
    state_->record.requests(name, handles, count);
}

void CallLine::waitsForSome(const MPI_Request *handles, int64_t count) {
  if (state_->records)
    state_->record.waits(handles, count);
}

void CallLine::completed(std::span<const int> indices) {
  if (state_->records)
    state_->record.completed(indices);
}

void CallLine::completedAll(int count) {
  std::vector<int> all(static_cast<size_t>(count));
  std::iota(all.begin(), all.end(), 0);
  completed(all);
}

void CallLine::message(const char *name, const mpi::Message *message) {
  if (state_->records)
    state_->record.message(name, message);
}

void CallLine::flag(const char *name, bool value) {
  if (state_->records)
    state_->record.number(name, value);
}

void CallLine::element(const char *name, const mpi::Datatype *type) {
  if (state_->records)
    state_->record.element(name, type);
}

void CallLine::file(const char *name, const mpi::File *file) {
  if (state_->records)
    state_->record.file(name, file);
}

void CallLine::path(const char *name, const char *filename) {
  if (state_->records)
    state_->record.path(name, filename);
}

void CallLine::hints(const char *name, const mpi::Info *info) {
  if (state_->records)
    state_->record.hints(name, info);
}

void CallLine::view(const mpi::File *file, const mpi::Datatype *etype,
                    const mpi::Datatype *filetype, const char *datarep) {
  if (state_->records)
    state_->record.view(*file, *etype, *filetype, datarep);
}

void CallLine::place(const char *name, int64_t value) {
  if (state_->records)
    state_->record.number(name, value);
}

void CallLine::text(const char *name, const char *value) {
  if (state_->records)
    state_->record.text(name, value);
}

void CallLine::spawned(MPI_Comm intercomm, std::span<const MPI_Info> infos) {
  if (state_->records)
    state_->record.spawned(intercomm, infos);
}

void CallLine::newFile(const char *name, MPI_File handle) {
  if (state_->records)
    state_->record.newFile(name, handle);
}

void CallLine::closed(bool closed) {
  if (state_->records && closed)
    state_->record.closed();
}

void CallLine::nothing() { state_->records = false; }

void CallLine::newComm(const char *name, MPI_Comm handle) {
  if (state_->records)
    state_->record.newComm(name, handle);
  if (state_->line) [[unlikely]]
    state_->line->newComm(name, handle);
}

void CallLine::newRequest(const char *name, MPI_Request handle, bool matched) {
  if (state_->records)
    state_->record.newRequest(name, handle);
  if (state_->line) [[unlikely]]
    state_->line->newRequest(name, handle, matched);
}

void CallLine::started(std::span<const MPI_Request> handles) {
  if (state_->line)
    state_->line->started(handles);
}

void CallLine::got(const MPI_Status &status, bool matched) {
  if (state_->records)
    state_->record.got(status);
  if (state_->line) [[unlikely]]
    state_->line->got(status, matched);
}

void CallLine::end(int code) {
  if (state_->records)
    state_->record.end(code);
  if (state_->line) [[unlikely]]
    state_->line->end(code);
}

} // namespace gnomon::api
