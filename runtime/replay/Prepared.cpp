// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "replay/Prepared.h"

#include "impl/Impl.h"
#include "mpi/comm/Comm.h"
#include "process/fold/Nowhere.h"
#include "process/ranks/World.h"
#include "replay/Player.h"
#include "support/Error.h"

#include <bit>
#include <cmath>
#include <limits>
#include <string_view>

namespace gnomon::replay {
namespace {

using Kind = Prepared::Kind;
using Step = Prepared::Step;

/// A block with fewer records for each step than this is not worth the work.
constexpr uint64_t LeastTurns = 4;

Kind kindOf(std::string_view function) {
  struct Known {
    std::string_view name;
    Kind kind;
  };
  static constexpr Known Kinds[] = {{"MPI_Send", Kind::Send},
                                    {"MPI_Recv", Kind::Receive},
                                    {"MPI_Isend", Kind::Isend},
                                    {"MPI_Irecv", Kind::Ireceive},
                                    {"MPI_Wait", Kind::Wait},
                                    {trace::PartFunction, Kind::Part},
                                    {trace::ComputeFunction, Kind::Compute}};
  for (const Known &known : Kinds)
    if (known.name == function)
      return known.kind;
  return Kind::Other;
}

/// The values of one record, by the names of fields. A record whose function has no such field has
/// none of these values that a step accepts.
class Values {
public:
  Values(const trace::Function &function, const int64_t *values)
      : function_(function), values_(values) {}
  int64_t operator[](std::string_view name) const {
    for (size_t i = 0; i < function_.fields.size(); ++i)
      if (function_.fields[i].name == name)
        return values_[i];
    return std::numeric_limits<int64_t>::min();
  }

private:
  const trace::Function &function_;
  const int64_t *values_;
};

bool fits(int64_t value, int64_t most) { return value >= 0 && value <= most; }

Step message(Kind kind, const Values &values, const mpi::Comm &world, Replay &replay) {
  constexpr int64_t MostRequests = int64_t{1} << 28;
  const bool sends = kind == Kind::Send || kind == Kind::Isend;
  const bool makesRequest = kind == Kind::Isend || kind == Kind::Ireceive;
  const int64_t peer = values[sends ? "dest" : "source"], tag = values["tag"],
                told = values["buf.count"], size = values["buf.size"],
                request = makesRequest ? values["request"] : 1;
  // A receive that takes whatever comes.
  const int64_t count = told == trace::Absent && !sends ? Piece::Anything : told;
  if (values["comm"] != trace::World || !fits(peer, world.size() - int64_t{1}) ||
      !fits(tag, std::numeric_limits<int32_t>::max()) || count < 0 || size < 0 || request < 1 ||
      request > MostRequests)
    return {};
  Step step{.kind = kind,
            .tag = static_cast<int32_t>(tag),
            .peer = static_cast<uint32_t>(peer),
            .request = static_cast<uint32_t>(request),
            .context = world.context(mpi::Channel::User)};
  step.type = &replay.type(size);
  step.signature = step.type->signature();
  step.count = count;
  step.bytes = static_cast<uint64_t>(count * step.type->size());
  return step;
}

Step computation(Kind kind, const Values &values, Replay &replay) {
  if (!process::computationCosts())
    return {.kind = Kind::Nothing};
  const auto real = [&](std::string_view name) {
    const int64_t value = values[name];
    return value == std::numeric_limits<int64_t>::min() ? std::nan("")
                                                        : std::bit_cast<double>(value);
  };
  Step step{.kind = kind};
  try {
    step.cost = replay.cost(values["burst"], real("instructions"), real("seconds"));
  } catch (const InputError &) {
    return {}; // told with its place when it is played
  }
  step.memoryShare = replay.memoryShare(values["burst"]);
  return step;
}

Step wait(const Values &values) {
  const int64_t request = values["request"];
  if (request < 1 || request > std::numeric_limits<uint32_t>::max())
    return {};
  return {.kind = Kind::Wait, .request = static_cast<uint32_t>(request)};
}

Step prepare(const trace::Function &function, const Binding &binding, const int64_t *values,
             const mpi::Comm &world, Replay &replay) {
  const Kind kind = kindOf(function.name);
  if (kind == Kind::Other || binding.hasLists || binding.error >= 0 || binding.bytesFactor != 1 ||
      binding.takesWhatever)
    return {};
  const Values named(function, values);
  Step step;
  if (kind == Kind::Part || kind == Kind::Compute)
    step = computation(kind, named, replay);
  else
    step = kind == Kind::Wait ? wait(named) : message(kind, named, world, replay);
  step.name = binding.handler->name;
  return step;
}

} // namespace

Prepared::Prepared(std::shared_ptr<const trace::Block> played, const mpi::Comm &world,
                   Replay &replay)
    : block(std::move(played)) {
  if (block->records < LeastTurns * block->steps.size())
    return;
  steps.resize(block->steps.size());
  for (size_t i = 0; i < steps.size(); ++i)
    if (const trace::Block::Step &step = block->steps[i]; step.function != trace::Block::Loop)
      steps[i] = prepare(replay.trace().functions()[step.function], replay.binding(step.function),
                         block->values.data() + step.at, world, replay);
}

int Prepared::Step::play(Player &player, int peer) const {
  mpi::Comm &world = player.comm(trace::World);
  void *const buffer = process::fold::nowhere();
  MPI_Request made = MPI_REQUEST_NULL;
  int code = MPI_SUCCESS;
  switch (kind) {
  case Kind::Send:
    return impl::Send(buffer, count, *type, peer, tag, world);
  case Kind::Receive:
    return impl::Recv(buffer, count, *type, peer, tag, world, MPI_STATUS_IGNORE);
  case Kind::Isend:
    code = impl::Isend(buffer, count, *type, peer, tag, world, &made);
    player.keepRequest(request, made);
    break;
  case Kind::Ireceive:
    code = impl::Irecv(buffer, count, *type, peer, tag, world, &made);
    player.keepRequest(request, made);
    break;
  case Kind::Wait:
    return impl::Wait(player.request(request), MPI_STATUS_IGNORE);
  case Kind::Part:
  case Kind::Compute:
    give(player.rank());
    if (kind == Kind::Compute)
      player.rank().burst.computeGiven(player.rank());
    break;
  case Kind::Nothing:
  case Kind::Other:
    break;
  }
  return code;
}

} // namespace gnomon::replay
