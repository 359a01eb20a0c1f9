// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// `gnomon calibrate cpu`: the command line of the room cpu/.
#include "CalibrateCommands.h"
#include "Message.h"
#include "TextFile.h"
#include "cpu/Report.h"

#include <cstdio>

namespace gnomon::driver {

int calibrateCpu(const SubcommandLine &line) {
  if (!line.files().empty())
    fail("calibrate cpu: no file is read, and '{}' is given", line.files()[0]);
  cpu::Findings findings;
  findings.plan.sampleSeconds = 1e-3 * static_cast<double>(line.count("--sample", 50, 1, 60000));
  findings.processors = cpu::processorsOfThisHost();
  findings.speedFlops = cpu::nominalSpeed(findings.plan.sampleSeconds);
  findings.curves = cpu::measureCurves(findings.processors, findings.plan);
  std::fputs(cpu::renderText(findings).c_str(), stdout);
  if (!line.has("--output"))
    return static_cast<int>(ExitCode::Success);
  const bool written = writeText(line.value("--output", ""), cpu::renderJson(findings));
  return static_cast<int>(written ? ExitCode::Success : ExitCode::NoOutput);
}

} // namespace gnomon::driver
