// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The life of a nonblocking collective: spawned by the call, ends by completing the request.
#include "coll/Nonblocking.h"

#include "coll/Timed.h"
#include "coll/inter/Inter.h"
#include "process/Rank.h"

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
  std::unique_ptr<Task<Args>> task(static_cast<Task<Args> *>(argument));
  mpi::completeTask(*task->request, perform(task->args));
  // Nobody stands on this stack any more when the scheduler plays its next event.
  kernel::Engine &engine = process::world().engine;
  engine.at(engine.now(), {giveBackStack, task->fiber, 0});
}

} // namespace

template <class Args>
int start(const char *name, const Args &args, Kept kept, MPI_Request *request) {
  if (args.comm.isInter())
    if (int error = refuse(args))
      return error;
  if (kept.op && !kept.op->isPredefined())
    kept.op->retain();
  else
    kept.op = nullptr;
  auto *task = new Task<Args>{args, std::move(kept), mpi::newTask(args.comm, name)};
  task->args.tag = args.comm.nextCollectiveTag(); // it may overlap others
  if constexpr (std::is_same_v<Args, AlltoallwArgs>) {
    task->args.sendTypes = task->kept.sendTypes.data();
    task->args.recvTypes = task->kept.recvTypes.data();
  }
  *request = mpi::expose(*task->request);
  task->fiber = &process::world().engine.spawn(runTask<Args>, task, &args.comm.owner());
  return 0;
}

#define GNOMON_COLLECTIVE(ARGS, NAME)                                                              \
  template int start<ARGS>(const char *name, const ARGS &args, Kept kept, MPI_Request *request);
#include "coll/Collectives.def"

} // namespace gnomon::coll
