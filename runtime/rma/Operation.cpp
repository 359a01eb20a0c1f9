// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The ways of operations. Operation.h has the table.
#include "rma/Operation.h"

#include "process/fold/Nowhere.h"

#include "mpi/RankState.h"
#include "process/ranks/Touched.h"
#include "rma/Accumulate.h"
#include "support/Check.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace gnomon::rma {

namespace {

p2p::Fabric &fabric() { return mpi::runtime().fabric; }

mpi::Win &originEnd(const Operation &operation) {
  return *operation.window->ends[static_cast<size_t>(operation.origin)];
}

/// A copy between the operation's ends, of which one may be memory of the simulator's own.
process::Touching touching(const Operation &operation, bool toTarget) {
  const Shared &window = *operation.window;
  const uint32_t origin = window.members->process(operation.origin),
                 target = window.members->process(operation.target);
  return {toTarget ? origin : target, operation.request, toTarget ? target : origin,
          operation.request};
}

/// Bytes of the message to the target.
uint64_t bytesThere(const Operation &operation) {
  if (operation.kind == Operation::Kind::Get)
    return 0;
  if (operation.op && operation.op == &mpi::Op::predefined(mpi::Op::NoOp))
    return 0;
  const auto bytes = static_cast<uint64_t>(operation.source.bytes());
  return operation.kind == Operation::Kind::CompareAndSwap ? 2 * bytes : bytes;
}

void keepData(Operation &operation) {
  const Data &source = operation.source;
  if (process::fold::replays())
    return; // there is none
  if (operation.kind == Operation::Kind::CompareAndSwap) {
    const auto bytes = static_cast<size_t>(source.bytes());
    operation.sent.resize(2 * bytes);
    std::memcpy(operation.sent.data(), source.address, bytes);
    std::memcpy(operation.sent.data() + bytes, operation.comparand, bytes);
  } else if (operation.kind == Operation::Kind::Accumulate) {
    operation.sent = gather(source.address, source.count, *source.type.get(), *operation.element);
  } else {
    operation.sent.resize(static_cast<size_t>(source.bytes()));
    mpi::packBytes(source.address, source.count, *source.type.get(), operation.sent.data(),
                   source.bytes());
  }
}

/// The origin's buffer may be used again; what has no answer is complete for its request.
void freeBuffers(Operation &operation) {
  mpi::Win &win = originEnd(operation);
  --win.local;
  win.target(operation.target).freed.add(operation.number);
  if (operation.request)
    mpi::completeTask(*std::exchange(operation.request, nullptr));
}

void send(Operation &operation);

void finish(Operation &operation) {
  mpi::Win &win = originEnd(operation);
  Target &target = win.target(operation.target);
  --win.unfinished;
  target.finished.add(operation.number);
  --target.flying;
  delete &operation;
  if (!target.queued.empty()) {
    Operation &next = *target.queued.front();
    target.queued.pop_front();
    send(next);
  }
  win.stir();
}

void answered(void *object, uint64_t);

void answer(Operation &operation) {
  const Shared &window = *operation.window;
  const int64_t bytes = std::min(operation.place.bytes(), operation.result.bytes());
  fabric().transfer(window.members->process(operation.target),
                    window.members->process(operation.origin), static_cast<uint64_t>(bytes),
                    {answered, &operation, 0});
}

/// Reads the target's memory for the answer.
void readBack(Operation &operation) {
  const Data &place = operation.place;
  const process::Touching copying = touching(operation, false);
  operation.back.resize(static_cast<size_t>(std::min(place.bytes(), operation.result.bytes())));
  mpi::packBytes(place.address, place.count, *place.type.get(), operation.back.data(),
                 static_cast<int64_t>(operation.back.size()));
}

void compareAndSwap(Operation &operation) {
  if (process::fold::replays())
    return;
  const auto bytes = static_cast<size_t>(operation.source.bytes());
  if (std::memcmp(operation.place.address, operation.sent.data() + bytes, bytes) == 0)
    std::memcpy(operation.place.address, operation.sent.data(), bytes);
}

void changeMemory(Operation &operation) {
  const Data &place = operation.place;
  const process::Touching copying = touching(operation, true);
  switch (operation.kind) {
  case Operation::Kind::Get:
    return;
  case Operation::Kind::Put:
    if (operation.kept)
      mpi::unpackBytes(operation.sent.data(), static_cast<int64_t>(operation.sent.size()),
                       place.address, place.count, *place.type.get());
    else
      mpi::copyTyped(operation.source.address, operation.source.count, *operation.source.type.get(),
                     place.address, place.count, *place.type.get());
    return;
  case Operation::Kind::Accumulate:
    if (operation.op == &mpi::Op::predefined(mpi::Op::NoOp))
      return;
    if (!operation.kept)
      keepData(operation);
    accumulate(operation.sent, place.address, place.count, *place.type.get(), *operation.element,
               *operation.op);
    return;
  case Operation::Kind::CompareAndSwap:
    compareAndSwap(operation);
    return;
  }
}

/// The operation has taken effect: tells those who wait for it, at either side.
void noteApplied(Operation &operation) {
  Target &target = originEnd(operation).target(operation.target);
  target.applied.add(operation.number);
  while (!target.whenApplied.empty() && target.whenApplied.begin()->first <= target.applied.below())
    target.whenApplied.extract(target.whenApplied.begin()).mapped()();
  if (mpi::Win *there = operation.window->ends[static_cast<size_t>(operation.target)])
    there->stir();
}

/// The answer has come.
void answered(void *object, uint64_t) {
  auto &operation = *static_cast<Operation *>(object);
  fabric().endTimed();
  const Data &result = operation.result, &place = operation.place;
  {
    const process::Touching copying = touching(operation, false);
    if (operation.direct)
      mpi::copyTyped(place.address, place.count, *place.type.get(), result.address, result.count,
                     *result.type.get());
    else
      mpi::unpackBytes(operation.back.data(), static_cast<int64_t>(operation.back.size()),
                       result.address, result.count, *result.type.get());
  }
  freeBuffers(operation);
  if (operation.direct)
    noteApplied(operation);
  finish(operation);
}

/// The operation takes effect at the target, now (but for a direct get: when its answer arrives).
void apply(Operation &operation) {
  if (operation.answers()) {
    if (!operation.direct)
      readBack(operation);
    changeMemory(operation);
    if (!operation.direct)
      noteApplied(operation);
    answer(operation);
    return;
  }
  changeMemory(operation);
  noteApplied(operation);
  if (!operation.kept)
    freeBuffers(operation);
  finish(operation);
}

/// The message has arrived at the target.
void arrive(void *object, uint64_t) {
  auto &operation = *static_cast<Operation *>(object);
  fabric().endTimed();
  if (!operation.ordered()) {
    apply(operation);
    return;
  }
  operation.arrived = true;
  std::deque<Operation *> &queue = originEnd(operation).target(operation.target).ordered;
  while (!queue.empty() && queue.front()->arrived) {
    Operation &first = *queue.front();
    queue.pop_front();
    apply(first);
  }
}

/// Its message leaves.
void send(Operation &operation) {
  const Shared &window = *operation.window;
  ++originEnd(operation).target(operation.target).flying;
  fabric().transfer(window.members->process(operation.origin),
                    window.members->process(operation.target), bytesThere(operation),
                    {arrive, &operation, 0});
}

struct Signal {
  std::shared_ptr<Shared> window;
  std::function<void()> heard;
};

void signalArrived(void *object, uint64_t) {
  std::unique_ptr<Signal> signal(static_cast<Signal *>(object));
  fabric().endTimed();
  signal->heard();
}

} // namespace

