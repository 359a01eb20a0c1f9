/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Intent: handles and statuses survive the way to Fortran, or to an integer, and back. */
#include "Check.h"

/* Predefined handles have the numbers of the standard ABI. */
#define ROUND_TRIP(TYPE, HANDLE, C2F, F2C, TOINT, FROMINT)                                         \
  do {                                                                                             \
    TYPE handle = (HANDLE);                                                                        \
    CHECK(F2C(C2F(handle)) == handle);                                                             \
    CHECK(FROMINT(TOINT(handle)) == handle);                                                       \
    CHECK(C2F(handle) == TOINT(handle));                                                           \
  } while (0)

static int on_query(void *extra, MPI_Status *status) {
  (void)extra;
  MPI_Status_set_elements(status, MPI_INT, 0);
  MPI_Status_set_cancelled(status, 0);
  return MPI_SUCCESS;
}
static int on_free(void *extra) {
  (void)extra;
  return MPI_SUCCESS;
}
static int on_cancel(void *extra, int complete) {
  (void)extra, (void)complete;
  return MPI_SUCCESS;
}

static void handles(void) {
  ROUND_TRIP(MPI_Comm, MPI_COMM_WORLD, MPI_Comm_c2f, MPI_Comm_f2c, MPI_Comm_toint,
             MPI_Comm_fromint);
  ROUND_TRIP(MPI_Group, MPI_GROUP_EMPTY, MPI_Group_c2f, MPI_Group_f2c, MPI_Group_toint,
             MPI_Group_fromint);
  ROUND_TRIP(MPI_Datatype, MPI_DOUBLE, MPI_Type_c2f, MPI_Type_f2c, MPI_Type_toint,
             MPI_Type_fromint);
  ROUND_TRIP(MPI_Op, MPI_MAX, MPI_Op_c2f, MPI_Op_f2c, MPI_Op_toint, MPI_Op_fromint);
  ROUND_TRIP(MPI_Errhandler, MPI_ERRORS_RETURN, MPI_Errhandler_c2f, MPI_Errhandler_f2c,
             MPI_Errhandler_toint, MPI_Errhandler_fromint);
  ROUND_TRIP(MPI_Info, MPI_INFO_NULL, MPI_Info_c2f, MPI_Info_f2c, MPI_Info_toint, MPI_Info_fromint);
  ROUND_TRIP(MPI_Request, MPI_REQUEST_NULL, MPI_Request_c2f, MPI_Request_f2c, MPI_Request_toint,
             MPI_Request_fromint);
  ROUND_TRIP(MPI_Message, MPI_MESSAGE_NO_PROC, MPI_Message_c2f, MPI_Message_f2c, MPI_Message_toint,
             MPI_Message_fromint);
  ROUND_TRIP(MPI_Win, MPI_WIN_NULL, MPI_Win_c2f, MPI_Win_f2c, MPI_Win_toint, MPI_Win_fromint);
  ROUND_TRIP(MPI_File, MPI_FILE_NULL, MPI_File_c2f, MPI_File_f2c, MPI_File_toint, MPI_File_fromint);
  CHECK(MPI_Session_fromint(MPI_Session_toint(MPI_SESSION_NULL)) == MPI_SESSION_NULL);
  CHECK(MPI_Comm_c2f(MPI_COMM_WORLD) != MPI_Comm_c2f(MPI_COMM_SELF));
  CHECK(MPI_Type_f2c(MPI_Type_c2f(MPI_INT)) != MPI_DOUBLE);
  MPI_Comm comm;
  MPI_Group group, back;
  MPI_Request request;
  int members, grouped;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  ROUND_TRIP(MPI_Comm, comm, MPI_Comm_c2f, MPI_Comm_f2c, MPI_Comm_toint, MPI_Comm_fromint);
  MPI_Comm_group(comm, &group);
  ROUND_TRIP(MPI_Group, group, MPI_Group_c2f, MPI_Group_f2c, MPI_Group_toint, MPI_Group_fromint);
  back = MPI_Group_f2c(MPI_Group_c2f(group));
  MPI_Group_size(back, &members);
  MPI_Comm_size(MPI_Comm_f2c(MPI_Comm_c2f(comm)), &grouped);
  CHECK(members == size && grouped == size);
  MPI_Group_free(&group);
  MPI_Comm_free(&comm);
  MPI_Grequest_start(on_query, on_free, on_cancel, NULL, &request);
  ROUND_TRIP(MPI_Request, request, MPI_Request_c2f, MPI_Request_f2c, MPI_Request_toint,
             MPI_Request_fromint);
  MPI_Grequest_complete(request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void statuses(void) {
  MPI_Status status, copy;
  MPI_Fint fortran[sizeof(MPI_Status) / sizeof(MPI_Fint)];
  MPI_F08_status f08;
  MPI_Count many;
  int value, flag;
  memset(&status, 0, sizeof status);
  MPI_Status_set_source(&status, 5);
  MPI_Status_set_tag(&status, 6);
  MPI_Status_set_error(&status, MPI_ERR_OTHER);
  MPI_Status_set_elements_x(&status, MPI_INT, 3000000000);
  MPI_Status_set_cancelled(&status, 1);
  MPI_Status_c2f(&status, fortran);
  CHECK(fortran[0] == 5 && fortran[1] == 6 && fortran[2] == MPI_ERR_OTHER);
  MPI_Status_f2f08(fortran, &f08);
  MPI_Status_f082c(&f08, &copy);
  MPI_Status_get_source(&copy, &value);
  CHECK(value == 5);
  MPI_Status_get_tag(&copy, &value);
  CHECK(value == 6);
  MPI_Status_get_error(&copy, &value);
  CHECK(value == MPI_ERR_OTHER);
  MPI_Get_elements_x(&copy, MPI_INT, &many);
  CHECK(many == 3000000000);
  MPI_Get_elements(&copy, MPI_INT, &value);
  CHECK(value == MPI_UNDEFINED);
  MPI_Test_cancelled(&copy, &flag);
  CHECK(flag);
  copy.MPI_TAG = 7;
  MPI_Status_c2f08(&copy, &f08);
  MPI_Status_f082f(&f08, fortran);
  MPI_Status_f2c(fortran, &status);
  CHECK(status.MPI_TAG == 7 && status.MPI_SOURCE == 5);
}

static int class_of(int code) {
  int class;
  MPI_Error_class(code, &class);
  return class;
}

static void abi(void) {
  int major, minor, truth = 1, falsehood = 0, set;
  MPI_Info info;
  MPI_Abi_get_version(&major, &minor);
  CHECK(major == 1 && minor == 0);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  /* They are the Fortran compiler's, and not to be changed. */
  CHECK(class_of(MPI_Abi_set_fortran_booleans((int)sizeof(MPI_Fint), &truth, &falsehood)) ==
        MPI_ERR_ABI);
  CHECK(class_of(MPI_Abi_set_fortran_info(MPI_INFO_NULL)) == MPI_ERR_ABI);
  truth = falsehood = -7;
  MPI_Abi_get_fortran_booleans((int)sizeof(MPI_Fint), &truth, &falsehood, &set);
  CHECK(set && truth == 1 && falsehood == 0);
  CHECK(MPI_Abi_get_info(&info) == MPI_SUCCESS);
  MPI_Info_free(&info);
  CHECK(MPI_Abi_get_fortran_info(&info) == MPI_SUCCESS);
  if (info != MPI_INFO_NULL)
    MPI_Info_free(&info);
}

int main(int argc, char **argv) {
  begin(&argc, &argv);
  handles();
  statuses();
  abi();
  return finish("handles");
}
