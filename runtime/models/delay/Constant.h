// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Every message takes the same time, whatever its size and its way:
///     end = start + `constant/time`
/// The platform's links play no part. It shows how much of a program's time depends on the number
/// of messages alone. Source: SimGrid's model `Constant`; the second that its documentation names
/// is the default here.
///
/// Worked example: with `constant/time=5us`, 1 byte and 1 GB arrive 5 us after they start.
#pragma once

#include "kernel/Engine.h"
#include "models/NetworkModel.h"
#include "models/Parameters.h"

namespace gnomon::models {

class Constant : public NetworkModel {
public:
  Constant(kernel::Engine &engine, const Parameters &parameters)
      : engine_(engine), seconds_(parameters.constantSeconds) {}

  void transfer(platform::HostIndex source, platform::HostIndex destination, uint64_t bytes,
                kernel::Action done) override;

private:
  kernel::Engine &engine_;
  double seconds_;
};

} // namespace gnomon::models