void issue(std::unique_ptr<Operation> owned) {
  Operation &operation = *owned;
  process::World &world = mpi::runtime().world;
  const uint64_t bytes = bytesThere(operation);
  const double seconds = world.protocol.nonblockingSendSeconds(bytes);
  if (seconds > 0)
    world.engine.sleep(seconds);
  mpi::Win &win = originEnd(operation);
  Target &target = win.target(operation.target);
  ++win.unfinished;
  ++win.local;
  operation.number = target.issued++;
  const bool sends = operation.source.type.get() != nullptr;
  operation.kept = sends && bytes < world.protocol.detachedBytes();
  if (operation.kind == Operation::Kind::CompareAndSwap)
    operation.kept = true;
  if (operation.kept)
    keepData(operation);
  if (!operation.answers()) {
    target.unanswered = target.issued;
    if (operation.kept)
      freeBuffers(operation);
  }
  operation.direct =
      operation.kind == Operation::Kind::Get &&
      static_cast<uint64_t>(operation.result.bytes()) >= world.protocol.detachedBytes();
  if (operation.ordered())
    target.ordered.push_back(&operation);
  owned.release();
  if (target.flying < Depth)
    send(operation);
  else
    target.queued.push_back(&operation);
}

void signal(const std::shared_ptr<Shared> &window, int from, int to, std::function<void()> heard) {
  fabric().transfer(window->members->process(from), window->members->process(to), 0,
                    {signalArrived, new Signal{window, std::move(heard)}, 0});
}

} // namespace gnomon::rma
