// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Checking of one platform, from the text that `--platform` takes to the findings and the drawing.
#pragma once

#include "check/Lint.h"
#include "check/Report.h"

namespace gnomon::check {

struct Wishes {
  std::string hostFile; ///< empty: none
  bool drawing = false;
};

struct Outcome {
  Checked checked;
  std::string svg; ///< when it was wished for and the platform could be loaded
};

/// Never throws for a bad file: what the loader says becomes a finding.
Outcome checkPlatform(const std::string &text, const Wishes &wishes, const Algorithms &algorithms);

} // namespace gnomon::check
