// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What `gnomon calibrate cpu -o FILE` wrote, as figures of a platform's hosts.
#pragma once

#include <cstdint>
#include <string>

namespace gnomon::cpu {

struct HostFigures {
  double speedFlops = 0;
  uint64_t cores = 0;
  /// Of the kernel `memory`, as models/Slowness.h reads it ("2:1.2;4:2.4"); empty where no number of
  /// busy cores makes a copy 2 % slower.
  std::string slowness;
};

/// Of the contents of \p file. Throws InputError when it is not such a file.
HostFigures hostFiguresOf(const std::string &text, const std::string &file);

} // namespace gnomon::cpu
