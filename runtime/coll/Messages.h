// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The messages of one collective operation on one rank. Keeps the first error and goes on, so that
/// an algorithm reads as its pattern of messages and no rank is left waiting for another that gave
/// up.
#pragma once

#include "coll/Arguments.h"
#include "mpi/request/PointToPoint.h"

#include <vector>

namespace gnomon::coll {

/// Told of each message of a collective when it is sent (--coll-messages); null: nobody is.
using MessageWitness = void (*)(const Comm &comm, int dest, int64_t bytes);
inline MessageWitness messageWitness = nullptr;

class Messages {
public:
  explicit Messages(const Call &call) : call_(call) {}

  void send(const void *data, int64_t count, const Datatype &type, int dest) {
    witness(count * type.size(), dest);
    keep(mpi::send(data, count, type, peer(dest), call_.tag, call_.comm, mpi::Channel::Collective,
                   call_.mode));
  }
  void recv(void *data, int64_t count, const Datatype &type, int source) {
    keep(mpi::recv(data, count, type, peer(source), call_.tag, call_.comm,
                   mpi::Channel::Collective));
  }
  void send(ConstBlock block, int dest) { send(block.data, block.count, *block.type, dest); }
  void recv(Block block, int source) { recv(block.data, block.count, *block.type, source); }
  void sendrecv(ConstBlock out, int dest, Block in, int source) {
    witness(out.bytes(), dest);
    keep(mpi::sendrecv(out.data, out.count, *out.type, peer(dest), call_.tag, in.data, in.count,
                       *in.type, peer(source), call_.tag, call_.comm, mpi::Channel::Collective,
                       nullptr, call_.mode));
  }

  void isend(ConstBlock block, int dest) {
    witness(block.bytes(), dest);
    requests_.push_back(mpi::isend(block.data, block.count, *block.type, peer(dest), call_.tag,
                                   call_.comm, mpi::Channel::Collective, call_.mode));
  }
  void irecv(Block block, int source) {
    requests_.push_back(mpi::irecv(block.data, block.count, *block.type, peer(source), call_.tag,
                                   call_.comm, mpi::Channel::Collective));
  }
  /// Completes everything that isend and irecv started.
  void waitAll();
  /// A send that ends no sooner than the receive begins.
  void sendSynchronous(ConstBlock block, int dest) {
    witness(block.bytes(), dest);
    keep(
        mpi::send(block.data, block.count, *block.type, peer(dest), call_.tag, call_.comm,
                  mpi::Channel::Collective,
                  call_.mode == mpi::SendMode::Standard ? mpi::SendMode::Synchronous : call_.mode));
  }
  /// Completes the operation started first.
  void waitFirst() {
    keep(mpi::wait(requests_.front()));
    requests_.erase(requests_.begin());
  }

  static const Datatype &byte() {
    static const Datatype &type = Datatype::predefined(uintptr_t{0x247});
    return type;
  }
  static ConstBlock bytes(const char *data, int64_t count) { return {data, count, &byte()}; }
  static Block bytes(char *data, int64_t count) { return {data, count, &byte()}; }
  /// A message that only says that its sender has got so far.
  void signal(int dest) { send(nullptr, 0, byte(), dest); }
  void await(int source) { recv(nullptr, 0, byte(), source); }
  void exchangeSignals(int dest, int source) {
    sendrecv({nullptr, 0, &byte()}, dest, {nullptr, 0, &byte()}, source);
  }

  /// The first error, or MPI_SUCCESS.
  int result() const { return error_; }

private:
  void keep(int error) {
    if (error_ == 0)
      error_ = error;
  }
  void witness(int64_t bytes, int dest) const {
    if (messageWitness) [[unlikely]]
      messageWitness(call_.comm, peer(dest), bytes);
  }
  int peer(int rank) const { return call_.members ? call_.members[rank] : rank; }
  const Call &call_;
  int error_ = 0;
  std::vector<mpi::Request *> requests_;
};

/// Copies a block without a message.
inline void copyBlock(ConstBlock from, Block to) {
  if (from.data != to.data)
    mpi::copyTyped(from.data, from.count, *from.type, to.data, to.count, *to.type);
}

inline bool isPowerOfTwo(int n) { return (n & (n - 1)) == 0; }
/// The largest power of two that is not above \p n.
inline int floorPowerOfTwo(int n) {
  int power = 1;
  while (power <= n / 2)
    power *= 2;
  return power;
}

} // namespace gnomon::coll
