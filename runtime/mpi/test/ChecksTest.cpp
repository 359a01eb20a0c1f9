// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Tests of the checks that `--check` chooses: types of messages, handles that are left, buffers
/// that are used twice.
#include "mpi/Checks.h"
#include "mpi/test/MpiWorld.h"
#include "support/Error.h"

namespace gnomon::mpi {
namespace {

using test::at;
using test::MpiWorld;
using test::type;

uint32_t signature(MPI_Datatype handle) { return type(handle).signature(); }

// Intent: kinds and sizes differ, names of the same do not; bytes match everything; a mixture is
// told from another by its order, however it is cut into elements.
TEST(Signature, WhatDiffers) {
  auto differ = [](MPI_Datatype a, MPI_Datatype b) {
    return signaturesDiffer(signature(a), signature(b));
  };
  EXPECT_FALSE(differ(MPI_INT, MPI_INTEGER));
  EXPECT_FALSE(differ(MPI_INT, MPI_UNSIGNED));
  EXPECT_FALSE(differ(MPI_LONG, MPI_INT64_T));
  EXPECT_FALSE(differ(MPI_DOUBLE, MPI_REAL8));
  EXPECT_FALSE(differ(MPI_DOUBLE, MPI_BYTE));
  EXPECT_FALSE(differ(MPI_PACKED, MPI_DOUBLE_INT));
  EXPECT_TRUE(differ(MPI_INT, MPI_FLOAT));
  EXPECT_TRUE(differ(MPI_INT, MPI_LONG));
  EXPECT_TRUE(differ(MPI_DOUBLE, MPI_C_COMPLEX));
  EXPECT_TRUE(differ(MPI_DOUBLE, MPI_DOUBLE_INT));

  DatatypeRef rows(*Datatype::vector(3, 2, 5, type(MPI_INT)));
  EXPECT_EQ(rows->signature(), signature(MPI_INT));
  const Datatype &floating = type(MPI_FLOAT), &whole = type(MPI_INT);
  const int ones[] = {1, 1}, two[] = {1, 1, 1, 1};
  const int64_t places[] = {0, 4, 8, 12};
  const Datatype *one[] = {&floating, &whole}, *other[] = {&whole, &floating};
  DatatypeRef first(*Datatype::structure(ones, {places, 2}, one));
  DatatypeRef second(*Datatype::structure(ones, {places, 2}, other));
  DatatypeRef many(*Datatype::contiguous(7, *first));
  EXPECT_TRUE(signaturesDiffer(first->signature(), second->signature()));
  EXPECT_FALSE(signaturesDiffer(first->signature(), signature(MPI_FLOAT_INT)));
  EXPECT_EQ(many->signature(), first->signature());
  const Datatype *unknown[] = {&floating, &type(MPI_BYTE)};
  DatatypeRef wild(*Datatype::structure(ones, {places, 2}, unknown));
  EXPECT_EQ(wild->signature(), 0u);
  const Datatype *twice[] = {&floating, &whole, &floating, &whole};
  DatatypeRef doubled(*Datatype::structure(two, places, twice));
  EXPECT_FALSE(signaturesDiffer(doubled->signature(), first->signature()));
}

// Intent: with --check=types another type received than sent is MPI_ERR_TYPE, in a wait too; other
// lengths, empty messages and bytes are no error; without it the receive succeeds.
TEST(Checks, TypesOfMessages) {
  for (bool errors : {false, true}) {
    Settings settings;
    settings.checks.quiet = true;
    if (errors)
      settings.checks.choose("types");
    MpiWorld world(2, settings);
    EXPECT_TRUE(world.run([&](Comm &comm) {
      double data[4] = {};
      MPI_Request request;
      const int wrong = errors ? MPI_ERR_TYPE : MPI_SUCCESS;
      if (comm.rank() == 0) {
        for (int tag = 0; tag < 2; ++tag)
          impl::Send(data, 1, type(MPI_DOUBLE), 1, tag, comm);
        impl::Send(data, 2, type(MPI_INT), 1, 2, comm);
        impl::Send(data, 0, type(MPI_DOUBLE), 1, 3, comm);
        impl::Send(data, 8, type(MPI_BYTE), 1, 4, comm);
        return;
      }
      EXPECT_EQ(impl::Recv(data, 4, type(MPI_INT), 0, 0, comm, nullptr), wrong);
      impl::Irecv(data, 4, type(MPI_INT), 0, 1, comm, &request);
      EXPECT_EQ(impl::Wait(&request, nullptr), wrong);
      EXPECT_EQ(impl::Recv(data, 8, type(MPI_INTEGER), 0, 2, comm, nullptr), MPI_SUCCESS);
      EXPECT_EQ(impl::Recv(data, 4, type(MPI_INT), 0, 3, comm, nullptr), MPI_SUCCESS);
      EXPECT_EQ(impl::Recv(data, 1, type(MPI_DOUBLE), 0, 4, comm, nullptr), MPI_SUCCESS);
    }));
  }
}

// Intent: what is not freed is counted by kind over all ranks; what is freed, predefined or of a
// Fortran kind is not.
TEST(Checks, LeaksAtFinalize) {
  MpiWorld world(3);
  EXPECT_TRUE(world.run([](Comm &comm) {
    MPI_Comm kept, freed;
    MPI_Datatype vector, kind, contiguous;
    impl::Comm_dup(comm, &freed);
    impl::Comm_free(&freed);
    impl::Comm_dup(comm, &kept);
    impl::Type_create_f90_real(6, 30, &kind);
    impl::Type_contiguous(2, type(MPI_INT), &contiguous);
    impl::Type_free(&contiguous);
    if (comm.rank() > 0)
      for (int i = 0; i < 2; ++i)
        impl::Type_vector(2, 1, 2, type(MPI_INT), &vector);
  }));
  EXPECT_EQ(leakText(), "not freed when MPI_Finalize was called: 3 communicators on 3 ranks (the "
                        "first on rank 0); 4 datatypes on 2 ranks (the first on rank 1)");
}

// Intent: --check=none counts nothing, and a program that frees everything leaves nothing.
TEST(Checks, NothingLeft) {
  Settings none;
  none.checks.choose("none");
  for (const Settings &settings : {none, Settings{}}) {
    MpiWorld world(1, settings);
    EXPECT_TRUE(world.run([&](Comm &comm) {
      MPI_Comm copy;
      impl::Comm_dup(comm, &copy);
      if (settings.checks.leaks)
        impl::Comm_free(&copy);
    }));
    EXPECT_EQ(leakText(), "");
  }
}

// Intent: the words of --check add up; another word is refused with those there are.
TEST(Checks, Words) {
  Checks checks;
  EXPECT_TRUE(checks.leaks && checks.collectives && checks.types);
  EXPECT_FALSE(checks.typesAreErrors || checks.buffers);
  checks.choose("none,buffers");
  EXPECT_TRUE(checks.buffers);
  EXPECT_FALSE(checks.leaks || checks.collectives || checks.types);
  checks.choose("all");
  EXPECT_TRUE(checks.typesAreErrors && checks.leaks && checks.collectives);
  try {
    checks.choose("leaks,tipes");
    ADD_FAILURE() << "no error";
  } catch (const InputError &error) {
    EXPECT_NE(std::string(error.what()).find("did you mean 'types'"), std::string::npos);
  }
}

} // namespace
} // namespace gnomon::mpi
