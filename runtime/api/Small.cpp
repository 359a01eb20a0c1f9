// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Implementations that need no state of MPI: versions, address arithmetic, statuses between
/// languages, and the datatype queries that MPI 3.0 removed.
#include "api/Version.h"
#include "impl/Impl.h"
#include "mpi/Error.h"
#include "mpi/Info.h"
#include "mpi/RankState.h"
#include "process/ranks/Rank.h"

#include <fmt/format.h>

#include <cstdio>
#include <cstring>
#include <initializer_list>
#include <string>
#include <utility>

namespace gnomon::impl {

int Get_version(int *version, int *subversion) {
  *version = MPI_VERSION;
  *subversion = MPI_SUBVERSION;
  return MPI_SUCCESS;
}

int Get_library_version(char *version, int *resultlen) {
  *resultlen = std::snprintf(version, MPI_MAX_LIBRARY_VERSION_STRING,
                             "Gnomon %s, a simulator: MPI %d.%d, standard ABI %d.%d", api::Version,
                             MPI_VERSION, MPI_SUBVERSION, MPI_ABI_VERSION, MPI_ABI_SUBVERSION);
  return MPI_SUCCESS;
}

int Abi_get_version(int *abi_major, int *abi_minor) {
  *abi_major = MPI_ABI_VERSION;
  *abi_minor = MPI_ABI_SUBVERSION;
  return MPI_SUCCESS;
}

/// flang's LOGICAL(KIND=1, 2, 4, 8) is an integer of that size: 1 is .true., 0 is .false..
int Abi_get_fortran_booleans(int logical_size, void *logical_true, void *logical_false,
                             int *is_set) {
  if (logical_size != 1 && logical_size != 2 && logical_size != 4 && logical_size != 8)
    return mpi::fail(*process::currentRank(), MPI_ERR_ARG, "no LOGICAL has this size");
  std::memset(logical_true, 0, static_cast<size_t>(logical_size));
  std::memset(logical_false, 0, static_cast<size_t>(logical_size));
  *static_cast<char *>(logical_true) = 1;
  *is_set = 1;
  return MPI_SUCCESS;
}

int Abi_set_fortran_booleans(int logical_size, void *logical_true, void *logical_false) {
  return mpi::fail(*process::currentRank(), MPI_ERR_ABI,
                   "the values of .TRUE. and .FALSE. are flang's and cannot be changed");
}

/// Sizes of the ABI's integers, in bytes (MPI 5.0, section 20.3).
int Abi_get_info(MPI_Info *info) {
  auto *sizes = new mpi::Info;
  sizes->set("mpi_aint_size", std::to_string(sizeof(MPI_Aint)));
  sizes->set("mpi_count_size", std::to_string(sizeof(MPI_Count)));
  sizes->set("mpi_offset_size", std::to_string(sizeof(MPI_Offset)));
  *info = mpi::insert<mpi::Info>(*process::currentRank(), sizes);
  return MPI_SUCCESS;
}

/// flang's default kinds, and which optional types there are (MPI 5.0, section 20.4).
int Abi_get_fortran_info(MPI_Info *info) {
  auto *kinds = new mpi::Info;
  for (const char *type : {"logical", "integer", "real"})
    kinds->set(fmt::format("mpi_{}_size", type), "4");
  kinds->set("mpi_double_precision_size", "8");
  const std::pair<const char *, std::initializer_list<int>> optional[] = {
      {"logical", {1, 2, 4, 8, 16}},
      {"integer", {1, 2, 4, 8, 16}},
      {"real", {2, 4, 8, 16}},
      {"complex", {4, 8, 16, 32}}};
  for (const auto &[type, sizes] : optional)
    for (int size : sizes)
      kinds->set(fmt::format("mpi_{}{}_supported", type, size), "true");
  kinds->set("mpi_double_complex_supported", "true");
  *info = mpi::insert<mpi::Info>(*process::currentRank(), kinds);
  return MPI_SUCCESS;
}

int Abi_set_fortran_info(mpi::Info *) {
  return mpi::fail(*process::currentRank(), MPI_ERR_ABI,
                   "the kinds of Fortran are flang's and cannot be changed");
}

MPI_Aint Aint_add(MPI_Aint base, MPI_Aint disp) { return base + disp; }
MPI_Aint Aint_diff(MPI_Aint addr1, MPI_Aint addr2) { return addr1 - addr2; }

int Pcontrol(int) { return MPI_SUCCESS; }

// A status has one layout in C, in INTEGER arrays and in TYPE(MPI_Status).
static_assert(sizeof(MPI_Status) == MPI_F_STATUS_SIZE * sizeof(MPI_Fint));

int Status_c2f(const MPI_Status *c_status, MPI_Fint *f_status) {
  std::memcpy(f_status, c_status, sizeof *c_status);
  return MPI_SUCCESS;
}
int Status_f2c(const MPI_Fint *f_status, MPI_Status *c_status) {
  std::memcpy(c_status, f_status, sizeof *c_status);
  return MPI_SUCCESS;
}
int Status_c2f08(const MPI_Status *c_status, MPI_F08_status *f08_status) {
  *f08_status = *c_status;
  return MPI_SUCCESS;
}
int Status_f082c(const MPI_F08_status *f08_status, MPI_Status *c_status) {
  *c_status = *f08_status;
  return MPI_SUCCESS;
}
int Status_f082f(const MPI_F08_status *f08_status, MPI_Fint *f_status) {
  return Status_c2f(f08_status, f_status);
}
int Status_f2f08(const MPI_Fint *f_status, MPI_F08_status *f08_status) {
  return Status_f2c(f_status, f08_status);
}

int Status_get_source(const MPI_Status *status, int *source) {
  *source = status->MPI_SOURCE;
  return MPI_SUCCESS;
}
int Status_get_tag(const MPI_Status *status, int *tag) {
  *tag = status->MPI_TAG;
  return MPI_SUCCESS;
}
int Status_get_error(const MPI_Status *status, int *error) {
  *error = status->MPI_ERROR;
  return MPI_SUCCESS;
}
int Status_set_source(MPI_Status *status, int source) {
  status->MPI_SOURCE = source;
  return MPI_SUCCESS;
}
int Status_set_tag(MPI_Status *status, int tag) {
  status->MPI_TAG = tag;
  return MPI_SUCCESS;
}
int Status_set_error(MPI_Status *status, int error) {
  status->MPI_ERROR = error;
  return MPI_SUCCESS;
}

} // namespace gnomon::impl
