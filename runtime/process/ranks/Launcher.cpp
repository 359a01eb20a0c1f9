// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A program started by a real mpirun would be N simulations of one rank each, without a word:
/// refused. The variables are those that Open MPI 4/5 (OMPI_…, PMIX_…) and MPICH's Hydra (PMI_…)
/// set for their processes.
#include "process/image/Modules.h"
#include "process/image/Real.h"
#include "process/ranks/Simulation.h"
#include "support/Error.h"

#include <cstdlib>
#include <string>

namespace gnomon::process {

void refuseRealLauncher() {
  if (GNOMON_REAL(getenv)("GNOMON_RUN") || !anyModuleHas(GNOMON_MODULE_USES_MPI))
    return;
  for (const char *name : {"OMPI_COMM_WORLD_SIZE", "PMIX_RANK", "PMI_SIZE", "PMI_RANK"}) {
    if (!GNOMON_REAL(getenv)(name))
      continue;
    printError(std::string("gnomon: this program is built for simulation and was started by a real "
                           "MPI launcher (") +
               name + " is set); start it with: gnomon run -n N PROGRAM\n");
    leaveProcess(static_cast<int>(ExitCode::BadInput));
  }
}

} // namespace gnomon::process
