// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "replay/Replay.h"

#include "impl/Impl.h"
#include "process/fold/Nowhere.h"
#include "process/ranks/World.h"
#include "replay/Player.h"
#include "support/Error.h"
#include "trace/PollRecords.h"

#include "mpi.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <string_view>

namespace gnomon::replay {

namespace {

void computeNothing(void *, void *, int *, MPI_Datatype *) {}

std::map<std::string_view, const Handler *> handlersByName() {
  std::map<std::string_view, const Handler *> handlers;
  for (std::span<const Handler> table :
       {generatedHandlers(), handlersByHand(), fileHandlersByHand(), processHandlersByHand()})
    for (const Handler &handler : table)
      handlers[handler.name] = &handler; // by hand: in place of what is generated
  return handlers;
}

Binding bind(const trace::Function &function, const Handler *handler) {
  Binding binding{handler, {}, {}};
  binding.betweenPolls = trace::isVolume(function.name) || trace::isOfPolls(function.name) ||
                         function.name == trace::ClockFunction ||
                         function.name == trace::SleepFunction;
  for (const trace::Field &field : function.fields) {
    binding.places.push_back(binding.places.size());
    binding.hasLists |= field.list;
    if (field.name == "error")
      binding.error = static_cast<int>(binding.places.size()) - 1;
  }
  if (!handler)
    return binding;
  for (std::string_view name : handler->fields) {
    // `buf.count` stands for `buf.counts`, too.
    const auto found = std::find_if(
        function.fields.begin(), function.fields.end(), [&](const trace::Field &field) {
          return field.name == name || (field.list && field.name == std::string(name) + "s");
        });
    binding.fields.push_back(
        found == function.fields.end() ? -1 : static_cast<int>(found - function.fields.begin()));
  }
  return binding;
}

/// Some calls take predefined types only.
MPI_Datatype basicType(int64_t bytes) {
  switch (bytes) {
  case 1:
    return MPI_BYTE;
  case 2:
    return MPI_INT16_T;
  case 4:
    return MPI_INT32_T;
  case 8:
    return MPI_INT64_T;
  default:
    return MPI_DATATYPE_NULL;
  }
}

MPI_Op predefined(std::string_view name) {
  static const std::map<std::string_view, MPI_Op> ops{
      {"MPI_SUM", MPI_SUM},         {"MPI_MIN", MPI_MIN},       {"MPI_MAX", MPI_MAX},
      {"MPI_PROD", MPI_PROD},       {"MPI_BAND", MPI_BAND},     {"MPI_BOR", MPI_BOR},
      {"MPI_BXOR", MPI_BXOR},       {"MPI_LAND", MPI_LAND},     {"MPI_LOR", MPI_LOR},
      {"MPI_LXOR", MPI_LXOR},       {"MPI_MINLOC", MPI_MINLOC}, {"MPI_MAXLOC", MPI_MAXLOC},
      {"MPI_REPLACE", MPI_REPLACE}, {"MPI_NO_OP", MPI_NO_OP}};
  const auto found = ops.find(name);
  return found == ops.end() ? MPI_OP_NULL : found->second;
}

} // namespace

Replay::Replay(std::string path, std::unique_ptr<trace::Source> trace, Volumes volumes)
    : path_(std::move(path)), trace_(std::move(trace)), volumes_(volumes),
      commutes_(mpi::Op::create(computeNothing, true)),
      doesNotCommute_(mpi::Op::create(computeNothing, false)) {
  running_ = this;
  const auto handlers = handlersByName();
  for (const trace::Function &function : trace_->functions()) {
    const auto found = handlers.find(function.name);
    bindings_.push_back(bind(function, found == handlers.end() ? nullptr : found->second));
  }
  ops_.resize(trace_->texts().size(), nullptr);
  for (size_t bytes = 0; bytes < smallTypes_.size(); ++bytes)
    smallTypes_[bytes] = &otherType(static_cast<int64_t>(bytes));
  process::fold::reserveNowhere();
}

Replay::~Replay() {
  running_ = nullptr;
  for (auto &[bytes, type] : types_)
    if (!type->isPredefined())
      type->release();
  commutes_->release();
  doesNotCommute_->release();
}

mpi::Datatype &Replay::otherType(int64_t bytes) {
  mpi::Datatype *&type = types_[bytes];
  if (!type) {
    if (MPI_Datatype basic = basicType(bytes); basic != MPI_DATATYPE_NULL)
      return *(type = &mpi::Datatype::predefined(basic));
    type = mpi::Datatype::contiguous(bytes, mpi::Datatype::predefined(MPI_BYTE));
    type->commit();
  }
  return *type;
}

void Replay::rate(std::vector<process::burst::ProfileRate> rates) { rates_ = std::move(rates); }

double Replay::memoryShare(int64_t burst) const {
  return rates_.empty() ? models::ComputeModel::NotKnown
                        : rates_[static_cast<size_t>(burst)].memoryShare;
}

void Replay::countTo(uint64_t total, std::optional<ProgressLine> line) {
  total_ = total;
  progress_ = line;
}

void Replay::scale(std::vector<double> factors) { factors_ = std::move(factors); }

void Replay::scaleBytes(const std::vector<double> &factors) {
  for (size_t i = 0; i < bindings_.size(); ++i) {
    Binding &binding = bindings_[i];
    binding.takesWhatever = true;
    if (!binding.handler || binding.handler->kind == Handler::Kind::File)
      continue;
    binding.bytesFactor = factors[i];
    if (binding.handler->kind == Handler::Kind::Window)
      windowFactor_ = std::max(windowFactor_, factors[i]);
  }
}

int64_t Replay::windowBytes(int64_t bytes) const {
  return windowFactor_ == 1
             ? bytes
             : static_cast<int64_t>(std::ceil(static_cast<double>(bytes) * windowFactor_));
}

bool Replay::startsRanks() const {
  const auto &functions = trace_->functions();
  return std::any_of(functions.begin(), functions.end(), [](const trace::Function &function) {
    return function.name.starts_with("MPI_Comm_spawn");
  });
}

/// A block that is gone leaves its place to another one: then the entry has expired.
std::shared_ptr<const Prepared> Replay::prepared(const std::shared_ptr<const trace::Block> &block,
                                                 const mpi::Comm &world) {
  if (prepared_.size() >= sweepPreparedAt_) {
    std::erase_if(prepared_, [](const auto &entry) { return entry.second.expired(); });
    sweepPreparedAt_ = std::max(sweepPreparedAt_, 2 * prepared_.size());
  }
  std::weak_ptr<const Prepared> &known = prepared_[block.get()];
  std::shared_ptr<const Prepared> found = known.lock();
  if (!found)
    known = found = std::make_shared<const Prepared>(block, world, *this);
  return found;
}

const std::string &Replay::port(int64_t recordedName) {
  std::string &own = ports_[text(recordedName)];
  if (own.empty()) {
    std::array<char, MPI_MAX_PORT_NAME> name{};
    impl::Open_port(nullptr, name.data());
    own = name.data();
  }
  return own;
}

uint32_t Replay::process(uint32_t recorded) const {
  const auto started = processes_.find(recorded);
  return started == processes_.end() ? recorded : started->second;
}

const std::string &Replay::text(int64_t number) const {
  if (number < 0 || static_cast<size_t>(number) >= trace_->texts().size())
    throw InputError("", 0, fmt::format("string {} is none of the trace's", number));
  return trace_->texts()[static_cast<size_t>(number)];
}

double Replay::cost(int64_t burst, double instructions, double seconds) const {
  if (burst < 0 || static_cast<size_t>(burst) >= ops_.size())
    throw InputError("", 0, "a burst that the trace does not name");
  const bool counted = volumes_ == Volumes::Instructions;
  const double volume = counted ? instructions : seconds;
  if (!(volume >= 0) || std::isinf(volume))
    throw InputError("", 0,
                     counted ? "instructions were not counted; replay with --volumes=seconds"
                             : "seconds were not measured; replay with --volumes=instructions");
  const double cost =
      rates_.empty() ? volume : volume * rates_[static_cast<size_t>(burst)].secondsPerInstruction;
  return factors_.empty() ? cost : cost * factors_[static_cast<size_t>(burst)];
}

mpi::Op &Replay::op(int64_t text) {
  if (text < 0 || static_cast<size_t>(text) >= ops_.size())
    throw InputError("", 0, "an operation that the trace does not name");
  mpi::Op *&op = ops_[static_cast<size_t>(text)];
  if (!op) {
    const std::string &name = trace_->texts()[static_cast<size_t>(text)];
    if (MPI_Op handle = predefined(name); handle != MPI_OP_NULL)
      op = &mpi::Op::predefined(handle);
    else
      op = name == trace::UserOpInOrder ? doesNotCommute_ : commutes_;
  }
  return *op;
}

int playRank() {
  process::Rank &rank = *process::currentRank();
  process::enterRuntime(rank);
  Replay &replay = *Replay::running();
  try {
    rank.fiber->keep<Player>(replay, rank)->run();
  } catch (const InputError &error) {
    process::abortWorld(static_cast<int>(ExitCode::BadInput),
                        "gnomon: error: " + replay.path() + ": " + error.what() + "\n");
  }
  process::leaveRuntime(rank);
  return 0;
}

} // namespace gnomon::replay
