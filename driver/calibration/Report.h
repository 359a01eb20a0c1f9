// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What a fit found, for people and for programs.
#pragma once

#include "calibration/Prediction.h"

#include <string>

namespace gnomon::calibration {

struct Result {
  measurements::Measurements measured;
  Choice choice;
  Figures figures;
  Machine machine;
  std::vector<Reproduced> reproduced;
};

/// All of it, from samples on. Throws InputError (Figures.h).
Result calibrate(measurements::Measurements measured, const Choice &choice, const Wishes &wishes);

/// The text on the screen; \p output: the platform file.
std::string renderText(const Result &result, const std::string &output);
/// Explained by driver/schema/calibrate-fit.json.
std::string renderJson(const Result &result);

/// A logarithmic error in percent: "3.1 %".
std::string percentText(double logError);
std::string_view nameOf(Method method);

} // namespace gnomon::calibration
