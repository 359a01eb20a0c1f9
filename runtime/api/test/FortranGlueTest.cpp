// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The Fortran procedures, called from C++ with Fortran's convention: everything by reference,
// lengths of CHARACTER arguments at the end.
#include "mpi/test/MpiWorld.h"

#include <gtest/gtest.h>

#include <cstring>
#include <string>

extern "C" {
void mpi_comm_rank_(int *, int *, int *);
void mpi_comm_dup_(int *, int *, int *);
void mpi_comm_free_(int *, int *);
void mpi_comm_set_name_(int *, const char *, int *, size_t);
void mpi_comm_get_name_(int *, char *, int *, int *, size_t);
void mpi_isend_(void *, int *, int *, int *, int *, int *, int *, int *);
void pmpi_irecv_(void *, int *, int *, int *, int *, int *, int *, int *);
void mpi_waitany_(int *, int *, int *, int *, int *);
void mpi_waitall_(int *, int *, int *, int *);
void mpi_waitsome_(int *, int *, int *, int *, int *, int *);
void mpi_allreduce_(void *, void *, int *, int *, int *, int *, int *);
void mpi_cart_create_(int *, int *, int *, int *, int *, int *, int *);
void mpi_comm_create_keyval_(void *, void *, int *, MPI_Aint *, int *);
void mpi_comm_set_attr_(int *, int *, MPI_Aint *, int *);
void mpi_comm_get_attr_(int *, int *, MPI_Aint *, int *, int *);
void mpi_attr_get_(int *, int *, int *, int *, int *);
void mpi_comm_set_errhandler_(int *, int *, int *);
void mpi_comm_dup_fn_(int *, int *, MPI_Aint *, MPI_Aint *, MPI_Aint *, int *, int *);
void mpi_info_create_(int *, int *);
void mpi_info_set_(int *, const char *, const char *, int *, size_t, size_t);
void mpi_info_get_string_(int *, const char *, int *, char *, int *, int *, size_t, size_t);
void mpi_info_create_env_(int *, int *);
void mpi_info_get_nkeys_(int *, int *, int *);
void mpi_info_get_(int *, const char *, int *, char *, int *, int *, size_t, size_t);
void mpi_grequest_start_(void (*)(MPI_Aint *, int *, int *), void (*)(MPI_Aint *, int *),
                         void (*)(MPI_Aint *, int *, int *), MPI_Aint *, int *, int *);
void mpi_grequest_complete_(int *, int *);
void mpi_status_set_elements_(int *, int *, int *, int *);
void mpi_cancel_(int *, int *);
void mpi_wait_(int *, int *, int *);
void mpi_session_init_(int *, int *, int *, int *);
void mpi_session_finalize_(int *, int *);
void mpi_session_get_nth_pset_(int *, int *, int *, int *, char *, int *, size_t);
void mpi_comm_attach_buffer_(int *, void *, int *, int *);
void mpi_comm_detach_buffer_f08_(int *, void **, int *, int *);
void mpi_abi_get_fortran_info_(int *, int *);
void mpi_abi_get_info_(int *, int *);
void mpi_abi_set_fortran_info_(int *, int *);
double mpi_wtime_();
int gnomon_comm_eq_(const int *, const int *);
extern char gnomon_mpi_in_place_[], gnomon_mpi_status_ignore_[], gnomon_mpi_statuses_ignore_[];
}

