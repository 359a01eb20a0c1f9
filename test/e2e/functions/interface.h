! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! One program for the three interfaces: -DF08, -DMODULE, or neither for mpif.h. No comments here may look like code of C's
! preprocessor.
#if defined(F08) || defined(MODULE)
#define ASYNC , asynchronous
#else
#define ASYNC
#endif
#if defined(F08)
#define USE_MPI use mpi_f08
#define INCLUDE_MPI
#define COMM type(MPI_Comm)
#define DATATYPE type(MPI_Datatype)
#define ERRHANDLER type(MPI_Errhandler)
#define GROUP type(MPI_Group)
#define INFO type(MPI_Info)
#define MESSAGE type(MPI_Message)
#define OP type(MPI_Op)
#define REQUEST type(MPI_Request)
#define SESSION type(MPI_Session)
#define WIN type(MPI_Win)
#define STATUS(name) type(MPI_Status) :: name
#define STATUSES(name, n) type(MPI_Status) :: name(n)
#define NTH(statuses, n) statuses(n)
#define SOURCE_OF_NTH(statuses, n) statuses(n)%MPI_SOURCE
#define TAG_OF_NTH(statuses, n) statuses(n)%MPI_TAG
#define SOURCE_OF(status) status%MPI_SOURCE
#define TAG_OF(status) status%MPI_TAG
#else
#define COMM integer
#define DATATYPE integer
#define ERRHANDLER integer
#define GROUP integer
#define INFO integer
#define MESSAGE integer
#define OP integer
#define REQUEST integer
#define SESSION integer
#define WIN integer
#define STATUS(name) integer :: name(MPI_STATUS_SIZE)
#define STATUSES(name, n) integer :: name(MPI_STATUS_SIZE, n)
#define NTH(statuses, n) statuses(:, n)
#define SOURCE_OF_NTH(statuses, n) statuses(MPI_SOURCE, n)
#define TAG_OF_NTH(statuses, n) statuses(MPI_TAG, n)
#define SOURCE_OF(status) status(MPI_SOURCE)
#define TAG_OF(status) status(MPI_TAG)
#if defined(MODULE)
#define USE_MPI use mpi
#define INCLUDE_MPI
#else
#define USE_MPI
#define INCLUDE_MPI include 'mpif.h'
#endif
#endif
