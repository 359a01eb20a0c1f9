// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// MPI_Grequest_start in Fortran, by hand: its callbacks take everything by reference, the extra
/// state as an INTEGER(KIND=MPI_ADDRESS_KIND).
#include "api/Entry.h"
#include "api/Fortran.h"
#include "mpi/request/Grequest.h"

using namespace gnomon;

namespace {

int startFortran(const void *site, void *query, void *free, void *cancel, MPI_Aint *extra,
                 MPI_Fint *request) {
  api::Entry entry("MPI_Grequest_start", site);
  if (entry.failed())
    return entry.finish(nullptr);
  using Function = mpi::GrequestFunctions::Function;
  const mpi::GrequestFunctions functions{reinterpret_cast<Function>(query),
                                         reinterpret_cast<Function>(free),
                                         reinterpret_cast<Function>(cancel),
                                         mpi::Convention::Fortran,
                                         *extra,
                                         extra};
  mpi::Request *started = mpi::startGrequest(*mpi::state(entry.rank()).world, functions);
  *request = api::toInteger<MPI_Fint>(mpi::expose(*started));
  return MPI_SUCCESS;
}

} // namespace

extern "C" __attribute__((visibility("default"))) void
pmpi_grequest_start_(void *query, void *free, void *cancel, MPI_Aint *extra, MPI_Fint *request,
                     MPI_Fint *ierror) {
  api::fortran::setError(
      ierror, startFortran(__builtin_return_address(0), query, free, cancel, extra, request));
}
extern "C" __attribute__((visibility("default"), weak, alias("pmpi_grequest_start_"))) void
mpi_grequest_start_(void *, void *, void *, MPI_Aint *, MPI_Fint *, MPI_Fint *);
