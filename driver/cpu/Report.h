// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What `gnomon calibrate cpu` says and writes.
#pragma once

#include "cpu/Curve.h"

#include <string>

namespace gnomon::cpu {

struct Findings {
  Processors processors;
  Plan plan;
  double speedFlops = 0;
  std::vector<Curve> curves;
};

std::string renderText(const Findings &findings);
/// As schema/calibrate-cpu.json explains it.
std::string renderJson(const Findings &findings);

} // namespace gnomon::cpu
