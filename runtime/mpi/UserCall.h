// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Runs the user's code from inside an MPI call (callbacks of attributes, error handlers): its
/// computation counts as the user's, and MPI calls that it makes do not change what the outer call
/// is.
#pragma once

#include "process/ranks/Rank.h"

namespace gnomon::mpi {

class UserCall {
public:
  explicit UserCall(process::Rank &rank) : rank_(rank), call_(rank.call) {
    process::leaveRuntime(rank);
  }
  ~UserCall() {
    process::enterRuntime(rank_);
    rank_.call = call_;
  }
  UserCall(const UserCall &) = delete;
  UserCall &operator=(const UserCall &) = delete;

private:
  process::Rank &rank_;
  process::CallSite call_;
};

} // namespace gnomon::mpi
