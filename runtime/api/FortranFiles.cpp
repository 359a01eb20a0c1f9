// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// MPI_Register_datarep in Fortran, by hand: its callbacks have Fortran's convention.
#include "api/Entry.h"
#include "api/Fortran.h"
#include "io/Representation.h"

using namespace gnomon;

#define EXPORT extern "C" __attribute__((visibility("default")))

// MPI_CONVERSION_FN_NULL, which Fortran passes as a procedure.
extern "C" void mpi_conversion_fn_null_(void *, MPI_Fint *, MPI_Fint *, void *, MPI_Offset *,
                                        MPI_Aint *, MPI_Fint *);

static void (*conversion(void *procedure))() {
  if (procedure == reinterpret_cast<void *>(mpi_conversion_fn_null_))
    return nullptr;
  return reinterpret_cast<void (*)()>(procedure);
}

EXPORT void pmpi_register_datarep_(char *datarep, void *read, void *write, void *extent,
                                   MPI_Aint *extraState, MPI_Fint *ierror, size_t length) {
  api::Entry entry("MPI_Register_datarep", __builtin_return_address(0));
  const std::string name = api::fortran::text(datarep, length);
  int code = entry.failed() ? entry.finish(api::NoFile)
                            : io::registerRepresentation(entry.rank(), name,
                                                         {conversion(read), conversion(write),
                                                          reinterpret_cast<void (*)()>(extent),
                                                          *extraState, mpi::Convention::Fortran});
  if (!entry.failed())
    code = entry.finish(code, api::NoFile);
  api::fortran::setError(ierror, code);
}
extern "C" __attribute__((visibility("default"), weak, alias("pmpi_register_datarep_"))) void
mpi_register_datarep_(char *, void *, void *, void *, MPI_Aint *, MPI_Fint *, size_t);
