// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The life of a nonblocking or persistent collective: spawned by the call or by MPI_Start, ends by
/// completing the request.
#include "coll/Nonblocking.h"

#include "coll/Timed.h"
#include "coll/inter/Inter.h"
#include "mpi.h"
#include "process/ranks/Rank.h"

#include <memory>
#include <utility>

namespace gnomon::coll {

namespace {

template <class Args> struct Task {
  Args args;
  Kept kept;
  mpi::Request *request;
  kernel::Fiber *fiber = nullptr;

  ~Task() {
    if (kept.op)
      kept.op->release();
  }
};

void giveBackStack(void *fiber, uint64_t) {
  process::world().engine.release(*static_cast<kernel::Fiber *>(fiber));
}

template <class Args> void runTask(void *argument) {
  auto *task = static_cast<Task<Args> *>(argument);
  std::unique_ptr<Task<Args>> last(task->request->persistent ? nullptr : task);
  const int error = perform(task->args);
  kernel::Fiber *fiber = task->fiber;
  mpi::completeTask(*task->request, error);
  // Nobody stands on this stack any more when the scheduler plays its next event.
  kernel::Engine &engine = process::world().engine;
  engine.at(engine.now(), {giveBackStack, fiber, 0});
}

template <class Args> void startTask(mpi::Request &request, void *argument) {
  auto *task = static_cast<Task<Args> *>(argument);
  task->fiber = &process::world().engine.spawn(runTask<Args>, task, &request.comm->owner());
}

template <class Args> void destroyTask(mpi::Request &, void *argument) {
  delete static_cast<Task<Args> *>(argument);
}

/// Makes \p array a copy of itself.
void keep(Kept &kept, Counts &array, int length) {
  if (!array)
    return;
  std::vector<int64_t> &copy = kept.numbers.emplace_back();
  for (int i = 0; i < length; ++i)
    copy.push_back(array[i]);
  array = copy.data();
}

// What arguments point to must live as long as they do. Arrays that are not significant may be
// anything, and stay.
void keepArrays(const Call &, Kept &) {}
template <class Args> bool isRoot(const Args &args) {
  return args.root == (args.comm.isInter() ? MPI_ROOT : args.rank);
}
void keepArrays(ReduceScatterArgs &args, Kept &kept) { keep(kept, args.counts, args.size); }
template <class Args> void keepBlocks(Args &args, Kept &kept) {
  keep(kept, args.counts, args.comm.peers());
  keep(kept, args.displacements, args.comm.peers());
}
void keepArrays(GatherArgs &args, Kept &kept) {
  if (isRoot(args))
    keepBlocks(args, kept);
}
void keepArrays(ScatterArgs &args, Kept &kept) {
  if (isRoot(args))
    keepBlocks(args, kept);
}
void keepArrays(AllgatherBase &args, Kept &kept) { keepBlocks(args, kept); }
template <class Args> void keepExchange(Args &args, Kept &kept) {
  keep(kept, args.recvCounts, args.comm.peers());
  keep(kept, args.recvDisplacements, args.comm.peers());
  if (inPlace(args.send))
    return;
  keep(kept, args.sendCounts, args.comm.peers());
  keep(kept, args.sendDisplacements, args.comm.peers());
}
void keepArrays(AlltoallvArgs &args, Kept &kept) { keepExchange(args, kept); }
void keepArrays(AlltoallwArgs &args, Kept &kept) {
  keepExchange(args, kept);
  args.sendTypes = kept.sendTypes.data();
  args.recvTypes = kept.recvTypes.data();
}

/// A task without a request, with a tag of its own: it may overlap others.
template <class Args> Task<Args> *newOperation(const Args &args, Kept kept) {
  if (kept.op && !kept.op->isPredefined())
    kept.op->retain();
  else
    kept.op = nullptr;
  auto *task = new Task<Args>{args, std::move(kept), nullptr};
  task->args.tag = args.comm.nextCollectiveTag();
  keepArrays(task->args, task->kept);
  return task;
}

} // namespace

template <class Args>
int start(const char *name, const Args &args, Kept kept, MPI_Request *request) {
  if (args.comm.isInter())
    if (int error = refuse(args))
      return error;
  Task<Args> *task = newOperation(args, std::move(kept));
  task->request = mpi::newCollective(args.comm, name);
  *request = mpi::expose(*task->request);
  startTask<Args>(*task->request, task);
  return 0;
}

template <class Args>
int prepare(const char *name, const Args &args, Kept kept, MPI_Request *request) {
  if (args.comm.isInter())
    if (int error = refuse(args))
      return error;
  Task<Args> *task = newOperation(args, std::move(kept));
  task->request =
      mpi::newPersistentCollective(args.comm, name, {startTask<Args>, destroyTask<Args>}, task);
  *request = mpi::expose(*task->request);
  return 0;
}

#define GNOMON_COLLECTIVE(ARGS, NAME)                                                              \
  template int start<ARGS>(const char *name, const ARGS &args, Kept kept, MPI_Request *request);   \
  template int prepare<ARGS>(const char *name, const ARGS &args, Kept kept, MPI_Request *request);
#include "coll/Collectives.def"

} // namespace gnomon::coll
