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

#include <algorithm>

namespace gnomon::api {

using trace::Kind;

/// The elements of a list, to be filled in.
std::span<int64_t> RecordLine::list(const char *name, Kind kind, int64_t length) {
  told(name, static_cast<uint8_t>(kind) | ListBit);
  const auto elements = static_cast<size_t>(length);
  if (values_.size() < valueCount_ + elements + MostTold) [[unlikely]]
    values_.resize(2 * values_.size() + elements);
  values_[valueCount_++] = length;
  const std::span<int64_t> room(values_.data() + valueCount_, elements);
  valueCount_ += elements;
  return room;
}

/// Bytes of the file, not of the buffer.
void RecordLine::sizeInFile(const char *name, const mpi::Datatype *type) {
  field(name, Kind::Size, file_->view.representation->bytesOf(*type));
}

void RecordLine::payloads(const char *name, const void *buffer, mpi::Counts counts,
                          const mpi::Datatype *type, int length) {
  const bool inPlace = buffer == MPI_IN_PLACE;
  int at = 0;
  for (int64_t &element : list(name, Kind::Count, inPlace ? 1 : length))
    element = inPlace ? trace::InPlace : counts[at++];
  field(name, Kind::Size, inPlace ? 0 : type->size());
}

void RecordLine::payloads(const char *name, const void *buffer, mpi::Counts counts,
                          const MPI_Datatype *types, int length) {
  const bool inPlace = buffer == MPI_IN_PLACE;
  const int told = inPlace ? 1 : length;
  int at = 0;
  for (int64_t &element : list(name, Kind::Count, told))
    element = inPlace ? trace::InPlace : counts[at++];
  at = 0;
  for (int64_t &element : list(name, Kind::Size, told)) {
    const mpi::Datatype *type = inPlace ? nullptr : mpi::find<mpi::Datatype>(*rank_, types[at++]);
    element = type ? type->size() : 0;
  }
}

void RecordLine::element(const char *name, const mpi::Datatype *type) {
  field(name, Kind::Size, type->size());
}

void RecordLine::numbers(const char *name, mpi::Counts values, int64_t length) {
  int64_t at = 0;
  for (int64_t &element : list(name, Kind::Number, values ? length : 0))
    element = values[at++];
}

void RecordLine::op(const char *name, const mpi::Op *op) {
  field(name, Kind::Text, recorder_->textOf(*op));
}

void RecordLine::members(const char *name, const mpi::Members &members) {
  field(name, Kind::Set, recorder_->sink_.set(processes(members)));
}

void RecordLine::request(const char *name, const MPI_Request *handle) {
  handles_ = handle;
  slots_.push_back(Recorder::slotOf(*rank_, *handle));
  field(name, Kind::Request, slots_[0]);
}

void RecordLine::requests(const char *name, const MPI_Request *handles, int64_t count) {
  waits(handles, count);
  std::ranges::copy(slots_, list(name, Kind::Request, count).begin());
}

void RecordLine::waits(const MPI_Request *handles, int64_t count) {
  handles_ = handles;
  slots_.resize(static_cast<size_t>(count));
  for (size_t i = 0; i < slots_.size(); ++i)
    slots_[i] = Recorder::slotOf(*rank_, handles[i]);
}

void RecordLine::completed(std::span<const int> indices) {
  const std::span<int64_t> room =
      list("requests", Kind::Request, static_cast<int64_t>(indices.size()));
  std::ranges::transform(indices, room.begin(),
                         [this](int index) { return slots_[static_cast<size_t>(index)]; });
}

void RecordLine::file(const char *name, const mpi::File *file) {
  file_ = file;
  fileSlot_ = file ? file->recordSlot : 0;
  number(name, fileSlot_);
}

void RecordLine::path(const char *name, const char *filename) {
  field(name, Kind::Text, recorder_->sink_.text(io::absolutePath(filename)));
}

void RecordLine::hints(const char *name, const mpi::Info *info) {
  std::vector<int64_t> texts;
  if (info)
    for (const auto &[key, value] : info->entries())
      if (io::isHint(key))
        texts.insert(texts.end(), {recorder_->sink_.text(key), recorder_->sink_.text(value)});
  std::ranges::copy(texts, list(name, Kind::Text, static_cast<int64_t>(texts.size())).begin());
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
  std::ranges::copy(
      layout, list("filetype.layout", Kind::Number, static_cast<int64_t>(layout.size())).begin());
  number("filetype.extent", there->extent());
  field("datarep", Kind::Text, recorder_->sink_.text(datarep));
}

void RecordLine::newFile(const char *name, MPI_File handle) {
  mpi::File *file = mpi::find<mpi::File>(*rank_, handle);
  if (file)
    file->recordSlot = recorder_->of(*rank_).files.take();
  number(name, file ? file->recordSlot : 0);
  number("bytes", file ? file->shared->bytesAtOpen : 0);
}

void RecordLine::closed() { recorder_->of(*rank_).files.release(fileSlot_); }

void RecordLine::text(const char *name, const char *value) {
  field(name, Kind::Text, recorder_->sink_.text(value ? value : ""));
}

/// Ranks of one command are those with the same app: a command may have started none.
void RecordLine::spawned(MPI_Comm intercomm, std::span<const MPI_Info> infos) {
  const mpi::Members &started = *mpi::find<mpi::Comm>(*rank_, intercomm)->remoteMembers();
  const auto &ranks = process::world().ranks;
  std::vector<int64_t> parts(infos.size(), 0);
  for (int i = 0; i < started.size(); ++i)
    ++parts.at(static_cast<size_t>(ranks[started.process(i)]->app->number));
  number("first", started.process(0));
  const auto commands = static_cast<int64_t>(parts.size());
  std::ranges::copy(parts, list("ranks", Kind::Number, commands).begin());
  const std::span<int64_t> hosts = list("hosts", Kind::Text, commands);
  for (size_t i = 0; i < infos.size(); ++i) {
    const mpi::Info *info = mpi::find<mpi::Info>(*rank_, infos[i]);
    const std::string *host = info ? info->find("host") : nullptr;
    hosts[i] = recorder_->sink_.text(host ? *host : "");
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
  request->recordSlot = recorder_->of(*rank_).slots.take();
  field(name, Kind::Request, request->recordSlot);
  if (request->active && receive && receive->isOpen())
    awaited_ = request;
}

void RecordLine::end(int code) {
  // Requests that the call has ended leave their slots to later ones.
  recorder_->releaseEnded(*rank_, handles_, slots_);
  if (code != MPI_SUCCESS)
    number("error", code);
  Recorder::RankRecords &records = recorder_->of(*rank_);
  recorder_->flushVolume(rank_->number, records);
  const uint32_t function = recorder_->function(name_, {fields_.data(), fieldCount_});
  if (!awaited_) [[likely]]
    return recorder_->put(rank_->number, records, {function, values()});
  const std::span<const int64_t> told = values();
  awaited_->receiving()->recordNumber =
      recorder_->hold(rank_->number, {function, {told.begin(), told.end()}, true, source_, tag_});
}

} // namespace gnomon::api
