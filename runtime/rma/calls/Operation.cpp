// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// MPI's operations of one-sided communication: checks of what the rows of the table cannot say,
/// and the making of an Operation.
#include "rma/Operation.h"
#include "impl/Impl.h"
#include "mpi/RankState.h"
#include "rma/Accumulate.h"
#include "rma/Synchronise.h"

#include <fmt/format.h>
#include <memory>

namespace gnomon::impl {

using namespace mpi;
using rma::Data;
using rma::Operation;

namespace {

/// The arguments that all operations have.
struct Call {
  Win &win;
  Operation::Kind kind;
  int target;
  MPI_Aint displacement;
  Data source{}, result{}, place{};
  const Op *op = nullptr;
  const void *comparand = nullptr;
  const char *name = nullptr;     ///< of a form with a request
  MPI_Request *request = nullptr; ///< null: a form without
};

Data dataOf(const void *address, int64_t count, const Datatype &type) {
  return {const_cast<void *>(address), count, type};
}

int checkTarget(const Call &call) {
  Win &win = call.win;
  if (call.target != MPI_PROC_NULL && (call.target < 0 || call.target >= win.size()))
    return failOn(win, MPI_ERR_RANK,
                  fmt::format("invalid target_rank: {} of {} ranks", call.target, win.size()));
  if (call.place.count < 0)
    return failOn(win, MPI_ERR_COUNT, fmt::format("invalid target_count: {}", call.place.count));
  if (!win.epoch.operation(call.target, call.request != nullptr))
    return rma::wrongEpoch(
        win, call.request ? "the target is not locked, as an operation with a request needs"
                          : "the rank is in no epoch in which it may access the target");
  return MPI_SUCCESS;
}

/// Whether the target's part of the window has what the operation touches.
int checkRange(Call &call) {
  Win &win = call.win;
  const rma::Shared &shared = win.shared();
  const Datatype &type = *call.place.type.get();
  if (call.displacement < 0 && shared.flavor != rma::Flavor::Dynamic)
    return failOn(win, MPI_ERR_DISP, fmt::format("invalid target_disp: {}", call.displacement));
  char *const address = shared.address(call.target, call.displacement);
  call.place.address = address;
  const int64_t spread = (call.place.count - 1) * type.extent();
  const char *from = address + type.trueLowerBound() + std::min<int64_t>(spread, 0);
  const char *to =
      address + type.trueLowerBound() + type.trueExtent() + std::max<int64_t>(spread, 0);
  if (shared.covers(call.target, from, to))
    return MPI_SUCCESS;
  const rma::Side &side = shared.sides[static_cast<size_t>(call.target)];
  return failOn(win, MPI_ERR_RMA_RANGE,
                shared.flavor == rma::Flavor::Dynamic
                    ? fmt::format("rank {} has not attached the {} bytes that are accessed",
                                  call.target, to - from)
                    : fmt::format("bytes {} to {} of the {} bytes of rank {}",
                                  from - static_cast<char *>(side.base),
                                  to - static_cast<char *>(side.base), side.bytes, call.target));
}

/// What is sent must fit where it goes.
int checkSizes(const Call &call) {
  const Data &into = call.kind == Operation::Kind::Get ? call.result : call.place;
  const Data &from = call.kind == Operation::Kind::Get ? call.place : call.source;
  if (from.bytes() <= into.bytes())
    return MPI_SUCCESS;
  return failOn(call.win, MPI_ERR_TRUNCATE,
                fmt::format("{} bytes into {}", from.bytes(), into.bytes()));
}

/// The one element that both sides are made of, and to which the op applies.
int checkElement(const Call &call, const Datatype *&element) {
  Win &win = call.win;
  element = rma::elementOf(*call.place.type.get());
  if (!element)
    return failOn(win, MPI_ERR_TYPE,
                  "invalid target_datatype: it is not made of one predefined datatype");
  if (!call.op->isPredefined())
    return failOn(win, MPI_ERR_OP, "invalid op: an accumulate takes predefined operations only");
  if (!call.op->accepts(*element))
    return failOn(win, MPI_ERR_OP,
                  std::string("invalid op: ") + call.op->name() + " cannot be applied to " +
                      element->name());
  const bool reads = call.op != &Op::predefined(Op::NoOp);
  if (reads && rma::elementOf(*call.source.type.get()) == nullptr)
    return failOn(win, MPI_ERR_TYPE,
                  "invalid origin_datatype: it is not made of one predefined datatype");
  return MPI_SUCCESS;
}

Request *newRequest(const Call &call) {
  if (!call.request)
    return nullptr;
  Request *request = newTask(call.win.comm(), call.name);
  *call.request = expose(*request);
  return request;
}

/// Nothing moves: the target is MPI_PROC_NULL, or there is no data.
int nothing(const Call &call) {
  if (Request *request = newRequest(call))
    completeTask(*request);
  return MPI_SUCCESS;
}

bool isEmpty(const Call &call) {
  const bool gets = call.result.type.get() != nullptr;
  const bool puts = call.source.type.get() && call.op != &Op::predefined(Op::NoOp);
  return call.place.bytes() == 0 ||
         (!(gets && call.result.bytes() > 0) && !(puts && call.source.bytes() > 0));
}

int perform(Call &&call) {
  if (int error = checkTarget(call))
    return error;
  if (call.target == MPI_PROC_NULL || isEmpty(call))
    return nothing(call);
  if (int error = checkRange(call))
    return error;
  const Datatype *element = nullptr;
  if (call.kind == Operation::Kind::Accumulate)
    if (int error = checkElement(call, element))
      return error;
  if (call.op == &Op::predefined(Op::NoOp))
    call.source = {};
  if (int error = checkSizes(call))
    return error;
  auto operation = std::make_unique<Operation>();
  operation->kind = call.kind;
  operation->window = call.win.sharedRef();
  operation->origin = call.win.rank();
  operation->target = call.target;
  operation->source = std::move(call.source);
  operation->result = std::move(call.result);
  operation->place = std::move(call.place);
  operation->comparand = call.comparand;
  operation->op = call.op;
  operation->element = element;
  operation->request = newRequest(call);
  rma::issue(std::move(operation));
  return MPI_SUCCESS;
}

Call call(Win &win, Operation::Kind kind, int target, MPI_Aint displacement, int64_t count,
          Datatype &type) {
  Call made{win, kind, target, displacement};
  made.place = dataOf(nullptr, count, type);
  return made;
}

Call putCall(const void *origin, int64_t count, Datatype &type, int target, MPI_Aint displacement,
             int64_t targetCount, Datatype &targetType, Win &win) {
  Call made = call(win, Operation::Kind::Put, target, displacement, targetCount, targetType);
  made.source = dataOf(origin, count, type);
  return made;
}

Call getCall(void *origin, int64_t count, Datatype &type, int target, MPI_Aint displacement,
             int64_t targetCount, Datatype &targetType, Win &win) {
  Call made = call(win, Operation::Kind::Get, target, displacement, targetCount, targetType);
  made.result = dataOf(origin, count, type);
  return made;
}

Call accumulateCall(const void *origin, int64_t count, Datatype &type, int target,
                    MPI_Aint displacement, int64_t targetCount, Datatype &targetType, Op &op,
                    Win &win) {
  Call made = call(win, Operation::Kind::Accumulate, target, displacement, targetCount, targetType);
  made.source = dataOf(origin, count, type);
  made.op = &op;
  return made;
}

Call &&withRequest(Call &&made, const char *name, MPI_Request *request) {
  made.name = name;
  made.request = request;
  return std::move(made);
}

/// MPI_NO_OP makes no sense where nothing comes back.
int refuseNoOp(Win &win, const Op &op) {
  if (&op != &Op::predefined(Op::NoOp))
    return MPI_SUCCESS;
  return failOn(win, MPI_ERR_OP,
                "invalid op: MPI_NO_OP is for operations that get the old content");
}

} // namespace

int Put(const void *origin_addr, MPI_Count origin_count, Datatype &origin_datatype, int target_rank,
        MPI_Aint target_disp, MPI_Count target_count, Datatype &target_datatype, Win &win) {
  return perform(putCall(origin_addr, origin_count, origin_datatype, target_rank, target_disp,
                         target_count, target_datatype, win));
}

int Rput(const void *origin_addr, MPI_Count origin_count, Datatype &origin_datatype,
         int target_rank, MPI_Aint target_disp, MPI_Count target_count, Datatype &target_datatype,
         Win &win, MPI_Request *request) {
  return perform(withRequest(putCall(origin_addr, origin_count, origin_datatype, target_rank,
                                     target_disp, target_count, target_datatype, win),
                             "MPI_Rput", request));
}

int Get(void *origin_addr, MPI_Count origin_count, Datatype &origin_datatype, int target_rank,
        MPI_Aint target_disp, MPI_Count target_count, Datatype &target_datatype, Win &win) {
  return perform(getCall(origin_addr, origin_count, origin_datatype, target_rank, target_disp,
                         target_count, target_datatype, win));
}

int Rget(void *origin_addr, MPI_Count origin_count, Datatype &origin_datatype, int target_rank,
         MPI_Aint target_disp, MPI_Count target_count, Datatype &target_datatype, Win &win,
         MPI_Request *request) {
  return perform(withRequest(getCall(origin_addr, origin_count, origin_datatype, target_rank,
                                     target_disp, target_count, target_datatype, win),
                             "MPI_Rget", request));
}

int Accumulate(const void *origin_addr, MPI_Count origin_count, Datatype &origin_datatype,
               int target_rank, MPI_Aint target_disp, MPI_Count target_count,
               Datatype &target_datatype, Op &op, Win &win) {
  if (int error = refuseNoOp(win, op))
    return error;
  return perform(accumulateCall(origin_addr, origin_count, origin_datatype, target_rank,
                                target_disp, target_count, target_datatype, op, win));
}

int Raccumulate(const void *origin_addr, MPI_Count origin_count, Datatype &origin_datatype,
                int target_rank, MPI_Aint target_disp, MPI_Count target_count,
                Datatype &target_datatype, Op &op, Win &win, MPI_Request *request) {
  if (int error = refuseNoOp(win, op))
    return error;
  return perform(withRequest(accumulateCall(origin_addr, origin_count, origin_datatype, target_rank,
                                            target_disp, target_count, target_datatype, op, win),
                             "MPI_Raccumulate", request));
}

int Get_accumulate(const void *origin_addr, MPI_Count origin_count, Datatype &origin_datatype,
                   void *result_addr, MPI_Count result_count, Datatype &result_datatype,
                   int target_rank, MPI_Aint target_disp, MPI_Count target_count,
                   Datatype &target_datatype, Op &op, Win &win) {
  Call made = accumulateCall(origin_addr, origin_count, origin_datatype, target_rank, target_disp,
                             target_count, target_datatype, op, win);
  made.result = dataOf(result_addr, result_count, result_datatype);
  return perform(std::move(made));
}

int Rget_accumulate(const void *origin_addr, MPI_Count origin_count, Datatype &origin_datatype,
                    void *result_addr, MPI_Count result_count, Datatype &result_datatype,
                    int target_rank, MPI_Aint target_disp, MPI_Count target_count,
                    Datatype &target_datatype, Op &op, Win &win, MPI_Request *request) {
  Call made = accumulateCall(origin_addr, origin_count, origin_datatype, target_rank, target_disp,
                             target_count, target_datatype, op, win);
  made.result = dataOf(result_addr, result_count, result_datatype);
  return perform(withRequest(std::move(made), "MPI_Rget_accumulate", request));
}

int Fetch_and_op(const void *origin_addr, void *result_addr, Datatype &datatype, int target_rank,
                 MPI_Aint target_disp, Op &op, Win &win) {
  if (!datatype.isPredefined())
    return failOn(win, MPI_ERR_TYPE, "invalid datatype: it must be predefined");
  Call made =
      accumulateCall(origin_addr, 1, datatype, target_rank, target_disp, 1, datatype, op, win);
  made.result = dataOf(result_addr, 1, datatype);
  return perform(std::move(made));
}

int Compare_and_swap(const void *origin_addr, const void *compare_addr, void *result_addr,
                     Datatype &datatype, int target_rank, MPI_Aint target_disp, Win &win) {
  if (!rma::isComparable(datatype))
    return failOn(win, MPI_ERR_TYPE,
                  "invalid datatype: it must be a predefined integer, logical or byte");
  Call made = call(win, Operation::Kind::CompareAndSwap, target_rank, target_disp, 1, datatype);
  made.source = dataOf(origin_addr, 1, datatype);
  made.result = dataOf(result_addr, 1, datatype);
  made.comparand = compare_addr;
  return perform(std::move(made));
}

} // namespace gnomon::impl
