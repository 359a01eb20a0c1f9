// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What only the model `ports` has: wires that carry frames with headers, ports that let a burst go
/// at once, software that takes a random time, senders of long messages that do not wait for the
/// last bytes. Of one isolated message of b bytes the model takes
///     T(b) = L + J + max(0, w(b) - burst) / R        w(b) = b + 22 + 66 ceil((b + 22) / 1448)
///
///   R       goodput of streams times 1514 / 1448
///   L       the 5 % quantile of all one-way times of up to 16 bytes, less os, or and w / R
///   J       their mean, those above the 95 % quantile counted as that, less that 5 % quantile
///   burst   the one that is nearest to the mean one-way times of 2 KiB to 64 KiB, in the sum of
///           |relative error|; none where it is not clear of their scatter
///   socket  (T(b) - time of MPI_Send) x goodput beyond the eager limit, where that no longer grows
///   node    least squares of the ping-pong within a host
///
/// Worked example: streams of 1.1955 MB/s: R = 1.25 MB/s. 1 byte takes 75 us at least, w = 89 bytes
/// within a burst of 3000: L = 75 us. 8192 bytes, w = 8610: 75 us + 5610 / R = 4.563 ms.
#pragma once

#include "calibration/Figures.h"

#include <optional>

namespace gnomon::calibration {

struct PortsFigures {
  double wireRate = 0;       ///< R, bytes/s of frames
  double latencySeconds = 0; ///< L, one way
  std::optional<double> jitterSeconds;
  double burstBytes = 0;
  std::optional<double> socketBytes;
  std::optional<double> nodeLatencySeconds, nodeBandwidth;
};

/// Bytes on the wire for \p bytes of a message.
double onWire(double bytes);
/// The same for what the MPI library sends before a long message: request and answer.
double onWireBefore();

/// May add to the figures' remarks. Throws InputError for an absurd latency.
PortsFigures portsFiguresOf(Figures &figures, const measurements::Measurements &measured);

/// Whether a cost is more than what its samples scatter.
bool isClear(const Fit &cost);

} // namespace gnomon::calibration
