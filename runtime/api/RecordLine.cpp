// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The record of one call: what its entry tells becomes fields and values, in this order.
#include "api/RecordWords.h"
#include "api/Recorder.h"
#include "io/Runtime.h"
#include "mpi/RankState.h"
#include "mpi/datatype/FlatLayout.h"
#include "process/ranks/Job.h"
#include "process/ranks/World.h"

#include "mpi.h"

#include <string_view>

namespace gnomon::api {

using trace::Kind;

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
  form_.fields.push_back(Recorder::Form::packed(name, static_cast<uint8_t>(kind)));
  values_.push_back(value);
}

/// The length of a list, whose elements follow.
void RecordLine::list(const char *name, Kind kind, int64_t length) {
  form_.fields.push_back(Recorder::Form::packed(name, static_cast<uint8_t>(kind) | ListBit));
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
