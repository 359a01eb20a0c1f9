// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The disk of hosts that the platform gives none.
#pragma once

namespace gnomon::models {

/// A SATA solid-state drive of a data centre (Intel D3-S4510, data sheet: up to 560 MB/s read and
/// 510 MB/s written in sequence). Bytes/s; seconds a request.
struct DefaultDisk {
  double readBandwidth = 560e6, writeBandwidth = 510e6;
  double latencySeconds = 0;
};

} // namespace gnomon::models
