// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// MPI_Buffer_detach and its kin in Fortran, by hand: only mpi_f08 returns the buffer's address (a
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

#define DETACH_OF(NAME, FUNCTION, HANDLE)                                                          \
  EXPORT void pmpi_##NAME##_(MPI_Fint *object, void *, MPI_Fint *size, MPI_Fint *ierror) {         \
    void *unread = nullptr;                                                                        \
    fortran::setError(                                                                             \
        ierror, FUNCTION(__builtin_return_address(0), toHandle<HANDLE>(*object), &unread, size));  \
  }                                                                                                \
  WEAK_NAME(mpi_##NAME##_)(MPI_Fint *, void *, MPI_Fint *, MPI_Fint *);                            \
  EXPORT void pmpi_##NAME##_f08_(MPI_Fint *object, void **address, MPI_Fint *size,                 \
                                 MPI_Fint *ierror) {                                               \
    fortran::setError(                                                                             \
        ierror, FUNCTION(__builtin_return_address(0), toHandle<HANDLE>(*object), address, size));  \
  }                                                                                                \
  WEAK_NAME(mpi_##NAME##_f08_)(MPI_Fint *, void **, MPI_Fint *, MPI_Fint *)

DETACH_OF(comm_detach_buffer, Comm_detach_buffer, MPI_Comm);
DETACH_OF(session_detach_buffer, Session_detach_buffer, MPI_Session);