namespace gnomon::test {
namespace {

constexpr int World = 0x101, Self = 0x102, Integer = 0x219, Sum = 0x21;
int world = World, self = Self, integer = Integer, sum = Sum, one = 1, zero = 0;

/// A constant of Fortran as an argument.
int *sentinel(char *address) { return reinterpret_cast<int *>(address); }

void onRanks(uint32_t ranks, std::function<void()> body) {
  MpiWorld mpiWorld(ranks);
  ASSERT_TRUE(mpiWorld.run([&](mpi::Comm &) { body(); }));
}

// Intent: handles go through as numbers; ierror is set, and may be absent as in mpi_f08.
TEST(FortranGlue, HandlesAndIerror) {
  onRanks(1, [] {
    int rank = -1, error = -1, copy = 0;
    mpi_comm_rank_(&world, &rank, &error);
    EXPECT_EQ(rank, 0);
    EXPECT_EQ(error, MPI_SUCCESS);
    mpi_comm_dup_(&world, &copy, nullptr);
    EXPECT_GT(copy, 0xfff);
    EXPECT_FALSE(gnomon_comm_eq_(&copy, &world));
    mpi_comm_free_(&copy, nullptr);
    EXPECT_EQ(copy, 0x100);
  });
}

// Intent: CHARACTER arguments lose their padding going in and get it back coming out.
TEST(FortranGlue, Characters) {
  onRanks(1, [] {
    int error, length, copy;
    mpi_comm_dup_(&self, &copy, &error);
    mpi_comm_set_name_(&copy, "  a name   ", &error, 11);
    char name[12];
    mpi_comm_get_name_(&copy, name, &length, &error, sizeof name);
    EXPECT_EQ(std::string(name, sizeof name), "a name      ");
    EXPECT_EQ(length, 6);
    mpi_comm_free_(&copy, &error);
  });
}

// Intent: an info value that is not there leaves the CHARACTER argument alone.
TEST(FortranGlue, InfoValues) {
  onRanks(1, [] {
    int info, error, flag = -1, length = 8;
    char value[9] = "????????";
    mpi_info_create_(&info, &error);
    mpi_info_set_(&info, "key ", "value ", &error, 4, 6);
    mpi_info_get_(&info, "other", &length, value, &flag, &error, 5, 8);
    EXPECT_EQ(flag, 0);
    EXPECT_STREQ(value, "????????");
    mpi_info_get_(&info, "key  ", &length, value, &flag, &error, 5, 8);
    EXPECT_EQ(flag, 1);
    EXPECT_STREQ(value, "value   ");
  });
}

// Intent: MPI_Info_get_string counts characters in Fortran, without C's null byte, and never writes
// past the argument.
TEST(FortranGlue, InfoStrings) {
  onRanks(1, [] {
    int info, error, flag = -1, length = 5, keys = -1;
    char value[9] = "????????";
    mpi_info_create_env_(&info, &error);
    EXPECT_EQ(error, MPI_SUCCESS);
    mpi_info_get_nkeys_(&info, &keys, &error);
    EXPECT_EQ(keys, 0);
    mpi_info_set_(&info, "key ", "1234567", &error, 4, 7);
    mpi_info_get_string_(&info, "key", &length, value, &flag, &error, 3, 8);
    EXPECT_EQ(flag, 1);
    EXPECT_STREQ(value, "12345   ");
    EXPECT_EQ(length, 7);
    length = 100;
    std::memset(value, '?', 8);
    mpi_info_get_string_(&info, "key", &length, value, &flag, &error, 3, 4);
    EXPECT_STREQ(value, "1234????");
    EXPECT_EQ(length, 7);
    length = 0;
    mpi_info_get_string_(&info, "key", &length, value, &flag, &error, 3, 8);
    EXPECT_STREQ(value, "1234????");
    EXPECT_EQ(length, 7);
    mpi_info_get_string_(&info, "other", &length, value, &flag, &error, 5, 8);
    EXPECT_EQ(flag, 0);
    EXPECT_EQ(length, 7);
  });
}

MPI_Aint extraSeen;
int freedRequests, completeSeen = -1;
void fortranQuery(MPI_Aint *extra, int *status, int *error) {
  int two = 2;
  extraSeen = *extra;
  mpi_status_set_elements_(status, &integer, &two, error);
}
void fortranFree(MPI_Aint *extra, int *error) {
  freedRequests += static_cast<int>(*extra);
  *error = MPI_SUCCESS;
}
void fortranCancel(MPI_Aint *, int *complete, int *error) {
  completeSeen = *complete;
  *error = MPI_SUCCESS;
}

// Intent: a generalised request's functions get everything by reference in Fortran.
TEST(FortranGlue, GeneralisedRequests) {
  onRanks(1, [] {
    int request, error, status[8];
    MPI_Aint extra = 42;
    mpi_grequest_start_(fortranQuery, fortranFree, fortranCancel, &extra, &request, &error);
    EXPECT_EQ(error, MPI_SUCCESS);
    mpi_cancel_(&request, &error);
    EXPECT_EQ(completeSeen, 0);
    mpi_grequest_complete_(&request, &error);
    mpi_wait_(&request, status, &error);
    EXPECT_EQ(error, MPI_SUCCESS);
    EXPECT_EQ(extraSeen, 42);
    EXPECT_EQ(freedRequests, 42);
    MPI_Status seen;
    int count = 0;
    PMPI_Status_f2c(status, &seen);
    PMPI_Get_count(&seen, MPI_INTEGER, &count);
    EXPECT_EQ(count, 2);
  });
}

// Intent: the length of a process set's name counts characters; what was attached comes back.
TEST(FortranGlue, SessionsAndBuffers) {
  onRanks(1, [] {
    int session, error, info = 0x130, returns = 0x143, first = 0, length = 0, bytes = 600;
    char name[15] = "??????????????";
    mpi_session_init_(&info, &returns, &session, &error);
    EXPECT_EQ(error, MPI_SUCCESS);
    mpi_session_get_nth_pset_(&session, &info, &first, &length, name, &error, 14);
    EXPECT_EQ(length, 11);
    EXPECT_STREQ(name, "??????????????");
    mpi_session_get_nth_pset_(&session, &info, &first, &length, name, &error, 14);
    EXPECT_STREQ(name, "mpi://WORLD   ");
    void *address = nullptr;
    mpi_comm_attach_buffer_(&self, name, &bytes, &error);
    EXPECT_EQ(error, MPI_SUCCESS);
    mpi_comm_detach_buffer_f08_(&self, &address, &bytes, &error);
    EXPECT_EQ(address, name);
    mpi_session_finalize_(&session, &error);
    EXPECT_EQ(session, 0x120);
  });
}

// Intent: what the ABI says of itself and of Fortran's kinds.
TEST(FortranGlue, AboutTheAbi) {
  onRanks(1, [] {
    int info, error, flag = 0, length = 8;
    char value[9] = "????????";
    mpi_abi_get_info_(&info, &error);
    mpi_info_get_(&info, "mpi_aint_size", &length, value, &flag, &error, 13, 8);
    EXPECT_STREQ(value, "8       ");
    mpi_abi_get_fortran_info_(&info, &error);
    mpi_info_get_(&info, "mpi_logical_size", &length, value, &flag, &error, 16, 8);
    EXPECT_STREQ(value, "4       ");
    int returns = 0x143;
    mpi_comm_set_errhandler_(&world, &returns, &error);
    mpi_abi_set_fortran_info_(&info, &error);
    EXPECT_EQ(error, MPI_ERR_ABI);
  });
}

// Intent: indices count from 1, MPI_UNDEFINED stays, arrays of requests come back.
TEST(FortranGlue, RequestsAndIndices) {
  onRanks(1, [] {
    int error, sent = 7, received = 0, requests[2], index = 0, status[8], two = 2;
    pmpi_irecv_(&received, &one, &integer, &zero, &one, &self, &requests[0], &error);
    mpi_isend_(&sent, &one, &integer, &zero, &one, &self, &requests[1], &error);
    mpi_waitany_(&two, requests, &index, status, &error);
    EXPECT_TRUE(index == 1 || index == 2) << index;
    EXPECT_EQ(requests[index - 1], 0x180);
    mpi_waitall_(&two, requests, sentinel(gnomon_mpi_statuses_ignore_), &error);
    EXPECT_EQ(received, 7);
    mpi_waitany_(&two, requests, &index, sentinel(gnomon_mpi_status_ignore_), &error);
    EXPECT_EQ(index, MPI_UNDEFINED);
    int count, indices[2] = {-5, -5};
    mpi_waitsome_(&two, requests, &count, indices, sentinel(gnomon_mpi_statuses_ignore_), &error);
    EXPECT_EQ(count, MPI_UNDEFINED);
    EXPECT_EQ(indices[0], -5);
  });
}

// Intent: a status is INTEGER(MPI_STATUS_SIZE): source, tag and error in its first three elements.
TEST(FortranGlue, StatusLayout) {
  onRanks(1, [] {
    int error, value = 3, requests[2], statuses[16], tag = 9, two = 2;
    mpi_isend_(&value, &one, &integer, &zero, &tag, &self, &requests[0], &error);
    pmpi_irecv_(&value, &one, &integer, &zero, &tag, &self, &requests[1], &error);
    mpi_waitall_(&two, requests, statuses, &error);
    EXPECT_EQ(statuses[8], 0);
    EXPECT_EQ(statuses[9], 9);
  });
}

// Intent: MPI_IN_PLACE is recognised by its address.
TEST(FortranGlue, InPlace) {
  onRanks(2, [] {
    int value = 21, error;
    mpi_allreduce_(gnomon_mpi_in_place_, &value, &one, &integer, &sum, &world, &error);
    EXPECT_EQ(value, 42);
  });
}

// Intent: LOGICAL arguments are flang's integers.
TEST(FortranGlue, Logicals) {
  onRanks(2, [] {
    int dims[1] = {2}, periods[1] = {1}, cart, error = -1;
    mpi_cart_create_(&world, &one, dims, periods, &zero, &cart, &error);
    EXPECT_EQ(error, MPI_SUCCESS);
    mpi_comm_free_(&cart, &error);
  });
}

int deleted = 0;
void deleteAttribute(int *, int *, MPI_Aint *value, MPI_Aint *extra, int *error) {
  deleted = static_cast<int>(*value + *extra);
  *error = MPI_SUCCESS;
}

// Intent: attribute callbacks are called as Fortran procedures, predefined ones are recognised,
// values are integers.
TEST(FortranGlue, Attributes) {
  onRanks(1, [] {
    deleted = 0;
    int keyval, error, copy, flag;
    MPI_Aint extra = 100, value = 23, got = 0;
    mpi_comm_create_keyval_(reinterpret_cast<void *>(mpi_comm_dup_fn_),
                            reinterpret_cast<void *>(deleteAttribute), &keyval, &extra, &error);
    int base;
    mpi_comm_dup_(&self, &base, &error);
    mpi_comm_set_attr_(&base, &keyval, &value, &error);
    mpi_comm_dup_(&base, &copy, &error);
    mpi_comm_get_attr_(&copy, &keyval, &got, &flag, &error);
    EXPECT_EQ(flag, 1);
    EXPECT_EQ(got, 23);
    mpi_comm_free_(&copy, &error);
    EXPECT_EQ(deleted, 123);
    // C sees the address of what Fortran set.
    MPI_Aint *inC = nullptr;
    PMPI_Comm_get_attr(PMPI_Comm_f2c(base), keyval, &inC, &flag);
    ASSERT_TRUE(flag && inC);
    EXPECT_EQ(*inC, 23);
    mpi_comm_free_(&base, &error);
  });
}

// Intent: the predefined attributes are values in Fortran, addresses in C; the MPI-1 name gives a
// default INTEGER.
TEST(FortranGlue, PredefinedAttributes) {
  onRanks(1, [] {
    int key = MPI_TAG_UB, flag = 0, error, old[2] = {0, -1};
    MPI_Aint upper = 0;
    mpi_comm_get_attr_(&world, &key, &upper, &flag, &error);
    EXPECT_TRUE(flag);
    EXPECT_GE(upper, 32767);
    mpi_attr_get_(&world, &key, old, &flag, &error);
    EXPECT_EQ(old[0], upper);
    EXPECT_EQ(old[1], -1);
  });
}

// Intent: errors come back in ierror when the handler returns.
TEST(FortranGlue, ErrorsReturn) {
  onRanks(1, [] {
    int handler = 0x143, error = -1, bad = 0x100, rank;
    mpi_comm_set_errhandler_(&world, &handler, &error);
    mpi_comm_set_errhandler_(&self, &handler, &error);
    mpi_comm_rank_(&bad, &rank, &error);
    EXPECT_EQ(error, MPI_ERR_COMM);
    EXPECT_GE(mpi_wtime_(), 0.0);
  });
}

} // namespace
} // namespace gnomon::test
