// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// MPI_Info_get_string in Fortran, by hand: buflen counts characters there, in C the null byte too
/// (MPI 4.0, section 10.1).
#include "api/Fortran.h"

using namespace gnomon::api;

extern "C" __attribute__((visibility("default"))) void
pmpi_info_get_string_(MPI_Fint *info, char *key, MPI_Fint *buflen, char *value, MPI_Fint *flag,
                      MPI_Fint *ierror, size_t keyLength, size_t valueLength) {
  const std::string keyC = fortran::text(key, keyLength);
  // No more than the argument has room for, whatever buflen says.
  const size_t room = *buflen > 0 ? std::min<size_t>(*buflen, valueLength) : 0;
  fortran::TextOut valueC(room);
  int length = *buflen > 0 ? static_cast<int>(room) + 1 : *buflen;
  const int code = Info_get_string(__builtin_return_address(0), toHandle<MPI_Info>(*info),
                                   keyC.c_str(), &length, valueC.data(), flag);
  if (code == MPI_SUCCESS && *flag) {
    if (*buflen > 0)
      valueC.store(value, valueLength);
    *buflen = length - 1;
  }
  fortran::setError(ierror, code);
}
extern "C" __attribute__((visibility("default"), weak, alias("pmpi_info_get_string_"))) void
mpi_info_get_string_(MPI_Fint *, char *, MPI_Fint *, char *, MPI_Fint *, MPI_Fint *, size_t,
                     size_t);
