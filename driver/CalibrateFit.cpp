// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "CalibrateCommandLine.h"
#include "Message.h"
namespace gnomon::driver {
int calibrateFit(const CalibrateCommandLine &line) {
  fail("calibrate fit: {}", line.files().size());
}
} // namespace gnomon::driver
