// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "io/Runtime.h"

#include "support/Check.h"

#include <sys/resource.h>

namespace gnomon::io {

static std::unique_ptr<Runtime> theRuntime;

/// Each open file of each rank group needs a descriptor: as many as the system lets us have.
static void raiseDescriptorLimit() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
    return;
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
}

void setUp(process::World &world, models::DiskModel &disks, Settings settings) {
  CHECK(!theRuntime, "one simulation at a time");
  auto sizes = settings.sizesOnly ? std::make_unique<SizesOnly>() : nullptr;
  SizesOnly *const sizesOnly = sizes.get();
  std::unique_ptr<FileSystem> files = std::move(sizes);
  if (!files)
    files = settings.scratch ? scratchFiles(settings.scratchDirectory) : realFiles();
  theRuntime.reset(new Runtime{world, disks, std::move(settings), std::move(files), sizesOnly, {}});
}

Runtime &runtime() { return *theRuntime; }

Representations &representations(const process::Rank &rank) {
  std::deque<Representations> &all = theRuntime->representations;
  if (all.empty())
    raiseDescriptorLimit();
  if (rank.number >= all.size()) // ranks may be added to a run
    all.resize(theRuntime->world.ranks.size());
  return all[rank.number];
}

} // namespace gnomon::io
