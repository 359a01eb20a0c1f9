// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Tests of attributes, keyvals and info objects.
#include "mpi/test/MpiWorld.h"

#include <cstring>

namespace gnomon::mpi {
namespace {

using test::at;
using test::MpiWorld;

std::vector<std::string> events;

int copyTwice(MPI_Comm, int, void *extra, void *in, void *out, int *flag) {
  events.push_back("copy " + std::to_string(reinterpret_cast<intptr_t>(in)));
  *static_cast<void **>(out) = static_cast<char *>(in) + reinterpret_cast<intptr_t>(extra);
  *flag = 1;
  return MPI_SUCCESS;
}
int copyNot(MPI_Comm, int, void *, void *, void *, int *flag) {
  *flag = 0;
  return MPI_SUCCESS;
}
int copyFails(MPI_Comm, int, void *, void *, void *, int *) { return MPI_ERR_OTHER; }
int noteDelete(MPI_Comm, int, void *value, void *) {
  events.push_back("delete " + std::to_string(reinterpret_cast<intptr_t>(value)));
  return MPI_SUCCESS;
}
void *number(intptr_t value) { return reinterpret_cast<void *>(value); }
intptr_t get(Comm &comm, int keyval) {
  void *value = nullptr;
  int flag = 0;
  EXPECT_EQ(impl::Comm_get_attr(comm, keyval, &value, &flag), MPI_SUCCESS);
  return flag ? reinterpret_cast<intptr_t>(value) : -1;
}

// Intent: set, get, replace, duplicate, free: the callbacks come when the standard says, newest
// first at the end.
TEST(Attribute, Life) {
  MpiWorld world(1);
  EXPECT_TRUE(world.run([](Comm &comm) {
    events.clear();
    int copied, kept, plain;
    impl::Comm_create_keyval(copyTwice, noteDelete, &copied, number(100));
    impl::Comm_create_keyval(copyNot, noteDelete, &kept, nullptr);
    impl::Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, &plain, nullptr);
    MPI_Comm first;
    impl::Comm_dup(comm, &first);
    Comm &a = at<Comm>(first);
    EXPECT_EQ(get(a, copied), -1);
    impl::Comm_set_attr(a, copied, number(1));
    impl::Comm_set_attr(a, kept, number(2));
    impl::Comm_set_attr(a, plain, number(3));
    impl::Comm_set_attr(a, copied, number(4));
    EXPECT_EQ(get(a, copied), 4);
    MPI_Comm second;
    impl::Comm_dup(a, &second);
    Comm &b = at<Comm>(second);
    EXPECT_EQ(get(b, copied), 104);
    EXPECT_EQ(get(b, kept), -1);
    EXPECT_EQ(get(b, plain), 3);
    int freed = kept;
    impl::Comm_free_keyval(&kept); // lives on with its attribute
    EXPECT_EQ(kept, MPI_KEYVAL_INVALID);
    impl::Comm_free(&second);
    impl::Comm_free(&first);
    EXPECT_EQ(events, (std::vector<std::string>{"delete 1", "copy 4", "delete 104", "delete 2",
                                                "delete 4"}));
    EXPECT_EQ(impl::Comm_set_attr(comm, freed, nullptr), MPI_ERR_KEYVAL);
  }));
}

int later = 0;
int setLater(MPI_Comm comm, int, void *value, void *) {
  events.push_back("delete " + std::to_string(reinterpret_cast<intptr_t>(value)));
  impl::Comm_set_attr(at<Comm>(comm), later, number(9));
  return MPI_SUCCESS;
}

// Intent: an attribute that a delete callback sets is deleted too, and none is deleted twice.
TEST(Attribute, SetWhileTheObjectIsFreed) {
  MpiWorld world(1);
  EXPECT_TRUE(world.run([](Comm &comm) {
    events.clear();
    int sets;
    impl::Comm_create_keyval(copyNot, setLater, &sets, nullptr);
    impl::Comm_create_keyval(copyNot, noteDelete, &later, nullptr);
    MPI_Comm made;
    impl::Comm_dup(comm, &made);
    impl::Comm_set_attr(at<Comm>(made), sets, number(1));
    impl::Comm_free(&made);
    EXPECT_EQ(events, (std::vector<std::string>{"delete 1", "delete 9"}));
  }));
}

// Intent: a copy callback that fails makes MPI_Comm_dup fail, on this rank before anybody waits.
TEST(Attribute, CopyFailure) {
  MpiWorld world(1);
  EXPECT_TRUE(world.run([](Comm &comm) {
    int keyval;
    impl::Comm_create_keyval(copyFails, MPI_COMM_NULL_DELETE_FN, &keyval, nullptr);
    impl::Comm_set_attr(comm, keyval, nullptr);
    MPI_Comm copy;
    EXPECT_EQ(impl::Comm_dup(comm, &copy), MPI_ERR_OTHER);
  }));
}

// Intent: a keyval freed twice, once from a delete callback, still serves the attributes that use
// it.
TEST(Attribute, FreedTwice) {
  MpiWorld world(1);
  events.clear();
  EXPECT_TRUE(world.run([](Comm &comm) {
    int keyval, copy;
    impl::Comm_create_keyval(MPI_COMM_NULL_COPY_FN, noteDelete, &keyval, nullptr);
    impl::Comm_set_attr(comm, keyval, number(6));
    copy = keyval;
    EXPECT_EQ(impl::Comm_free_keyval(&keyval), MPI_SUCCESS);
    EXPECT_EQ(impl::Comm_free_keyval(&copy), MPI_SUCCESS);
  }));
  EXPECT_EQ(events, (std::vector<std::string>{"delete 6"}));
}

// Intent: attributes of MPI_COMM_SELF are deleted at MPI_Finalize.
TEST(Attribute, SelfAtFinalize) {
  MpiWorld world(1);
  events.clear();
  EXPECT_TRUE(world.run([](Comm &comm) {
    int keyval;
    impl::Comm_create_keyval(MPI_COMM_NULL_COPY_FN, noteDelete, &keyval, nullptr);
    impl::Comm_set_attr(state(comm.owner()).self(), keyval, number(8));
  }));
  EXPECT_EQ(events, (std::vector<std::string>{"delete 8"}));
}

// Intent: predefined attributes are pointers to int and cannot be changed.
TEST(Attribute, Predefined) {
  MpiWorld world(3);
  EXPECT_TRUE(world.run([](Comm &comm) {
    auto value = [&](int keyval) {
      int *pointer = nullptr, flag = 0;
      impl::Comm_get_attr(comm, keyval, &pointer, &flag);
      EXPECT_TRUE(flag);
      return *pointer;
    };
    EXPECT_GE(value(MPI_TAG_UB), 32767);
    EXPECT_EQ(value(MPI_UNIVERSE_SIZE), 3);
    EXPECT_EQ(value(MPI_WTIME_IS_GLOBAL), 1);
    EXPECT_EQ(value(MPI_LASTUSEDCODE), MPI_ERR_LASTCODE);
    value(MPI_HOST), value(MPI_IO), value(MPI_APPNUM);
    EXPECT_EQ(impl::Comm_set_attr(comm, MPI_TAG_UB, nullptr), MPI_ERR_KEYVAL);
    EXPECT_EQ(impl::Comm_delete_attr(comm, MPI_TAG_UB), MPI_ERR_KEYVAL);
    int bogus = 99;
    EXPECT_EQ(impl::Comm_free_keyval(&bogus), MPI_ERR_KEYVAL);
  }));
}

// Fortran's callbacks: everything by reference.
void fortranCopy(int *, int *, intptr_t *extra, intptr_t *in, intptr_t *out, int *flag,
                 int *error) {
  *out = *in + *extra;
  *flag = 1;
  *error = MPI_SUCCESS;
}
void fortranOldCopy(int *, int *, int *extra, int *in, int *out, int *flag, int *error) {
  *out = *in * *extra;
  *flag = 1;
  *error = MPI_SUCCESS;
}

// Intent: what one language sets the other reads: C sees the address of Fortran's number; callbacks
// follow their convention.
TEST(Attribute, Languages) {
  MpiWorld world(1);
  EXPECT_TRUE(world.run([](Comm &comm) {
    process::Rank &rank = comm.owner();
    auto keyvalOf = [&](Convention convention, auto copy, intptr_t extra) -> Keyval & {
      int n = createKeyval(rank, AttributeTarget::Comm, convention,
                           reinterpret_cast<Keyval::Function>(copy), nullptr, extra);
      return *findKeyval(rank, AttributeTarget::Comm, n);
    };
    Keyval &modern = keyvalOf(Convention::Fortran, fortranCopy, intptr_t{1} << 40);
    Keyval &old = keyvalOf(Convention::FortranOld, fortranOldCopy, 3);
    AttributeSet set, copy;
    setAttribute(rank, set, 0x101, modern, AttributeLanguage::Fortran, 5);
    setAttribute(rank, set, 0x101, old, AttributeLanguage::FortranOld, 7);
    EXPECT_EQ(*static_cast<intptr_t *>(readAsC(*findAttribute(set, modern))), 5);
    EXPECT_EQ(*static_cast<int *>(readAsC(*findAttribute(set, old))), 7);
    EXPECT_EQ(copyAttributes(rank, set, 0x101, copy), MPI_SUCCESS);
    EXPECT_EQ(readAsFortran(*findAttribute(copy, modern)), 5 + (intptr_t{1} << 40));
    EXPECT_EQ(readAsFortran(*findAttribute(copy, old)), 21);
    setAttribute(rank, set, 0x101, modern, AttributeLanguage::C, 99);
    EXPECT_EQ(readAsFortran(*findAttribute(set, modern)), 99);
    EXPECT_EQ(readAsC(*findAttribute(set, modern)), number(99));
  }));
}

// Intent: attributes of datatypes are set, found and deleted apart from those of communicators.
TEST(Attribute, Datatypes) {
  MpiWorld world(1);
  EXPECT_TRUE(world.run([](Comm &comm) {
    int keyval, flag = 0;
    impl::Type_create_keyval(MPI_TYPE_DUP_FN, MPI_TYPE_NULL_DELETE_FN, &keyval, nullptr);
    Datatype *type = Datatype::contiguous(3, test::type(MPI_INT));
    Datatype *copy = Datatype::duplicate(*type);
    void *value = nullptr;
    impl::Type_set_attr(*type, keyval, number(5));
    impl::Type_get_attr(*type, keyval, &value, &flag);
    EXPECT_TRUE(flag);
    EXPECT_EQ(value, number(5));
    EXPECT_EQ(impl::Comm_set_attr(comm, keyval, nullptr), MPI_ERR_KEYVAL);
    copyTypeAttributes(comm.owner(), *type, nullptr, *copy);
    impl::Type_delete_attr(*type, keyval);
    impl::Type_get_attr(*type, keyval, &value, &flag);
    EXPECT_FALSE(flag);
    impl::Type_get_attr(*copy, keyval, &value, &flag);
    EXPECT_TRUE(flag);
    deleteTypeAttributes(comm.owner(), *copy, nullptr);
    copy->release();
    type->release();
  }));
}

// Intent: info objects keep keys in order, replace, delete, cut values to the caller's length, and
// refuse bad keys.
TEST(Info, KeysAndValues) {
  MpiWorld world(1);
  EXPECT_TRUE(world.run([](Comm &) {
    MPI_Info handle, copy;
    impl::Info_create(&handle);
    Info &info = at<Info>(handle);
    impl::Info_set(info, "one", "first");
    impl::Info_set(info, "two", "second");
    impl::Info_set(info, "one", "again");
    int count = 0, flag = 0, length = 0;
    char text[MPI_MAX_INFO_VAL];
    impl::Info_get_nkeys(info, &count);
    EXPECT_EQ(count, 2);
    impl::Info_get_nthkey(info, 1, text);
    EXPECT_STREQ(text, "two");
    EXPECT_EQ(impl::Info_get_nthkey(info, 2, text), MPI_ERR_ARG);
    impl::Info_get(info, "one", 3, text, &flag);
    EXPECT_TRUE(flag);
    EXPECT_STREQ(text, "aga");
    impl::Info_get_valuelen(info, "one", &length, &flag);
    EXPECT_EQ(length, 5);
    impl::Info_dup(info, &copy);
    EXPECT_EQ(impl::Info_delete(info, "two"), MPI_SUCCESS);
    EXPECT_EQ(impl::Info_delete(info, "two"), MPI_ERR_INFO_NOKEY);
    impl::Info_get(at<Info>(copy), "two", 100, text, &flag);
    EXPECT_STREQ(text, "second");
    // The text's length comes back with the null byte, whatever there was room for.
    length = 3;
    impl::Info_get_string(info, "one", &length, text, &flag);
    EXPECT_STREQ(text, "ag");
    EXPECT_EQ(length, 6);
    length = 0;
    EXPECT_EQ(impl::Info_get_string(info, "one", &length, nullptr, &flag), MPI_SUCCESS);
    EXPECT_EQ(length, 6);
    EXPECT_TRUE(flag);
    length = 6;
    EXPECT_EQ(impl::Info_get_string(info, "one", &length, nullptr, &flag), MPI_ERR_ARG);
    impl::Info_get_string(info, "two", &length, text, &flag);
    EXPECT_EQ(length, 6);
    EXPECT_FALSE(flag);
    length = -1;
    EXPECT_EQ(impl::Info_get_string(info, "one", &length, text, &flag), MPI_ERR_ARG);
    EXPECT_EQ(impl::Info_get_string(info, "", &length, text, &flag), MPI_ERR_INFO_KEY);
    EXPECT_EQ(impl::Info_set(info, "", "x"), MPI_ERR_INFO_KEY);
    EXPECT_EQ(impl::Info_set(info, std::string(300, 'k').c_str(), "x"), MPI_ERR_INFO_KEY);
    EXPECT_EQ(impl::Info_set(info, "k", std::string(2000, 'v').c_str()), MPI_ERR_INFO_VALUE);
    impl::Info_free(&copy);
    EXPECT_EQ(copy, MPI_INFO_NULL);
    EXPECT_EQ(impl::Info_free(&copy), MPI_ERR_INFO);
  }));
}

} // namespace
} // namespace gnomon::mpi
