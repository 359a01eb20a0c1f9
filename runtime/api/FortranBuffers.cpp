// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// MPI_Buffer_detach in Fortran, by hand: only mpi_f08 returns the buffer's address (a
/// TYPE(C_PTR)); the older interfaces have a choice argument there, of unknown size, and leave it
/// alone (MPI 3.1, section 3.6).
#include "api/Fortran.h"

using namespace gnomon::api;

#define EXPORT extern "C" __attribute__((visibility("default")))
#define WEAK_NAME(NAME)                                                                            \
  extern "C" __attribute__((visibility("default"), weak, alias("p" #NAME))) void NAME

EXPORT void pmpi_buffer_detach_(void *, MPI_Fint *size, MPI_Fint *ierror) {
  void *unread = nullptr;
  fortran::setError(ierror, Buffer_detach(__builtin_return_address(0), &unread, size));
}
WEAK_NAME(mpi_buffer_detach_)(void *, MPI_Fint *, MPI_Fint *);

EXPORT void pmpi_buffer_detach_f08_(void **address, MPI_Fint *size, MPI_Fint *ierror) {
  fortran::setError(ierror, Buffer_detach(__builtin_return_address(0), address, size));
}
WEAK_NAME(mpi_buffer_detach_f08_)(void **, MPI_Fint *, MPI_Fint *);
