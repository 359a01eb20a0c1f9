// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "launch/Report.h"

#include "mpi/RankState.h"
#include "support/Error.h"

namespace gnomon::launch {

std::unique_ptr<process::OutputSink> makeOutput(const Options &, kernel::Engine &) {
  return nullptr;
}
void startReporting(const Options &, process::World &) {}
int report(const process::Outcome &outcome) {
  if (outcome.kind == process::Outcome::Kind::Deadlock)
    return static_cast<int>(ExitCode::Deadlock);
  auto s = mpi::runtime().fabric.statistics();
  process::printError("gnomon: simulated " + std::to_string(outcome.endedAt.seconds) +
                      " s, messages " + std::to_string(s.messages) + "\n");
  return outcome.exitCode;
}

} // namespace gnomon::launch
