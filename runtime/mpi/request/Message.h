// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What an MPI_Message handle names: a message that a matched probe has taken out of matching.
#pragma once

#include "mpi/Handle.h"
#include "p2p/Message.h"

namespace gnomon::mpi {

class Message {
public:
  p2p::Message *message = nullptr; ///< null: MPI_MESSAGE_NO_PROC
  Comm *comm = nullptr;            ///< counted
};

} // namespace gnomon::mpi
