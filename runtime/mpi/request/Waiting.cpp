// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mpi/request/Waiting.h"

#include "mpi/RankState.h"

namespace gnomon::mpi {

Waiting::Waiting(process::Rank &rank, const void *note, Text text, List list) {
  if (runtime().world.engine.current() != rank.fiber)
    return;
  rank_ = &rank;
  outerDescribe_ = rank.describeWait;
  outerList_ = rank.listAwaited;
  outer_ = rank.waitsFor;
  rank.describeWait = text;
  rank.listAwaited = list;
  rank.waitsFor = note;
}

Waiting::~Waiting() {
  if (!rank_)
    return;
  rank_->describeWait = outerDescribe_;
  rank_->listAwaited = outerList_;
  rank_->waitsFor = outer_;
}

} // namespace gnomon::mpi
