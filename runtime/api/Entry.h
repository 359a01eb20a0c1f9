// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What every generated entry of MPI does around the implementation: stops the burst clock, notes
/// the call for reports, resolves handles, checks arguments, and raises errors. The good path
/// allocates nothing and builds no text; a null call costs some tens of nanoseconds
/// (bench/EntryBench.cpp).
///
/// An entry reads:
///
///     Entry entry("MPI_Send", site);                       // clock stopped, call noted
///     mpi::Comm *const commObject = entry.comm("comm", comm);
///     if (entry.failed())
///       return entry.finish(commObject);
///     entry.count("count", count); …                       // the first failure is kept
///     if (entry.failed())
///       return entry.finish(commObject);
///     return entry.finish(impl::Send(…), commObject);
#pragma once

#include "mpi.h"
#include "mpi/Error.h"
#include "mpi/Handle.h"
#include "mpi/RankState.h"
#include "mpi/comm/Comm.h"
#include "mpi/comm/Topology.h"
#include "mpi/datatype/Datatype.h"
#include "mpi/datatype/Op.h"
#include "process/ranks/Rank.h"

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace gnomon::api {

/// The largest tag, MPI_TAG_UB.
inline constexpr int TagUpperBound = INT32_MAX;

inline constexpr mpi::Comm *NoComm = nullptr;
/// In place of a call's file: its errors are MPI_FILE_NULL's.
inline constexpr mpi::File *NoFile = nullptr;

/// What callingRank() does where the rank was not told of: in unit tests, and when there is none.
[[gnu::cold]] process::Rank &findCallingRank(const char *function);
/// The rank that runs now. Ends the process with a message when there is none: MPI called before
/// main, from a thread, or from a program whose main was built without the flag.
inline process::Rank &callingRank(const char *function) {
  process::Rank *rank = process::rankInPlace;
  if (!rank || !rank->mpi) [[unlikely]]
    return findCallingRank(function);
  return *rank;
}

class Entry {
public:
  enum class When { Running, Anytime };

  Entry(const char *function, const void *returnAddress, When when = When::Running)
      : rank_(callingRank(function)), outer_(rank_.call) {
    process::enterRuntime(rank_);
    rank_.call = {function, returnAddress};
    if (when == When::Running && mpi::state(rank_).phase != mpi::Phase::Initialized) [[unlikely]]
      notRunning();
  }
  ~Entry() {
    rank_.call = outer_;
    process::leaveRuntime(rank_);
  }
  Entry(const Entry &) = delete;
  Entry &operator=(const Entry &) = delete;

  process::Rank &rank() const { return rank_; }
  bool failed() const { return error_ != MPI_SUCCESS; }
  /// The end of a call whose arguments are wrong.
  int finish(mpi::Comm *comm) { return raise(error_, comm); }
  /// The end of a call whose implementation returned \p code.
  int finish(int code, mpi::Comm *comm) {
    if (code != MPI_SUCCESS) [[unlikely]]
      return raise(code, comm);
    return code;
  }
  /// Of a call that belongs to no communicator.
  int finish(std::nullptr_t) { return raise(error_, NoComm); }
  int finish(int code, std::nullptr_t) { return finish(code, NoComm); }
  /// The same for calls on files; null: the call's errors are MPI_FILE_NULL's.
  int finish(mpi::File *file) { return raise(error_, file); }
  int finish(int code, mpi::File *file) {
    if (code != MPI_SUCCESS) [[unlikely]]
      return raise(code, file);
    return code;
  }
  /// The end of a call that Gnomon has no implementation of.
  int unsupported(mpi::Comm *comm);

  // Handles. Null after a failure, and for the null handle where `nullable`.
  mpi::Comm *comm(const char *name, MPI_Comm handle, bool nullable = false) {
    if (handle == MPI_COMM_WORLD) [[likely]]
      return &*mpi::state(rank_).world;
    return object<mpi::Comm>(name, handle, MPI_ERR_COMM, nullable);
  }
  mpi::Group *group(const char *name, MPI_Group handle) {
    return object<mpi::Group>(name, handle, MPI_ERR_GROUP, false);
  }
  /// A type for communication: it must be committed.
  mpi::Datatype *datatype(const char *name, MPI_Datatype handle) {
    if (mpi::Datatype *type = mpi::Datatype::findPredefined(handle)) [[likely]]
      return type; // which is committed
    return derived(name, handle);
  }
  mpi::Datatype *anytype(const char *name, MPI_Datatype handle) {
    return object<mpi::Datatype>(name, handle, MPI_ERR_TYPE, false);
  }
  mpi::Op *op(const char *name, MPI_Op handle) {
    return object<mpi::Op>(name, handle, MPI_ERR_OP, false);
  }
  mpi::Errhandler *errhandler(const char *name, MPI_Errhandler handle) {
    return object<mpi::Errhandler>(name, handle, MPI_ERR_ARG, false);
  }
  mpi::Info *info(const char *name, MPI_Info handle, bool nullable = false) {
    return object<mpi::Info>(name, handle, MPI_ERR_INFO, nullable);
  }
  mpi::Request *request(const char *name, MPI_Request handle, bool nullable = false) {
    return object<mpi::Request>(name, handle, MPI_ERR_REQUEST, nullable);
  }
  /// Errors of the call are raised on the window from then on.
  mpi::Win *win(const char *name, MPI_Win handle) {
    return window_ = object<mpi::Win>(name, handle, MPI_ERR_WIN, false);
  }
  mpi::File *file(const char *name, MPI_File handle, bool nullable = false) {
    return object<mpi::File>(name, handle, MPI_ERR_FILE, nullable);
  }
  mpi::Session *session(const char *name, MPI_Session handle) {
    return object<mpi::Session>(name, handle, MPI_ERR_SESSION, false);
  }
  mpi::Message *message(const char *name, MPI_Message handle) {
    return object<mpi::Message>(name, handle, MPI_ERR_REQUEST, false);
  }
  /// Stand in for a type and an op that are not significant in this call.
  static mpi::Datatype *insignificantType();
  static mpi::Op *insignificantOp();

  // Numbers.
  void count(const char *name, int64_t value) { nonNegative(name, value, MPI_ERR_COUNT); }
  void nonNegative(const char *name, int64_t value, int errorClass = MPI_ERR_ARG) {
    if (value < 0) [[unlikely]]
      wrong(errorClass, name, value);
  }
  void displacementUnit(const char *name, int64_t value) {
    if (value <= 0) [[unlikely]]
      wrong(MPI_ERR_DISP, name, value);
  }
  void size(const char *name, int64_t value) { nonNegative(name, value, MPI_ERR_SIZE); }
  void ndims(const char *name, int64_t value) { nonNegative(name, value, MPI_ERR_DIMS); }
  void array(const char *name, const void *address, int64_t length) {
    if (!address && length > 0) [[unlikely]]
      missing(MPI_ERR_ARG, name, length);
  }
  template <class Count> void counts(const char *name, const Count *values, int64_t length) {
    if (!values && length > 0) [[unlikely]]
      return missing(MPI_ERR_ARG, name, length);
    for (int64_t i = 0; i < length; ++i)
      if (values[i] < 0) [[unlikely]]
        return wrong(MPI_ERR_COUNT, name, values[i], i);
  }
  void datatypes(const char *name, const MPI_Datatype *handles, int64_t length) {
    array(name, handles, length);
    for (int64_t i = 0; i < length && !failed(); ++i)
      datatype(name, handles[i]);
  }
  void anytypes(const char *name, const MPI_Datatype *handles, int64_t length) {
    array(name, handles, length);
    for (int64_t i = 0; i < length && !failed(); ++i)
      anytype(name, handles[i]);
  }

  /// That so many elements have bytes and places that 64 bits can tell.
  void fits(const char *name, int64_t value, const mpi::Datatype *type) {
    int64_t bytes;
    if (type && (__builtin_mul_overflow(value, type->size(), &bytes) ||
                 __builtin_mul_overflow(value, type->extent(), &bytes))) [[unlikely]]
      tooLarge(name, value);
  }

  // Ranks and tags.
  void dest(const char *name, int value, const mpi::Comm &comm) {
    if ((value < 0 || value >= comm.peers()) && value != MPI_PROC_NULL) [[unlikely]]
      wrongRank(name, value, comm);
  }
  void source(const char *name, int value, const mpi::Comm &comm) {
    if ((value < 0 || value >= comm.peers()) && value != MPI_PROC_NULL && value != MPI_ANY_SOURCE)
        [[unlikely]]
      wrongRank(name, value, comm);
  }
  void rank(const char *name, int value, const mpi::Comm &comm) {
    if (value < 0 || value >= comm.size()) [[unlikely]]
      wrongRank(name, value, comm);
  }
  /// On an intercommunicator the root says MPI_ROOT, its group MPI_PROC_NULL, the other group the
  /// root's rank.
  void root(const char *name, int value, const mpi::Comm &comm) {
    if (value < 0 || value >= comm.peers()) [[unlikely]]
      if (!comm.isInter() || (value != MPI_ROOT && value != MPI_PROC_NULL))
        wrongRank(name, value, comm, MPI_ERR_ROOT);
  }
  /// Whether what counts only at the root counts here.
  static bool atRoot(int root, const mpi::Comm &comm) {
    return root == (comm.isInter() ? MPI_ROOT : comm.rank());
  }
  /// A number that is found to name no keyval.
  void keyval(const char *name, int value) { wrong(MPI_ERR_KEYVAL, name, value); }
  void tag(const char *name, int value) { nonNegative(name, value, MPI_ERR_TAG); }
  void anyTag(const char *name, int value) {
    if (value < 0 && value != MPI_ANY_TAG) [[unlikely]]
      wrong(MPI_ERR_TAG, name, value);
  }

  // Addresses.
  /// A null buffer is MPI_BOTTOM: right only with a type of absolute addresses.
  void buffer(const char *name, const void *address, int64_t count, const mpi::Datatype *type) {
    if (reinterpret_cast<uintptr_t>(address) <= 1) [[unlikely]]
      noMemory(name, address, count, type);
  }
  void bufferOrInPlace(const char *name, const void *address, int64_t count,
                       const mpi::Datatype *type) {
    if (!address) [[unlikely]]
      noMemory(name, address, count, type);
  }
  /// Two buffers that a call wants to be different memory.
  static bool same(const void *a, const void *b) {
    return a == b && reinterpret_cast<uintptr_t>(a) > 1;
  }
  template <class Count> static bool anyPositive(const Count *counts, int64_t length) {
    for (int64_t i = 0; i < length; ++i)
      if (counts[i] > 0)
        return true;
    return false;
  }
  /// Where element \p index of a buffer is.
  static const void *at(const void *buffer, int64_t index, const mpi::Datatype &type) {
    return static_cast<const char *>(buffer) + index * type.extent();
  }
  [[gnu::cold]] void aliased(const char *first, const char *second);
  /// The end of a collective that differs from the other ranks'.
  [[gnu::cold]] int disagree(const std::string &difference, mpi::Comm &comm);
  void string(const char *name, const char *text) {
    if (!text) [[unlikely]]
      missing(MPI_ERR_ARG, name, 1);
  }
  void result(const char *name, const void *address) {
    if (!address) [[unlikely]]
      missing(MPI_ERR_ARG, name, 1);
  }

private:
  [[gnu::noinline]] mpi::Datatype *derived(const char *name, MPI_Datatype handle);
  template <class T>
  T *object(const char *name, mpi::HandleOf<T> handle, int errorClass, bool nullable) {
    T *found = mpi::find<T>(rank_, handle);
    if (!found) [[unlikely]] {
      if (!(nullable && handle == mpi::nullHandle<T>()))
        wrongHandle(errorClass, name, reinterpret_cast<uintptr_t>(handle), HandleName<T>());
    }
    return found;
  }
  template <class T> static const char *HandleName();

  // Each keeps the first failure only.
  [[gnu::cold]] void notRunning();
  [[gnu::cold]] void wrong(int errorClass, const char *name, int64_t value, int64_t index = -1);
  [[gnu::cold]] void wrongRank(const char *name, int value, const mpi::Comm &comm,
                               int errorClass = MPI_ERR_RANK);
  [[gnu::cold]] void wrongHandle(int errorClass, const char *name, uintptr_t handle,
                                 const char *type);
  [[gnu::cold]] void uncommitted(const char *name);
  [[gnu::cold]] void noMemory(const char *name, const void *address, int64_t count,
                              const mpi::Datatype *type);
  [[gnu::cold]] void tooLarge(const char *name, int64_t value);
  [[gnu::cold]] void missing(int errorClass, const char *name, int64_t count);
  [[gnu::cold]] void keep(int errorClass, std::string detail);
  [[gnu::cold]] int raise(int code, mpi::Comm *comm);
  [[gnu::cold]] int raise(int code, mpi::File *file);

  process::Rank &rank_;
  process::CallSite outer_; ///< of the call whose callback made this one
  int error_ = MPI_SUCCESS;
  mpi::Win *window_ = nullptr;
};

template <> inline const char *Entry::HandleName<mpi::Comm>() { return "communicator"; }
template <> inline const char *Entry::HandleName<mpi::Group>() { return "group"; }
template <> inline const char *Entry::HandleName<mpi::Datatype>() { return "datatype"; }
template <> inline const char *Entry::HandleName<mpi::Op>() { return "operation"; }
template <> inline const char *Entry::HandleName<mpi::Errhandler>() { return "error handler"; }
template <> inline const char *Entry::HandleName<mpi::Info>() { return "info object"; }
template <> inline const char *Entry::HandleName<mpi::Request>() { return "request"; }
template <> inline const char *Entry::HandleName<mpi::Win>() { return "window"; }
template <> inline const char *Entry::HandleName<mpi::File>() { return "file"; }
template <> inline const char *Entry::HandleName<mpi::Message>() { return "message"; }
template <> inline const char *Entry::HandleName<mpi::Session>() { return "session"; }

/// Whether a buffer argument is MPI_IN_PLACE.
inline bool inPlace(const void *address) { return address == MPI_IN_PLACE; }

} // namespace gnomon::api
