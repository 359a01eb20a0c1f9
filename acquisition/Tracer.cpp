// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tracer.h"

#include "Facts.h"
#include "PartTarget.h"

#include "support/Error.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

namespace gnomon::acquisition {

namespace {

int64_t bitsOf(double value) { return std::bit_cast<int64_t>(value); }

/// `buf.count`, `recvbuf.sizes`; other fields have their parameter's name.
trace::Field fieldOf(const char *name, uint8_t kindAndList) {
  const auto kind = static_cast<trace::Kind>(kindAndList & ~ListBit);
  const bool list = kindAndList & ListBit;
  std::string full = name;
  if (kind == trace::Kind::Count)
    full += list ? ".counts" : ".count";
  else if (kind == trace::Kind::Size)
    full += list ? ".sizes" : ".size";
  return {full, kind, list};
}

bool isSpawned() {
  MPI_Comm parent = MPI_COMM_NULL;
  PMPI_Comm_get_parent(&parent);
  return parent != MPI_COMM_NULL;
}

} // namespace

size_t FormHash::operator()(const Form &form) const {
  auto sum = reinterpret_cast<uintptr_t>(form.name);
  for (const auto &[name, kind] : form.fields)
    sum = (sum ^ (reinterpret_cast<uintptr_t>(name) + kind)) * 0x9e3779b97f4a7c15u;
  return sum ^ (sum >> 32);
}

Tracer &Tracer::ofProcess() {
  // Never destroyed: threads may still call MPI while the process ends.
  static Tracer &tracer = *new Tracer;
  return tracer;
}

void Tracer::say(const std::string &text) const {
  const std::string line = fmt::format("gnomon-trace: rank {}: {}\n", rank_, text);
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, line.data(), line.size());
}

void Tracer::aboutToBegin() {
  meter_.choose();
  computed_ = meter_.entered();
}

void Tracer::begin() {
  int rank = 0, size = 1;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  PMPI_Comm_size(MPI_COMM_WORLD, &size);
  rank_ = static_cast<uint32_t>(rank);
  size_ = static_cast<uint32_t>(size);
  if (isSpawned()) {
    say("this process was spawned, and is not traced");
    return;
  }
  process_ = getpid();
  const char *name = std::getenv("GNOMON_TRACE_FILE");
  const std::string path = fmt::format("{}.{}.gtr", name && *name ? name : "trace", rank);
  try {
    writer_ = std::make_unique<trace::TraceWriter>(std::make_unique<PartTarget>(path), path, size_);
  } catch (const InputError &error) {
    say(fmt::format("{}; the rank is not traced", error.what()));
    return;
  }
  communicators_ = std::make_unique<Communicators>(*writer_);
  compute_ = writer_->function({std::string(trace::ComputeFunction),
                                {{"burst", trace::Kind::Text},
                                 {"instructions", trace::Kind::Real},
                                 {"seconds", trace::Kind::Real}}});
  clock_ =
      writer_->function({std::string(trace::ClockFunction), {{"readings", trace::Kind::Number}}});
  noBurst_ = writer_->text("");
  endOnTermination();
  meter_.left();
}

void Tracer::leftOut(const char *function) {
  if (writer_)
    leftOut_.insert(function);
}

void Tracer::entered() {
  const Volume volume = meter_.entered();
  computed_.instructions += volume.instructions;
  computed_.seconds += volume.seconds;
  if (readings_ == 0)
    return;
  flushVolume();
  const std::array<int64_t, 1> values{std::exchange(readings_, 0)};
  append(clock_, values);
}

void Tracer::flushVolume() {
  const Volume volume = std::exchange(computed_, Volume{0, 0});
  if (!(volume.instructions > 0) && !(volume.seconds > 0))
    return;
  const std::array<int64_t, 3> values{noBurst_, bitsOf(volume.instructions),
                                      bitsOf(volume.seconds)};
  append(compute_, values);
}

uint32_t Tracer::function(const Form &form) {
  if (auto found = functions_.find(form); found != functions_.end())
    return found->second;
  trace::Function function{form.name, {}};
  for (const auto &[field, kind] : form.fields)
    function.fields.push_back(fieldOf(field, kind));
  return functions_[form] = writer_->function(function);
}

void Tracer::append(uint32_t function, std::span<const int64_t> values) {
  if (held_.empty())
    writer_->append(rank_, {function, values});
  else
    held_.push_back({function, {values.begin(), values.end()}, false, 0, 0});
}

/// Returns the record's number among those that were ever held, from 1 on.
uint64_t Tracer::hold(uint32_t function, std::span<const int64_t> values, size_t source,
                      size_t tag) {
  if (held_.size() >= HeldRecords) {
    held_.front().awaited = false;
    letGo();
  }
  held_.push_back({function, {values.begin(), values.end()}, true, source, tag});
  return released_ + held_.size();
}

/// Records that wait for nothing any more.
void Tracer::letGo() {
  while (!held_.empty() && !held_.front().awaited) {
    writer_->append(rank_, {held_.front().function, held_.front().values});
    held_.pop_front();
    ++released_;
  }
}

/// \p status null: it was cancelled, or given up, and stays as it was posted.
void Tracer::received(uint64_t heldNumber, const MPI_Status *status) {
  if (heldNumber <= released_)
    return;
  Held &held = held_[heldNumber - released_ - 1];
  held.awaited = false;
  if (status) {
    held.values[held.source] =
        status->MPI_SOURCE == MPI_PROC_NULL ? trace::NullPeer : status->MPI_SOURCE;
    held.values[held.tag] = status->MPI_SOURCE == MPI_PROC_NULL ? trace::AnyTag : status->MPI_TAG;
  }
  letGo();
}

int64_t Tracer::takeSlot() {
  if (freeSlots_.empty())
    return ++slots_;
  const int64_t slot = freeSlots_.top();
  freeSlots_.pop();
  return slot;
}

void Tracer::open(MPI_Request handle, const OpenRequest &request) {
  requests_.emplace(handle, request);
}

const OpenRequest *Tracer::find(MPI_Request handle, const MPI_Request *place,
                                const std::vector<int64_t> &skipped) const {
  const auto [begin, end] = requests_.equal_range(handle);
  const OpenRequest *found = nullptr;
  for (auto entry = begin; entry != end; ++entry) {
    const OpenRequest &request = entry->second;
    if (std::find(skipped.begin(), skipped.end(), request.slot) != skipped.end())
      continue;
    if (request.place == place)
      return &request;
    if (!found || request.slot < found->slot)
      found = &request;
  }
  return found;
}

void Tracer::release(MPI_Request handle, int64_t slot) {
  const auto [begin, end] = requests_.equal_range(handle);
  for (auto entry = begin; entry != end; ++entry)
    if (entry->second.slot == slot) {
      requests_.erase(entry);
      freeSlots_.push(slot);
      return;
    }
}

void Tracer::finish(bool complete) {
  if (!writer_ || getpid() != process_)
    return;
  const std::lock_guard lock(mutex_);
  entered();
  flushVolume();
  for (Held &held : held_)
    held.awaited = false;
  letGo();
  const std::string wrong = writer_->finish(factsOfProcess(size_, complete));
  writer_.reset();
  if (!wrong.empty())
    say(wrong);
  else if (!complete)
    say("the program ended without MPI_Finalize: its trace is INCOMPLETE");
  if (!leftOut_.empty())
    say(fmt::format("these calls are not in the trace: {}", fmt::join(leftOut_, ", ")));
  if (rank_ == 0 && wrong.empty())
    say(fmt::format("volumes are {}", meter_.source()));
}

} // namespace gnomon::acquisition
