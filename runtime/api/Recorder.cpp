// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "api/Recorder.h"

#include "api/CommTrace.h"
#include "api/RecordVolumes.h"
#include "api/RecordWords.h"
#include "mpi/RankState.h"
#include "support/Hash.h"

#include "mpi.h"

#include <bit>
#include <string_view>

namespace gnomon::api {

using trace::Kind;

namespace {

int64_t bitsOf(double value) { return std::bit_cast<int64_t>(value); }

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
  for (const uint64_t field : form.fields)
    sum = spread(sum + field);
  return sum;
}

Recorder::Recorder(trace::Sink &sink) : sink_(sink) {
  running_ = this;
  process::volumeSink = this;
  opTexts_.fill(-1);
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

uint32_t Recorder::part(const std::string &name) {
  parts_.push_back(sink_.text(name));
  return static_cast<uint32_t>(parts_.size()) - 1;
}

void Recorder::addRanks(uint32_t rank) {
  for (auto number = static_cast<uint32_t>(ranks_.size()); number <= rank; ++number)
    ranks_.push_back(std::make_unique<RankRecords>(
        RankRecords{.computed = tally(number), .slots = {}, .files = {}, .held = {}}));
}

void Recorder::played(const process::Rank &rank) { flushVolume(rank.number, of(rank)); }

uint32_t Recorder::Slots::takeOfMany() {
  size_t word = 0;
  while (word < more_.size() && more_[word] == 0)
    ++word;
  if (word == more_.size())
    more_.push_back(~uint64_t{0});
  const auto bit = static_cast<uint32_t>(std::countr_zero(more_[word]));
  more_[word] &= more_[word] - 1;
  return static_cast<uint32_t>((word + 1) * 64) + bit + 1;
}

/// Each part, and with the last one the computation ends.
void Recorder::putVolume(uint32_t rank, RankRecords &records) {
  std::vector<Part> &parts = records.computed.parts();
  int64_t signs = 0; // of what is not known, too: then there may be nothing to settle
  for (const Part &part : parts)
    signs |= bitsOf(part.volume.instructions) | bitsOf(part.volume.seconds);
  if (signs < 0) [[unlikely]] {
    settle(parts, &process::Volume::instructions);
    settle(parts, &process::Volume::seconds);
  }
  const auto valuesOf = [this](const Part &part) {
    return std::array<int64_t, 3>{parts_[part.number], bitsOf(part.volume.instructions),
                                  bitsOf(part.volume.seconds)};
  };
  // Apart, so that values of one that is taken are in registers only.
  const auto putOther = [&](uint32_t function, const Part &part) __attribute__((noinline)) {
    const std::array<int64_t, 3> values = valuesOf(part);
    put(rank, records, {function, values});
  };
  const auto putPart = [&](uint32_t function, const Part &part) __attribute__((always_inline)) {
    if (!records.follower || !records.follower->take(function, valuesOf(part), 0)) [[unlikely]]
      putOther(function, part);
  };
  const Part *part = parts.data();
  for (const Part *const last = &parts.back(); part != last; ++part)
    putPart(part_, *part);
  putPart(compute_, *part);
  parts.clear();
}

/// Of a rank that has told something before. What the sink expects of it next is known anew.
void Recorder::put(uint32_t rank, RankRecords &records, const trace::Record &record) {
  if (!records.held.empty()) [[unlikely]] {
    hold(rank, {record.function, {record.values.begin(), record.values.end()}});
    return;
  }
  sink_.append(rank, record);
  records.follower = sink_.follower(rank);
}

void Recorder::readClock(const process::Rank &rank, uint32_t readings) {
  const std::array<int64_t, 1> values{readings};
  put(rank.number, of(rank), {clock_, values});
}

void Recorder::sleeps(const process::Rank &rank, double seconds) {
  flushVolume(rank.number, of(rank));
  const std::array<int64_t, 1> values{bitsOf(seconds)};
  put(rank.number, of(rank), {sleep_, values});
}

/// Returns the record's number among those of its rank that were ever held, from 1 on.
uint64_t Recorder::hold(uint32_t rank, Held held) {
  RankRecords &records = *ranks_[rank];
  if (records.held.size() >= HeldRecords) {
    records.held.front().awaited = false;
    letGo(rank, records);
  }
  records.held.push_back(std::move(held));
  records.follower = nullptr;
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
  if (records.held.empty())
    records.follower = sink_.follower(rank);
}

void Recorder::received(mpi::Request &request) {
  mpi::Receiving &receive = *request.receiving();
  const uint32_t rank = request.comm->owner().number;
  RankRecords &records = *ranks_[rank];
  const uint64_t number = receive.recordNumber;
  receive.recordNumber = 0;
  if (number <= records.released)
    return;
  Held &held = records.held[number - records.released - 1];
  held.awaited = false;
  if (!receive.cancelled) {
    held.values[held.source] = peerOf(receive.result.source);
    held.values[held.tag] = receive.result.tag;
  }
  letGo(rank, records);
}

void Recorder::finish() {
  for (uint32_t rank = 0; rank < ranks_.size(); ++rank) {
    RankRecords &records = *ranks_[rank];
    flushVolume(rank, records);
    for (Held &held : records.held)
      held.awaited = false;
    letGo(rank, records);
  }
}

/// Of a communicator that is not MPI_COMM_WORLD.
int64_t Recorder::makeRow(const mpi::Comm &comm) {
  if (&comm == mpi::state(comm.owner()).selfIfMade())
    return trace::Self;
  const auto [place, isNew] = rows_.try_emplace(comm.id(), trace::NullRow);
  if (isNew) {
    trace::Group group{processes(*comm.members()), {}};
    if (comm.isInter())
      group.remote = processes(*comm.remoteMembers());
    place->second = sink_.communicator(group);
  }
  return place->second;
}

Recorder::Form Recorder::formOf(const PlainForm &form) {
  Form told{form.name, {}};
  for (const PlainField &field : form.fields)
    told.fields.push_back(Form::packed(
        field.name,
        static_cast<uint8_t>(static_cast<uint8_t>(field.kind) | (field.list ? ListBit : 0))));
  return told;
}

/// What stands before it has been put.
void Recorder::tellOther(const process::Rank &rank, const PlainForm &form,
                         std::span<const int64_t> values, int code) {
  if (code != MPI_SUCCESS)
    return tellFailed(rank, form, values, code);
  put(rank.number, of(rank), {functionOf(form), values});
}

void Recorder::tellFailed(const process::Rank &rank, const PlainForm &form,
                          std::span<const int64_t> values, int code) {
  Form told = formOf(form);
  told.fields.push_back(Form::packed("error", static_cast<uint8_t>(Kind::Number)));
  std::vector<int64_t> all(values.begin(), values.end());
  all.push_back(code);
  put(rank.number, of(rank), {numberOf(told), all});
}

uint32_t Recorder::numberOf(const Form &form) {
  if (auto found = functions_.find(form); found != functions_.end())
    return found->second;
  std::string_view name = form.name;
  if (name.ends_with("_c"))
    name.remove_suffix(2); // large counts are no other function
  trace::Function function{std::string(name), {}};
  for (const uint64_t field : form.fields)
    function.fields.push_back(fieldOf(Form::nameOf(field), Form::kindOf(field)));
  return functions_[form] = sink_.function(function);
}

} // namespace gnomon::api
