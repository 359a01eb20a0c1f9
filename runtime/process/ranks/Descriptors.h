// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Ranks that wait at a descriptor: for a connection, for what a socket or a pipe brings, for room
/// in one. The other end may be another rank of this process, which must run meanwhile: so the
/// waiting rank parks, and looks again when a rank has used a descriptor. Only when nothing is left
/// to simulate does the process wait for real, for the other end may be outside. Waiting takes no
/// simulated time of its own.
#pragma once

namespace gnomon::process {

class Rank;

/// Whether a call that wants \p events (POLLIN, POLLOUT) would return at once, if only with an
/// error.
bool isReady(int descriptor, short events);
/// Parks the running fiber of \p rank until isReady. \p function is what reports name.
void awaitDescriptor(Rank &rank, int descriptor, short events, const char *function);
/// A rank has used a descriptor: those that wait look again. Leaves errno, which is the call's.
void descriptorsChanged();
/// Nothing else is left to simulate: waits for real until somebody's descriptor is ready. False:
/// nobody waits at one, or none has become ready for as long as a rank may stall.
bool waitForDescriptors();

} // namespace gnomon::process
