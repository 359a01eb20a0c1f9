// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Line.h"

#include "Standard.h"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <numeric>
#include <string_view>

namespace gnomon::acquisition {

using trace::Kind;

namespace {

/// How deep the thread is in MPI.
[[gnu::tls_model("initial-exec")]] thread_local int depth = 0;
/// Never freed: a thread may call MPI while it ends.
[[gnu::tls_model("initial-exec")]] thread_local Line *threadLine = nullptr;

Line &freshLine(const char *function) {
  if (!threadLine)
    threadLine = new Line;
  Line &line = *threadLine;
  line.form.name = function;
  line.form.fields.clear();
  line.values.clear();
  line.before.clear();
  line.slots.clear();
  line.held.clear();
  line.handles = line.made = nullptr;
  line.isOpen = line.awaits = line.isNothing = false;
  line.source = line.tag = SIZE_MAX;
  return line;
}

int64_t peerOf(int rank) {
  return rank == MPI_ANY_SOURCE  ? trace::AnyPeer
         : rank == MPI_PROC_NULL ? trace::NullPeer
         : rank == MPI_ROOT      ? trace::RootPeer
                                 : rank;
}

int64_t tagOf(int tag) { return tag == MPI_ANY_TAG ? trace::AnyTag : tag; }

} // namespace

Call::Call(const char *function) : tracer_(Tracer::ofProcess()), isOutermost_(depth++ == 0) {
  if (!isOutermost_ || !tracer_.isRecording())
    return;
  lock_ = std::unique_lock(tracer_.mutex());
  tracer_.entered();
  line_ = &freshLine(function);
}

Call::~Call() {
  if (line_) {
    if (!lock_.owns_lock())
      lock_.lock();
    tracer_.left();
  }
  --depth;
}

Aside::Aside() : isOutermost_(depth++ == 0 && Tracer::ofProcess().isRecording()) {
  if (!isOutermost_)
    return;
  const std::lock_guard lock(Tracer::ofProcess().mutex());
  Tracer::ofProcess().entered();
}

Aside::~Aside() {
  if (isOutermost_) {
    const std::lock_guard lock(Tracer::ofProcess().mutex());
    Tracer::ofProcess().left();
  }
  --depth;
}

void *realFunction(const char *name) {
  if (void *function = dlsym(RTLD_NEXT, name))
    return function;
  std::fprintf(
      stderr,
      "gnomon-trace: no %s behind this library: is the program linked with another MPI, or "
      "this library behind it?\n",
      name);
  std::abort();
}

void Call::field(const char *name, Kind kind, int64_t value) {
  line_->form.fields.emplace_back(name, static_cast<uint8_t>(kind));
  line_->values.push_back(value);
}

/// The length of a list, whose elements follow.
void Call::list(const char *name, Kind kind, int64_t length) {
  line_->form.fields.emplace_back(name, static_cast<uint8_t>(kind) | ListBit);
  line_->values.push_back(length);
}

int64_t Call::bytesOf(MPI_Datatype type) {
  MPI_Count bytes = 0;
  if (type == MPI_DATATYPE_NULL || PMPI_Type_size_x(type, &bytes) != MPI_SUCCESS)
    return 0;
  return bytes;
}

void Call::payload(const char *name, const void *buffer, int64_t count, MPI_Datatype type) {
  field(name, Kind::Count, buffer == MPI_IN_PLACE ? trace::InPlace : count);
  field(name, Kind::Size, buffer == MPI_IN_PLACE ? 0 : bytesOf(type));
}

void Call::numbers(const char *name, const int *values, int64_t length) {
  list(name, Kind::Number, values ? length : 0);
  if (values)
    line_->values.insert(line_->values.end(), values, values + length);
}

void Call::element(const char *name, MPI_Datatype type) { field(name, Kind::Size, bytesOf(type)); }

void Call::peer(const char *name, int rank) {
  if (rank == MPI_ANY_SOURCE || std::string_view(name) == "source")
    line_->source = line_->values.size();
  line_->isOpen |= rank == MPI_ANY_SOURCE;
  field(name, Kind::Peer, peerOf(rank));
}

void Call::tag(const char *name, int tag) {
  line_->tag = line_->values.size();
  line_->isOpen |= tag == MPI_ANY_TAG;
  field(name, Kind::Tag, tagOf(tag));
}

void Call::comm(const char *name, MPI_Comm comm) {
  field(name, Kind::Comm, tracer_.communicators().rowOf(comm));
}

void Call::op(const char *name, MPI_Op op) {
  field(name, Kind::Text, tracer_.sink().text(nameOf(op)));
}

void Call::group(const char *name, MPI_Group group) {
  field(name, Kind::Set, tracer_.sink().set(processesOf(group)));
}

void Call::message(const char *, MPI_Message message) {
  const auto known = tracer_.messages().find(message);
  const bool isKnown = known != tracer_.messages().end();
  field("source", Kind::Peer, isKnown ? known->second.source : trace::NullPeer);
  field("tag", Kind::Tag, isKnown ? known->second.tag : trace::AnyTag);
  field("comm", Kind::Comm, isKnown ? known->second.comm : trace::NullRow);
  if (isKnown)
    tracer_.messages().erase(known);
}

int64_t Call::windowNumber(MPI_Win win) { return tracer_.windows().numberOf(win); }

void Call::waitsForSome(const MPI_Request *handles, int64_t count) {
  line_->handles = handles;
  for (int64_t i = 0; i < count; ++i) {
    const OpenRequest *open = handles[i] == MPI_REQUEST_NULL
                                  ? nullptr
                                  : tracer_.find(handles[i], handles + i, line_->slots);
    line_->before.push_back(handles[i]);
    line_->slots.push_back(open ? open->slot : 0);
    line_->held.push_back(open ? open->heldNumber : 0);
    line_->awaits |= line_->held.back() != 0;
  }
}

void Call::request(const char *name, const MPI_Request *handle) {
  waitsForSome(handle, 1);
  field(name, Kind::Request, line_->slots[0]);
}

void Call::requests(const char *name, const MPI_Request *handles, int64_t count) {
  waitsForSome(handles, count);
  list(name, Kind::Request, count);
  line_->values.insert(line_->values.end(), line_->slots.begin(), line_->slots.end());
}

void Call::wantStatuses(MPI_Status *&statuses, int64_t count) {
  if (statuses != MPI_STATUSES_IGNORE && statuses != MPI_STATUS_IGNORE)
    return;
  line_->spare.resize(static_cast<size_t>(std::max<int64_t>(count, 1)));
  statuses = line_->spare.data();
}

void Call::newComm(const char *name, MPI_Comm handle) {
  field(name, Kind::Comm, tracer_.communicators().add(handle));
}

void Call::laterComm(const char *name, const MPI_Comm *handle, MPI_Comm from) {
  field(name, Kind::Comm, tracer_.communicators().addLater(handle, from));
}

void Call::newWindow(const char *name, MPI_Win win) { number(name, tracer_.windows().add(win)); }

void Call::newMessage(MPI_Message message, const MPI_Status &status, MPI_Comm comm) {
  if (message != MPI_MESSAGE_NULL && message != MPI_MESSAGE_NO_PROC)
    tracer_.messages()[message] = {peerOf(status.MPI_SOURCE), tagOf(status.MPI_TAG),
                                   tracer_.communicators().rowOf(comm)};
}

void Call::newRequest(const char *name, const MPI_Request *handle, bool isActive) {
  if (!handle || *handle == MPI_REQUEST_NULL) {
    field(name, Kind::Request, 0);
    return;
  }
  line_->made = handle;
  line_->madeSlot = tracer_.takeSlot();
  line_->isOpen &= isActive;
  field(name, Kind::Request, line_->madeSlot);
}

void Call::completed(int64_t index, const MPI_Status &status) {
  const auto place = static_cast<size_t>(index);
  if (place >= line_->held.size() || line_->held[place] == 0)
    return;
  int isCancelled = 0;
  PMPI_Test_cancelled(&status, &isCancelled);
  tracer_.received(line_->held[place], isCancelled ? nullptr : &status);
}

void Call::completedRequests(std::span<const int> indices) {
  list("requests", Kind::Request, static_cast<int64_t>(indices.size()));
  for (int index : indices)
    line_->values.push_back(line_->slots[static_cast<size_t>(index)]);
}

void Call::completedAll(int count) {
  std::vector<int> all(static_cast<size_t>(count));
  std::iota(all.begin(), all.end(), 0);
  completedRequests(all);
}

void Call::got(const MPI_Status &status) {
  if (line_->source != SIZE_MAX)
    line_->values[line_->source] = peerOf(status.MPI_SOURCE);
  if (line_->tag != SIZE_MAX && status.MPI_SOURCE != MPI_PROC_NULL)
    line_->values[line_->tag] = tagOf(status.MPI_TAG);
}

void Call::end(int code) {
  Line &line = *line_;
  // Requests that the call has ended leave their slots to later ones.
  for (size_t i = 0; i < line.slots.size(); ++i)
    if (line.handles[i] == MPI_REQUEST_NULL && line.slots[i] != 0)
      tracer_.release(line.before[i], line.slots[i]);
  if (line.isNothing)
    return;
  if (code != MPI_SUCCESS)
    number("error", standardError(code));
  tracer_.flushVolume();
  const uint32_t function = tracer_.function(line.form);
  if (!line.made) {
    tracer_.append(function, line.values);
    return;
  }
  OpenRequest open{line.madeSlot, line.made, 0};
  if (line.isOpen && line.source != SIZE_MAX && line.tag != SIZE_MAX)
    open.heldNumber = tracer_.hold(function, line.values, line.source, line.tag);
  else
    tracer_.append(function, line.values);
  tracer_.open(*line.made, open);
}

} // namespace gnomon::acquisition
