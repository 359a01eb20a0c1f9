/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Begins MPI by a session. */
#include <mpi.h>

int main(void) {
  MPI_Session session;
  MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
  MPI_Group group;
  MPI_Group_from_session_pset(session, "mpi://WORLD", &group);
  MPI_Comm comm;
  MPI_Comm_create_from_group(group, "replayed", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &comm);
  MPI_Barrier(comm);
  MPI_Comm_free(&comm);
  MPI_Group_free(&group);
  MPI_Session_finalize(&session);
  return 0;
}
