// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// One call of MPI, from the program's side to the program's side: the generated wrappers make a
/// Call, tell it their arguments, call the real function and tell it what came of it.
///
///     Call call("MPI_Send");
///     if (call) { call.payload("buf", buf, count, datatype); …; call.leave(); }
///     const int code = real(buf, count, …);
///     if (call) { call.back(); call.end(code); }
///     return code;
///
/// A call from within MPI (of files, say), from within the tracer or before MPI_Init is false: only
/// what the program calls is recorded.
#pragma once

#include "Tracer.h"

#include <mpi.h>
#include <mutex>
#include <span>
#include <vector>

namespace gnomon::acquisition {

/// The values of a call that is recorded; each thread has one.
struct Line {
  Form form;
  std::vector<int64_t> values;
  const MPI_Request *handles = nullptr; ///< that the call may end
  std::vector<MPI_Request> before;      ///< what they were
  std::vector<int64_t> slots;
  std::vector<uint64_t> held;        ///< numbers of their records that are not done; 0: none
  const MPI_Request *made = nullptr; ///< a request that the call has made
  int64_t madeSlot = 0;
  bool isOpen = false, awaits = false, isNothing = false;
  size_t source = SIZE_MAX, tag = SIZE_MAX; ///< places of what a receive may leave open
  std::vector<MPI_Status> spare;
};

class Call {
public:
  explicit Call(const char *function);
  ~Call();
  Call(const Call &) = delete;
  Call &operator=(const Call &) = delete;
  explicit operator bool() const { return line_ != nullptr; }

  // Arguments. Arrays may be null when they are not significant.
  void payload(const char *name, const void *buffer, int64_t count, MPI_Datatype type);
  template <class Number>
  void payloads(const char *name, const void *buffer, const Number *counts, MPI_Datatype type,
                int length) {
    lengths(name, buffer, counts, length);
    field(name, trace::Kind::Size, buffer == MPI_IN_PLACE ? 0 : bytesOf(type));
  }
  template <class Number>
  void payloads(const char *name, const void *buffer, const Number *counts,
                const MPI_Datatype *types, int length) {
    const int told = lengths(name, buffer, counts, length);
    list(name, trace::Kind::Size, told);
    for (int i = 0; i < told; ++i)
      line_->values.push_back(buffer == MPI_IN_PLACE ? 0 : bytesOf(types[i]));
  }
  void number(const char *name, int64_t value) { field(name, trace::Kind::Number, value); }
  void flag(const char *name, bool value) { number(name, value); }
  void numbers(const char *name, const int *values, int64_t length);
  void more(const char *name, const int *values, int64_t length) { numbers(name, values, length); }
  void element(const char *name, MPI_Datatype type);
  void peer(const char *name, int rank);
  void tag(const char *name, int tag);
  void comm(const char *name, MPI_Comm comm);
  void op(const char *name, MPI_Op op);
  void group(const char *name, MPI_Group group);
  void message(const char *name, MPI_Message message);
  int64_t windowNumber(MPI_Win win);
  void request(const char *name, const MPI_Request *handle);
  void requests(const char *name, const MPI_Request *handles, int64_t count);
  void waitsFor(const char *name, const MPI_Request *handle) { request(name, handle); }
  void waitsFor(const char *name, const MPI_Request *handles, int64_t count) {
    requests(name, handles, count);
  }
  void waitsForSome(const MPI_Request *handles, int64_t count);
  /// A receive or probe leaves open what it gets.
  bool isOpen() const { return line_->isOpen; }
  /// A request that the call may end leaves open what it gets.
  bool awaits() const { return line_->awaits; }
  /// The program may not ask for statuses: the trace needs them.
  void wantStatuses(MPI_Status *&statuses, int64_t count);

  /// The program's arguments are told: MPI takes over, and has returned.
  void leave() { lock_.unlock(); }
  void back() { lock_.lock(); }

  // Results.
  void newComm(const char *name, MPI_Comm handle);
  void laterComm(const char *name, const MPI_Comm *handle, MPI_Comm from);
  void newWindow(const char *name, MPI_Win win);
  void newMessage(MPI_Message message, const MPI_Status &status, MPI_Comm comm);
  void newRequest(const char *name, const MPI_Request *handle, bool isActive);
  /// What request \p index of those that the call waits for got.
  void completed(int64_t index, const MPI_Status &status);
  void completedRequests(std::span<const int> indices);
  void completedAll(int count);
  void got(const MPI_Status &status);
  /// The call found nothing: it is not recorded.
  void nothing() { line_->isNothing = true; }
  /// The call has returned \p code, an error class or code.
  void end(int code);

private:
  void field(const char *name, trace::Kind kind, int64_t value);
  void list(const char *name, trace::Kind kind, int64_t length);
  template <class Number>
  int lengths(const char *name, const void *buffer, const Number *counts, int length) {
    const bool inPlace = buffer == MPI_IN_PLACE;
    const int told = inPlace ? 1 : length;
    list(name, trace::Kind::Count, told);
    for (int i = 0; i < told; ++i)
      line_->values.push_back(inPlace ? trace::InPlace : static_cast<int64_t>(counts[i]));
    return told;
  }
  static int64_t bytesOf(MPI_Datatype type);

  Tracer &tracer_;
  Line *line_ = nullptr;
  bool isOutermost_;
  std::unique_lock<std::mutex> lock_;
};

/// A call that is not recorded; calls of MPI that it makes are not either.
class Aside {
public:
  Aside();
  ~Aside();
  Aside(const Aside &) = delete;
  Aside &operator=(const Aside &) = delete;
  /// The program itself calls, between MPI_Init and the end.
  explicit operator bool() const { return isOutermost_; }

private:
  bool isOutermost_;
};

/// Runs MPI_Init, and begins the trace when that has gone well.
template <class Real> int begun(Real real) {
  const Aside aside;
  Tracer::ofProcess().aboutToBegin();
  const int code = real();
  if (code == MPI_SUCCESS)
    Tracer::ofProcess().begin();
  return code;
}

/// The real function of that name; a message and the end of the process when there is none.
void *realFunction(const char *name);

} // namespace gnomon::acquisition
