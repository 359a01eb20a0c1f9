// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Tests of the checks that `--check` chooses: types of messages, handles that are left, buffers
/// that are used twice.
#include "mpi/Checks.h"
#include "mpi/datatype/Signature.h"
#include "mpi/request/Message.h"
#include "mpi/test/MpiWorld.h"
#include "support/Error.h"

#include <array>
#include <functional>

namespace gnomon::mpi {
namespace {

using test::at;
using test::MpiWorld;
using test::type;

uint32_t signature(MPI_Datatype handle) { return type(handle).signature(); }

bool differ(const Datatype &sent, const Datatype &received, int64_t bytes = 1 << 20) {
  return signaturesDiffer(sent.signature(), received.signature(), bytes);
}

/// The types of \p handles one after the other.
DatatypeRef sequence(std::vector<MPI_Datatype> handles) {
  std::vector<int> ones(handles.size(), 1);
  std::vector<int64_t> places;
  std::vector<const Datatype *> types;
  for (MPI_Datatype handle : handles) {
    places.push_back(static_cast<int64_t>(8 * places.size()));
    types.push_back(&type(handle));
  }
  return DatatypeRef(*Datatype::structure(ones, places, types));
}

// Intent: kinds and sizes differ, names of the same do not; bytes match everything.
TEST(Signature, WhatDiffers) {
  auto differ = [](MPI_Datatype a, MPI_Datatype b) { return mpi::differ(type(a), type(b)); };
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
  EXPECT_EQ(sequence({MPI_FLOAT, MPI_BYTE})->signature(), 0u);
}

// Intent: types that spell the same endless sequence, however they cut and nest it, have one
// signature: whole periods, parts of several elements, first and last runs that join.
TEST(Signature, EqualSequences) {
  const DatatypeRef pair = sequence({MPI_FLOAT, MPI_INT});
  EXPECT_EQ(pair->signature(), signature(MPI_FLOAT_INT));
  DatatypeRef many(*Datatype::contiguous(7, *pair));
  EXPECT_EQ(many->signature(), pair->signature());
  EXPECT_EQ(sequence({MPI_FLOAT, MPI_INT, MPI_FLOAT, MPI_INT})->signature(), pair->signature());
  DatatypeRef ints(*Datatype::contiguous(2, type(MPI_INT)));
  const int lengths[] = {1, 1, 2};
  const int64_t places[] = {0, 8, 16};
  // float, int int; the same with the ints as one type; and as what is left of a longer one.
  const Datatype *cut[] = {&type(MPI_FLOAT), &type(MPI_INT), &type(MPI_INT)};
  const Datatype *joined[] = {&type(MPI_FLOAT), ints.get()};
  DatatypeRef first(*Datatype::structure(CountList(lengths, 2), {places, 2}, {joined, 2}));
  EXPECT_EQ(first->signature(), sequence({MPI_FLOAT, MPI_INT, MPI_INT})->signature());
  EXPECT_NE(first->signature(),
            DatatypeRef(*Datatype::structure(lengths, places, cut))->signature());
  // a b a, a b a: the inner a a is a run of two.
  const DatatypeRef palindrome = sequence({MPI_INT, MPI_FLOAT, MPI_INT});
  EXPECT_EQ(sequence({MPI_INT, MPI_FLOAT, MPI_INT, MPI_INT, MPI_FLOAT, MPI_INT})->signature(),
            palindrome->signature());
  EXPECT_NE(sequence({MPI_INT, MPI_FLOAT, MPI_INT, MPI_INT, MPI_FLOAT})->signature(),
            palindrome->signature());
  // a a b a, twice: the turned sequence's period leaves a run at both ends.
  EXPECT_EQ(sequence({MPI_INT, MPI_INT, MPI_FLOAT, MPI_INT, MPI_INT, MPI_INT, MPI_FLOAT, MPI_INT})
                ->signature(),
            sequence({MPI_INT, MPI_INT, MPI_FLOAT, MPI_INT})->signature());
}

// Intent: a period is found where a false start of it goes before; what only begins like a period
// is none.
TEST(Signature, Periods) {
  const std::vector<MPI_Datatype> once{MPI_INT,    MPI_FLOAT, MPI_INT,  MPI_FLOAT,
                                       MPI_DOUBLE, MPI_INT,   MPI_FLOAT};
  std::vector<MPI_Datatype> twice = once;
  twice.insert(twice.end(), once.begin(), once.end());
  EXPECT_EQ(sequence(twice)->signature(), sequence(once)->signature());
  EXPECT_NE(sequence({MPI_INT, MPI_FLOAT, MPI_DOUBLE, MPI_INT, MPI_FLOAT})->signature(),
            sequence({MPI_INT, MPI_FLOAT, MPI_DOUBLE})->signature());
}

// Intent: parts that repeat a mixture, and parts without data, are what they stand for.
TEST(Signature, PartsOfMixtures) {
  const DatatypeRef pair = sequence({MPI_FLOAT, MPI_INT});
  auto with = [](int64_t repeat, const Datatype &first, const Datatype &last) {
    const int64_t lengths[] = {repeat, 1}, places[] = {0, 1 << 20};
    const Datatype *types[] = {&first, &last};
    return DatatypeRef(*Datatype::structure(lengths, places, types));
  };
  EXPECT_EQ(with(2, *pair, type(MPI_DOUBLE))->signature(),
            sequence({MPI_FLOAT, MPI_INT, MPI_FLOAT, MPI_INT, MPI_DOUBLE})->signature());
  EXPECT_EQ(with(5000, *pair, type(MPI_DOUBLE))->signature(), 0u);
  const DatatypeRef nothing(*Datatype::contiguous(0, type(MPI_INT)));
  EXPECT_EQ(with(1, *nothing, *pair)->signature(), pair->signature());
}

// Intent: what is compared is the message: sequences that go on otherwise after its end do not
// differ, those that part within it do, wherever that is.
TEST(Signature, AsFarAsTheMessageGoes) {
  const DatatypeRef pair = sequence({MPI_FLOAT, MPI_INT}),
                    triple = sequence({MPI_FLOAT, MPI_INT, MPI_DOUBLE}),
                    back = sequence({MPI_INT, MPI_FLOAT});
  EXPECT_TRUE(differ(*pair, *back));
  EXPECT_FALSE(differ(*pair, *triple, 8));
  EXPECT_TRUE(differ(*pair, *triple, 16));
  EXPECT_FALSE(differ(type(MPI_FLOAT), *pair, 4));
  EXPECT_TRUE(differ(type(MPI_FLOAT), *pair, 8));
  EXPECT_FALSE(differ(*pair, *back, 0));
  // int float int | int float int | int and int float int int float | int float
  const DatatypeRef three = sequence({MPI_INT, MPI_FLOAT, MPI_INT}),
                    five = sequence({MPI_INT, MPI_FLOAT, MPI_INT, MPI_INT, MPI_FLOAT});
  EXPECT_FALSE(differ(*three, *five, 24));
  EXPECT_TRUE(differ(*three, *five, 28));
  // float^3 int and float int part at the second element; float^2 int and float^2 int float^2 do so
  // after the second period.
  EXPECT_TRUE(differ(*sequence({MPI_FLOAT, MPI_FLOAT, MPI_INT}),
                     *sequence({MPI_FLOAT, MPI_FLOAT, MPI_INT, MPI_FLOAT, MPI_FLOAT}), 28));
  EXPECT_FALSE(differ(*sequence({MPI_FLOAT, MPI_FLOAT, MPI_INT}),
                      *sequence({MPI_FLOAT, MPI_FLOAT, MPI_INT, MPI_FLOAT, MPI_FLOAT}), 20));
}

// Intent: a mixture too long to be kept matches everything; one that only repeats is as short as
// its period.
TEST(Signature, LongMixtures) {
  std::vector<MPI_Datatype> irregular;
  for (int i = 0; i < 2000; ++i)
    irregular.insert(irregular.end(), static_cast<size_t>(i % 7 == 0 ? 2 : 1),
                     i % 2 ? MPI_FLOAT : MPI_INT);
  irregular.push_back(MPI_DOUBLE);
  const DatatypeRef kept = sequence(irregular);
  EXPECT_NE(kept->signature(), 0u);
  EXPECT_TRUE(differ(*kept, type(MPI_INT)));
  const DatatypeRef repeated(*Datatype::contiguous(1'000'000, *kept));
  EXPECT_EQ(repeated->signature(), kept->signature());
  std::vector<MPI_Datatype> longer;
  for (MPI_Datatype separator : {MPI_LONG, MPI_SHORT, MPI_CHAR}) {
    longer.insert(longer.end(), irregular.begin(), irregular.end());
    longer.push_back(separator);
  }
  EXPECT_EQ(sequence(longer)->signature(), 0u);
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

// Intent: a message that a matched receive has taken is no longer there; one that none took is told.
TEST(Checks, LeaksOfMessages) {
  MpiWorld world(2);
  EXPECT_TRUE(world.run([](Comm &comm) {
    int value = 0;
    if (comm.rank() == 0) {
      for (int tag = 0; tag < 3; ++tag)
        impl::Send(&value, 1, type(MPI_INT), 1, tag, comm);
      return;
    }
    std::array<MPI_Message, 3> taken{};
    for (int tag = 0; tag < 3; ++tag)
      impl::Mprobe(0, tag, comm, &taken[tag], nullptr);
    const MPI_Message copy = taken[0];
    impl::Mrecv(&value, 1, type(MPI_INT), &taken[0], nullptr);
    EXPECT_EQ(find<Message>(comm.owner(), copy), nullptr);
    MPI_Request request;
    impl::Imrecv(&value, 1, type(MPI_INT), &taken[1], &request);
    impl::Wait(&request, nullptr);
  }));
  EXPECT_EQ(leakText(),
            "not freed when MPI_Finalize was called: 1 message on 1 rank (the first on rank 1)");
}

// Intent: a request that is not freed is told with the call that made it, as other objects are.
TEST(Checks, LeaksOfRequestsHaveALine) {
  MpiWorld world(1);
  EXPECT_TRUE(world.run([](Comm &comm) {
    int value;
    MPI_Request kept;
    comm.owner().call = {"MPI_Recv_init", reinterpret_cast<const void *>(0x1000)};
    impl::Recv_init(&value, 1, type(MPI_INT), 0, 0, comm, &kept);
    comm.owner().call = {};
  }));
  EXPECT_NE(leakText().find("1 request on 1 rank (the first on rank 0, made at "),
            std::string::npos)
      << leakText();
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

/// What \p program makes --check=buffers say.
std::string notes(std::function<void(Comm &)> program) {
  Settings settings;
  settings.checks.choose("none,buffers");
  testing::internal::CaptureStderr();
  MpiWorld world(1, settings);
  EXPECT_TRUE(world.run(std::move(program)));
  return testing::internal::GetCapturedStderr();
}

/// Receives nothing into both places, the second while the first is under way.
std::string notesOfTwo(void *first, int firstCount, Datatype &firstType, void *second, int count,
                       Datatype &secondType) {
  return notes([&](Comm &comm) {
    MPI_Request requests[2];
    impl::Irecv(first, firstCount, firstType, 0, 1, comm, &requests[0]);
    impl::Irecv(second, count, secondType, 0, 2, comm, &requests[1]);
    for (MPI_Request &request : requests) {
      impl::Cancel(&request);
      impl::Wait(&request, nullptr);
    }
  });
}

// Intent: buffers that share a byte are told of, whichever comes first; neighbours are not, nor are
// types with gaps, which may interleave.
TEST(Checks, BuffersThatShareBytes) {
  int data[6] = {};
  Datatype &integer = type(MPI_INT);
  const std::string word = "its buffer is that of an operation under way";
  auto ofTwo = [&](int first, int firstCount, int second, int count) {
    return notesOfTwo(data + first, firstCount, integer, data + second, count, integer);
  };
  EXPECT_NE(ofTwo(0, 3, 2, 3).find(word), std::string::npos);
  EXPECT_NE(ofTwo(2, 3, 0, 3).find(word), std::string::npos);
  EXPECT_EQ(ofTwo(0, 2, 2, 2), "");
  EXPECT_EQ(ofTwo(2, 2, 0, 2), "");
  DatatypeRef gaps(*Datatype::vector(2, 1, 2, integer));
  EXPECT_EQ(notesOfTwo(data, 1, const_cast<Datatype &>(*gaps), data + 1, 1, integer), "");
  EXPECT_EQ(notesOfTwo(data + 1, 1, integer, data, 1, const_cast<Datatype &>(*gaps)), "");
}

// Intent: only what is under way uses its buffer: neither a persistent request that is not started
// nor one that is done.
TEST(Checks, BuffersThatAreNotInUse) {
  int value = 0;
  EXPECT_EQ(notes([&](Comm &comm) {
              MPI_Request kept[2], done, next;
              for (MPI_Request &request : kept)
                impl::Recv_init(&value, 1, type(MPI_INT), 0, 1, comm, &request);
              impl::Start(&kept[0]);
              impl::Cancel(&kept[0]);
              impl::Wait(&kept[0], nullptr);
              impl::Irecv(&value, 1, type(MPI_INT), MPI_PROC_NULL, 0, comm, &done);
              impl::Wait(&done, nullptr);
              const int sent = 5;
              impl::Irecv(&value, 1, type(MPI_INT), 0, 2, comm, &done);
              impl::Send(&sent, 1, type(MPI_INT), 0, 2, comm);
              runtime().world.engine.sleep(1);
              impl::Irecv(&value, 1, type(MPI_INT), 0, 3, comm, &next);
              impl::Cancel(&next);
              impl::Wait(&next, nullptr);
              impl::Wait(&done, nullptr);
              for (MPI_Request &request : kept)
                impl::Request_free(&request);
            }),
            "");
}

} // namespace
} // namespace gnomon::mpi
