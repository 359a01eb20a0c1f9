// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What only the model `ports` has: wires that carry frames with headers, ports that let a burst go
/// at once, software that takes a random time, senders of long messages that do not wait for the
/// last bytes. Of one isolated message of b bytes the model takes
///     T(b) = L + J + max(0, w(b) - burst) / R        w(b) = b + 22 + 66 ceil((b + 22) / 1448)
///
///   R       goodput of streams times 1514 / 1448
///   J       from one-way times of up to 16 bytes, less os and or: (mean - q) / (h - g), q their 5 %
///           quantile, g that of the mean of m exponential times of mean 1 (m messages a block, so
///           that a sample is a mean itself; g = 0.04 for one, 0.17 for two, 0.5 for eight). Those
///           above the 95 % quantile count as that in the mean, of which h of J is left (0.95 for one)
///           (mean - least) / (h - 0.04) at most, because real times scatter more widely
///           From rounds of a ring of all ranks (exchange, RingRounds.h) of up to 512 bytes, the median
///           of three sizes or more with 20 samples in all, where these find 1.5 times as much: many
///           ranks on few cores notice later
///   timeout 200 ms where 3 blocks and 1 % of all with messages of 8 KiB or more took 180 to 450 ms
///           longer than the least of their size
///   L       mean - h J - what of w / R the burst does not cover
///   burst   the one that is nearest to the mean one-way times of 2 KiB to 64 KiB, in the sum E of
///           |relative error|; none where E is not less by 2 / sqrt(sizes) than without
///   socket  (time until B has all - time of A's MPI_Send - 2 latencies of a link) x goodput, beyond
///           the eager limit, where the sender waits for a fifth of the message or more: the median.
///           `os-arrival` has the first, else the ping-pong
///   node    segments of the ping-pong within a host, less os and or
///
/// Worked example: streams of 1.1955 MB/s: R = 1.25 MB/s. 1 byte takes 75 us at least, w = 89 bytes
/// within a burst of 3000: L = 75 us. 8192 bytes alone, w = 8610: 75 us + 5610 / R = 4.563 ms.
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
  std::optional<double> timeoutSeconds;
  std::optional<Segmentation> node; ///< within a host
};

inline constexpr double DefaultJitter = 10e-6; ///< seconds, of the model

/// Bytes on the wire for \p bytes of a message.
double onWire(double bytes);
/// The same for what the MPI library sends before a long message: request and answer.
double onWireBefore();

/// The part of a burst that a ping-pong finds when a message of \p bytes leaves: a port has had the
/// time of the answer, and \p startupSeconds twice, to gain it back at its \p rate. Each side is idle
/// while the other sends, so that is startup x rate + w / 2 at most.
double burstFound(double burst, double bytes, double startupSeconds, double rate);

/// May add to the figures' remarks. Throws InputError for an absurd latency.
PortsFigures portsFiguresOf(Figures &figures, const measurements::Measurements &measured);

/// Whether a cost is more than what its samples scatter.
bool isClear(const Fit &cost);

} // namespace gnomon::calibration
