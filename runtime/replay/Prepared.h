// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What most records of most traces are (messages between two ranks of MPI_COMM_WORLD, waits for one
/// request, computations), made ready to be played: a block of the trace is looked at once for all
/// ranks that share it and for all turns of its loops, and no field of a record is looked for when it
/// is played.
///
/// A step is left to the handler of its function (Kind::Other) wherever anything about it is unusual:
/// errors, wildcards, MPI_IN_PLACE, scaled sizes, values that are wrong.
#pragma once

#include "mpi/datatype/Datatype.h"
#include "p2p/Message.h"
#include "process/ranks/Rank.h"
#include "trace/Block.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace gnomon::mpi {
class Comm;
}

namespace gnomon::replay {

class Player;
class Replay;

struct Prepared {
  enum class Kind : uint8_t { Other, Send, Receive, Isend, Ireceive, Wait, Part, Compute, Nothing };
  struct Step {
    Kind kind = Kind::Other;
    int32_t tag = 0;
    uint32_t peer = 0;      ///< relative to the rank
    uint32_t request = 0;   ///< slot
    uint32_t signature = 0; ///< of the data of a message
    uint32_t context = 0;   ///< of messages in MPI_COMM_WORLD
    const char *name = "";  ///< of the function
    mpi::Datatype *type = nullptr;
    int64_t count = 0;
    uint64_t bytes = 0;
    double cost = 0, memoryShare = 0; ///< of Part and Compute

    /// Returns an MPI error class. \p peer: its rank.
    int play(Player &player, int peer) const;
    /// Of a message.
    p2p::Buffer buffer() const { return {nullptr, bytes, count, nullptr}; }
    /// What a computation has cost is \p rank's.
    void give(process::Rank &rank) const {
      rank.burst.addGiven(cost);
      rank.burst.noteMemory(cost, memoryShare);
    }
  };

  /// Of a block whose records are played several times; else \p steps stays empty. Peers are relative
  /// modulo the ranks of \p world, MPI_COMM_WORLD.
  Prepared(std::shared_ptr<const trace::Block> block, const mpi::Comm &world, Replay &replay);

  std::shared_ptr<const trace::Block> block;
  std::vector<Step> steps; ///< by the block's
};

} // namespace gnomon::replay
