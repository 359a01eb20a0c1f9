// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "api/Recorder.h"

#include "api/CommTrace.h"
#include "io/Runtime.h"
#include "mpi/RankState.h"
#include "mpi/datatype/FlatLayout.h"
#include "mpi/request/Status.h"
#include "process/ranks/Job.h"
#include "process/ranks/World.h"
#include "support/Hash.h"

#include "mpi.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <string_view>

namespace gnomon::api {

using trace::Kind;

namespace {

constexpr uint8_t ListBit = 0x80;

int64_t bitsOf(double value) { return std::bit_cast<int64_t>(value); }

int64_t peerOf(int rank) {
  return rank == MPI_ANY_SOURCE  ? trace::AnyPeer
         : rank == MPI_PROC_NULL ? trace::NullPeer
         : rank == MPI_ROOT      ? trace::RootPeer
                                 : rank;
}

int64_t tagOf(int tag) { return tag == MPI_ANY_TAG ? trace::AnyTag : tag; }

std::vector<uint32_t> processes(const mpi::Members &members) {
  std::vector<uint32_t> list(static_cast<size_t>(members.size()));
  for (int rank = 0; rank < members.size(); ++rank)
    list[static_cast<size_t>(rank)] = members.process(rank);
  return list;
}

/// `buf.count`, `recvbuf.sizes`; other fields have their parameter's name.
trace::Field fieldOf(const char *name, uint8_t kindAndList) {
  const auto kind = static_cast<Kind>(kindAndList & ~ListBit);
  const bool list = kindAndList & ListBit;
  std::string full = name;
  if (kind == Kind::Count)
    full += list ? ".counts" : ".count";
  else if (kind == Kind::Size)
    full += list ? ".sizes" : ".size";
  return {full, kind, list};
}

} // namespace

size_t Recorder::FormHash::operator()(const Form &form) const {
  uint64_t sum = reinterpret_cast<uintptr_t>(form.name);
  for (const auto &[name, kind] : form.fields)
    sum = spread(sum + reinterpret_cast<uintptr_t>(name) + kind);
  return sum;
}

Recorder::Recorder(trace::Sink &sink) : sink_(sink) {
  running_ = this;
  process::volumeSink = this;
  userOps_ = {sink.text(trace::UserOpInOrder), sink.text(trace::UserOp)};
  const std::vector<trace::Field> volume{
      {"burst", Kind::Text}, {"instructions", Kind::Real}, {"seconds", Kind::Real}};
  part_ = sink.function({std::string(trace::PartFunction), volume});
  compute_ = sink.function({std::string(trace::ComputeFunction), volume});
  clock_ = sink.function({std::string(trace::ClockFunction), {{"readings", Kind::Number}}});
  sleep_ = sink.function({std::string(trace::SleepFunction), {{"seconds", Kind::Real}}});
  parts_ = {sink.text("")};
  CallLine::lookWhoListens();
}

Recorder::~Recorder() {
  running_ = nullptr;
  process::volumeSink = nullptr;
  CallLine::lookWhoListens();
}

Recorder::RankRecords &Recorder::of(const process::Rank &rank) {
  if (rank.number >= ranks_.size())
    ranks_.resize(rank.number + size_t{1});
  return ranks_[rank.number];
}

uint32_t Recorder::part(const std::string &name) {
  parts_.push_back(sink_.text(name));
  return static_cast<uint32_t>(parts_.size()) - 1;
}

void Recorder::computed(const process::Rank &rank, uint32_t part, const process::Volume &volume) {
  const bool nothing = (volume.instructions == 0 || std::isnan(volume.instructions)) &&
                       (volume.seconds == 0 || std::isnan(volume.seconds));
  if (nothing)
    return;
  std::vector<Part> &parts = of(rank).computed;
  auto known = std::find_if(parts.rbegin(), parts.rend(),
                            [&](const Part &one) { return one.number == part; });
  if (known == parts.rend()) {
    parts.push_back({part, volume});
    return;
  }
  // What is not known of a part of it is not known of the whole.
  known->volume.instructions += volume.instructions;
  known->volume.seconds += volume.seconds;
}

void Recorder::played(const process::Rank &rank) { flushVolume(rank.number, of(rank)); }

/// Parts that are told to be negative are taken from the largest.
void Recorder::settle(std::vector<Part> &parts, double process::Volume::*column) {
  const auto less = [&](const Part &a, const Part &b) {
    const double left = a.volume.*column, right = b.volume.*column;
    return left < right || (std::isnan(left) && !std::isnan(right));
  };
  const auto largest = std::max_element(parts.begin(), parts.end(), less);
  for (Part &part : parts)
    if (part.volume.*column < 0 && &part != &*largest) {
      largest->volume.*column += part.volume.*column;
      part.volume.*column = 0;
    }
  // Of measured seconds, what the host took of all is taken out at the end: more, perhaps, than was told.
  if (largest != parts.end() && largest->volume.*column < 0)
    largest->volume.*column = 0;
}

/// Each part, and with the last one the computation ends.
void Recorder::flushVolume(uint32_t rank, RankRecords &records) {
  settle(records.computed, &process::Volume::instructions);
  settle(records.computed, &process::Volume::seconds);
  for (size_t i = 0; i < records.computed.size(); ++i) {
    const auto &[part, volume] = records.computed[i];
    const std::array<int64_t, 3> values{parts_[part], bitsOf(volume.instructions),
                                        bitsOf(volume.seconds)};
    append(rank, i + 1 < records.computed.size() ? part_ : compute_, values);
  }
  records.computed.clear();
}

void Recorder::readClock(const process::Rank &rank, uint32_t readings) {
  const std::array<int64_t, 1> values{readings};
  append(rank.number, clock_, values);
}

void Recorder::sleeps(const process::Rank &rank, double seconds) {
  flushVolume(rank.number, of(rank));
  const std::array<int64_t, 1> values{bitsOf(seconds)};
  append(rank.number, sleep_, values);
}

/// The lowest that is free.
uint32_t Recorder::slotFrom(std::vector<bool> &slots) {
  size_t slot = 0;
  while (slot < slots.size() && slots[slot])
    ++slot;
  if (slot == slots.size())
    slots.push_back(true);
  slots[slot] = true;
  return static_cast<uint32_t>(slot + 1);
}

void Recorder::release(std::vector<bool> &slots, int64_t slot) {
  if (slot > 0)
    slots[static_cast<size_t>(slot) - 1] = false;
}

void Recorder::append(uint32_t rank, uint32_t function, std::span<const int64_t> values) {
  if (rank >= ranks_.size() || ranks_[rank].held.empty())
    sink_.append(rank, {function, values});
  else
    hold(rank, {function, {values.begin(), values.end()}});
}

/// Returns the record's number among those of its rank that were ever held, from 1 on.
uint64_t Recorder::hold(uint32_t rank, Held held) {
  RankRecords &records = ranks_[rank];
  if (records.held.size() >= HeldRecords) {
    records.held.front().awaited = false;
    letGo(rank, records);
  }
  records.held.push_back(std::move(held));
  return records.released + records.held.size();
}

/// Records that wait for nothing any more.
void Recorder::letGo(uint32_t rank, RankRecords &records) {
  while (!records.held.empty() && !records.held.front().awaited) {
    const Held &first = records.held.front();
    sink_.append(rank, {first.function, first.values});
    records.held.pop_front();
    ++records.released;
  }
}

void Recorder::received(mpi::Request &request) {
  mpi::Receiving &receive = *request.receiving();
  const uint32_t rank = request.comm->owner().number;
  RankRecords &records = ranks_[rank];
  const uint64_t number = std::exchange(receive.recordNumber, 0);
  if (number <= records.released)
    return;
  Held &held = records.held[number - records.released - 1];
  held.awaited = false;
  if (!receive.cancelled) {
    held.values[held.source] = peerOf(receive.source);
    held.values[held.tag] = receive.tag;
  }
  letGo(rank, records);
}

void Recorder::finish() {
  for (uint32_t rank = 0; rank < ranks_.size(); ++rank) {
    flushVolume(rank, ranks_[rank]);
    for (Held &held : ranks_[rank].held)
      held.awaited = false;
    letGo(rank, ranks_[rank]);
  }
}

int64_t Recorder::rowOf(const mpi::Comm &comm) {
  const mpi::RankState &own = mpi::state(comm.owner());
  if (&comm == own.self.get())
    return trace::Self;
  if (&comm == &*own.world && comm.owner().job->number == 0)
    return trace::World;
  const auto [place, isNew] = rows_.try_emplace(comm.id(), trace::NullRow);
  if (isNew) {
    trace::Group group{processes(*comm.members()), {}};
    if (comm.isInter())
      group.remote = processes(*comm.remoteMembers());
    place->second = sink_.communicator(group);
  }
  return place->second;
}

int64_t Recorder::textOf(const mpi::Op &op) {
  return op.isPredefined() ? sink_.text(op.name()) : userOps_[op.commutative()];
}

uint32_t Recorder::function(const Form &form) {
  if (auto found = functions_.find(form); found != functions_.end())
    return found->second;
  std::string_view name = form.name;
  if (name.ends_with("_c"))
    name.remove_suffix(2); // large counts are no other function
  trace::Function function{std::string(name), {}};
  for (const auto &[field, kind] : form.fields)
    function.fields.push_back(fieldOf(field, kind));
  return functions_[form] = sink_.function(function);
}

void RecordLineGiveBack::operator()(RecordLine *line) const {
  line->recorder_.idle_.emplace_back(line);
}

std::unique_ptr<RecordLine, RecordLineGiveBack> Recorder::idleLine(process::Rank &rank) {
  if (idle_.empty())
    idle_.push_back(std::make_unique<RecordLine>(*this));
  RecordLine::Lent line(idle_.back().release());
  idle_.pop_back();
  line->begin(rank);
  return line;
}

void RecordLine::begin(process::Rank &rank) {
  rank_ = &rank;
  form_.name = rank.call.function;
  form_.fields.clear();
  values_.clear();
  handles_ = nullptr;
  slots_.clear();
  awaited_ = nullptr;
  file_ = nullptr;
  fileSlot_ = 0;
  source_ = tag_ = SIZE_MAX;
}

void RecordLine::field(const char *name, Kind kind, int64_t value) {
  form_.fields.emplace_back(name, static_cast<uint8_t>(kind));
  values_.push_back(value);
}

/// The length of a list, whose elements follow.
void RecordLine::list(const char *name, Kind kind, int64_t length) {
  form_.fields.emplace_back(name, static_cast<uint8_t>(kind) | ListBit);
  values_.push_back(length);
}

void RecordLine::payload(const char *name, const void *buffer, int64_t count,
                         const mpi::Datatype *type) {
  field(name, Kind::Count, buffer == MPI_IN_PLACE ? trace::InPlace : count);
  if (file_) // bytes of the file, not of the buffer
    field(name, Kind::Size, file_->view.representation->bytesOf(*type));
  else
    field(name, Kind::Size, buffer == MPI_IN_PLACE ? 0 : type->size());
}

void RecordLine::payloads(const char *name, const void *buffer, mpi::Counts counts,
                          const mpi::Datatype *type, int length) {
  const bool inPlace = buffer == MPI_IN_PLACE;
  list(name, Kind::Count, inPlace ? 1 : length);
  for (int i = 0; i < (inPlace ? 1 : length); ++i)
    values_.push_back(inPlace ? trace::InPlace : counts[i]);
  field(name, Kind::Size, inPlace ? 0 : type->size());
}

void RecordLine::payloads(const char *name, const void *buffer, mpi::Counts counts,
                          const MPI_Datatype *types, int length) {
  const bool inPlace = buffer == MPI_IN_PLACE;
  const int told = inPlace ? 1 : length;
  list(name, Kind::Count, told);
  for (int i = 0; i < told; ++i)
    values_.push_back(inPlace ? trace::InPlace : counts[i]);
  list(name, Kind::Size, told);
  for (int i = 0; i < told; ++i) {
    const mpi::Datatype *type = inPlace ? nullptr : mpi::find<mpi::Datatype>(*rank_, types[i]);
    values_.push_back(type ? type->size() : 0);
  }
}

void RecordLine::number(const char *name, int64_t value) { field(name, Kind::Number, value); }

void RecordLine::element(const char *name, const mpi::Datatype *type) {
  field(name, Kind::Size, type->size());
}

void RecordLine::numbers(const char *name, mpi::Counts values, int64_t length) {
  list(name, Kind::Number, values ? length : 0);
  for (int64_t i = 0; values && i < length; ++i)
    values_.push_back(values[i]);
}

void RecordLine::peer(const char *name, int rank) {
  if (rank == MPI_ANY_SOURCE || std::string_view(name) == "source")
    source_ = values_.size();
  field(name, Kind::Peer, peerOf(rank));
}

void RecordLine::tag(const char *name, int tag) {
  tag_ = values_.size();
  field(name, Kind::Tag, tagOf(tag));
}

void RecordLine::comm(const char *name, const mpi::Comm *comm) {
  field(name, Kind::Comm, comm ? recorder_.rowOf(*comm) : trace::NullRow);
}

void RecordLine::op(const char *name, const mpi::Op *op) {
  field(name, Kind::Text, recorder_.textOf(*op));
}

void RecordLine::members(const char *name, const mpi::Members &members) {
  field(name, Kind::Set, recorder_.sink_.set(processes(members)));
}

int64_t RecordLine::slot(MPI_Request handle) const {
  const mpi::Request *request = mpi::find<mpi::Request>(*rank_, handle);
  return request ? request->recordSlot : 0;
}

void RecordLine::request(const char *name, const MPI_Request *handle) {
  handles_ = handle;
  slots_.push_back(slot(*handle));
  field(name, Kind::Request, slots_[0]);
}

void RecordLine::requests(const char *name, const MPI_Request *handles, int64_t count) {
  waits(handles, count);
  list(name, Kind::Request, count);
  values_.insert(values_.end(), slots_.begin(), slots_.end());
}

void RecordLine::waits(const MPI_Request *handles, int64_t count) {
  handles_ = handles;
  slots_.resize(static_cast<size_t>(count));
  for (size_t i = 0; i < slots_.size(); ++i)
    slots_[i] = slot(handles[i]);
}

void RecordLine::completed(std::span<const int> indices) {
  list("requests", Kind::Request, static_cast<int64_t>(indices.size()));
  for (int index : indices)
    values_.push_back(slots_[static_cast<size_t>(index)]);
}

void RecordLine::file(const char *name, const mpi::File *file) {
  file_ = file;
  fileSlot_ = file ? file->recordSlot : 0;
  number(name, fileSlot_);
}

void RecordLine::path(const char *name, const char *filename) {
  field(name, Kind::Text, recorder_.sink_.text(io::absolutePath(filename)));
}

void RecordLine::hints(const char *name, const mpi::Info *info) {
  list(name, Kind::Text, 0);
  const size_t length = values_.size() - 1;
  if (!info)
    return;
  for (const auto &[key, value] : info->entries())
    if (io::isHint(key))
      values_.insert(values_.end(), {recorder_.sink_.text(key), recorder_.sink_.text(value)});
  values_[length] = static_cast<int64_t>(values_.size() - length) - 1;
}

void RecordLine::view(const mpi::File &file, const mpi::Datatype &etype,
                      const mpi::Datatype &filetype, const char *datarep) {
  // A record of more numbers would not go into a block: a replay refuses that view.
  constexpr size_t MostNumbers = size_t{1} << 20;
  const io::Representations &known = io::representations(file.owner());
  io::RepresentationRef representation = known.find(datarep);
  if (!representation)
    representation = known.find("native"); // the call fails
  const mpi::DatatypeRef there = io::typeInFile(*representation, filetype);
  const std::vector<int64_t> layout = mpi::flatten(there->layout(), MostNumbers);
  field("etype", Kind::Size, representation->bytesOf(etype));
  list("filetype.layout", Kind::Number, static_cast<int64_t>(layout.size()));
  values_.insert(values_.end(), layout.begin(), layout.end());
  number("filetype.extent", there->extent());
  field("datarep", Kind::Text, recorder_.sink_.text(datarep));
}

void RecordLine::newFile(const char *name, MPI_File handle) {
  mpi::File *file = mpi::find<mpi::File>(*rank_, handle);
  if (file)
    file->recordSlot = Recorder::slotFrom(recorder_.of(*rank_).files);
  number(name, file ? file->recordSlot : 0);
  number("bytes", file ? file->shared->bytesAtOpen : 0);
}

void RecordLine::closed() { Recorder::release(recorder_.of(*rank_).files, fileSlot_); }

void RecordLine::text(const char *name, const char *value) {
  field(name, Kind::Text, recorder_.sink_.text(value ? value : ""));
}

/// Ranks of one command are those with the same app: a command may have started none.
void RecordLine::spawned(MPI_Comm intercomm, std::span<const MPI_Info> infos) {
  const mpi::Members &started = *mpi::find<mpi::Comm>(*rank_, intercomm)->remoteMembers();
  const auto &ranks = process::world().ranks;
  std::vector<int64_t> parts(infos.size(), 0);
  for (int i = 0; i < started.size(); ++i)
    ++parts.at(static_cast<size_t>(ranks[started.process(i)]->app->number));
  number("first", started.process(0));
  list("ranks", Kind::Number, static_cast<int64_t>(parts.size()));
  values_.insert(values_.end(), parts.begin(), parts.end());
  list("hosts", Kind::Text, static_cast<int64_t>(parts.size()));
  for (MPI_Info handle : infos) {
    const mpi::Info *info = mpi::find<mpi::Info>(*rank_, handle);
    const std::string *host = info ? info->find("host") : nullptr;
    values_.push_back(recorder_.sink_.text(host ? *host : ""));
  }
}

void RecordLine::newComm(const char *name, MPI_Comm handle) {
  comm(name, mpi::find<mpi::Comm>(*rank_, handle));
}

void RecordLine::message(const char *, const mpi::Message *message) {
  const bool real = message && message->message;
  peer("source", real ? message->message->envelope.source : MPI_PROC_NULL);
  tag("tag", real ? message->message->envelope.tag : MPI_ANY_TAG);
  comm("comm", real ? message->comm : nullptr);
}

void RecordLine::newRequest(const char *name, MPI_Request handle) {
  mpi::Request *request = mpi::find<mpi::Request>(*rank_, handle);
  if (!request) {
    field(name, Kind::Request, 0);
    return;
  }
  const mpi::Receiving *receive = request->receiving();
  request->recordSlot = Recorder::slotFrom(recorder_.of(*rank_).slots);
  field(name, Kind::Request, request->recordSlot);
  if (request->active && receive &&
      (receive->transfer.peer == p2p::AnySource || receive->transfer.tag == p2p::AnyTag))
    awaited_ = request;
}

void RecordLine::got(const MPI_Status &status) {
  if (source_ != SIZE_MAX)
    values_[source_] = peerOf(status.MPI_SOURCE);
  if (tag_ != SIZE_MAX && status.MPI_SOURCE != MPI_PROC_NULL)
    values_[tag_] = tagOf(status.MPI_TAG);
}

/// Requests that the call has ended leave their slots to later ones.
void RecordLine::releaseEnded() {
  for (size_t i = 0; i < slots_.size(); ++i)
    if (handles_[i] == MPI_REQUEST_NULL)
      Recorder::release(recorder_.of(*rank_).slots, slots_[i]);
}

void RecordLine::end(int code) {
  releaseEnded();
  if (code != MPI_SUCCESS)
    number("error", code);
  Recorder::RankRecords &records = recorder_.of(*rank_);
  recorder_.flushVolume(rank_->number, records);
  const uint32_t function = recorder_.function(form_);
  if (!awaited_) {
    recorder_.append(rank_->number, function, values_);
    return;
  }
  awaited_->receiving()->recordNumber =
      recorder_.hold(rank_->number, {function, values_, true, source_, tag_});
}

} // namespace gnomon::api
