// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Collectives whose time is known as a whole: when a model times a collective
/// (models::CollectiveTimes), its ranks meet, its data moves by the usual algorithm over messages
/// that take no time (mpi::SendMode::Instant), and all leave when the time is over:
///
///     every rank's end = date of the last rank's call + seconds(collective)
///
/// Source of the synchronisation: PSINS (Tikir et al. 2009, section 2.3.2). Other collectives are
/// made of messages. Blocking and nonblocking calls alike; calls that move no data end at once as
/// ever.
#pragma once

#include "coll/Execute.h"
#include "models/NetworkModel.h"

namespace gnomon::coll {

/// From now on \p times is asked; null: nobody. Must live as long as collectives run.
void useTimes(models::CollectiveTimes *times);

/// Runs to completion on the present fiber, timed as a whole or message by message; returns an MPI
/// error class.
template <class Args> int perform(const Args &args);

} // namespace gnomon::coll
