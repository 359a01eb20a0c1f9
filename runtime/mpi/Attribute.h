// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Attributes cached on communicators, datatypes and windows, and their keyvals (MPI 4.1,
/// section 7.7). A value remembers the language that set it, for the standard lets the other
/// language read it: C sees the address of what Fortran set, Fortran sees the number that C's
/// pointer is (section 19.3.7).
#pragma once

#include "mpi/Handle.h"

#include <cstdint>
#include <list>

namespace gnomon::mpi {

enum class AttributeTarget : uint8_t { Comm, Datatype, Win };

/// How a keyval's callbacks are called.
enum class Convention : uint8_t {
  C,          ///< int copy(handle, keyval, extra, in, out, flag), by value
  Fortran,    ///< all by reference, values INTEGER(KIND=MPI_ADDRESS_KIND), ierror last
  FortranOld, ///< MPI-1: all by reference, values and extra state default INTEGER
};

/// What a keyval number names on a rank.
struct Keyval {
  using Function = void (*)(); ///< cast according to convention when called
  AttributeTarget target;
  Convention convention;
  int number;
  Function copy;           ///< ABI codes: 0 copies nothing, 1 duplicates the value
  Function remove;         ///< 0 does nothing
  intptr_t extra;          ///< C's pointer, or Fortran's integer
  uint32_t references = 1; ///< one for the user until freed, one for each attribute set
  bool freed = false;      ///< by the user; lives on while attributes use it
};

enum class AttributeLanguage : uint8_t { C, Fortran, FortranOld };

struct Attribute {
  Keyval *keyval;
  AttributeLanguage language; ///< of the setter
  intptr_t value;             ///< its address is what C reads of Fortran's
  int32_t integer;            ///< the same for FortranOld
};

/// The attributes of one object, in order of setting. A list: addresses of values are given to
/// users.
using AttributeSet = std::list<Attribute>;

/// Number of a new keyval.
int createKeyval(process::Rank &rank, AttributeTarget target, Convention convention,
                 Keyval::Function copy, Keyval::Function remove, intptr_t extra);
/// Null when \p number names none (freed, or of another target).
Keyval *findKeyval(process::Rank &rank, AttributeTarget target, int number);
/// MPI_*_free_keyval: attributes that use it keep it alive. Freeing it once more while they do is
/// nothing.
void freeKeyval(process::Rank &rank, Keyval &keyval);

/// \p object is the user's handle, given to callbacks. These return the error class, or what a
/// callback returned.
int setAttribute(process::Rank &rank, AttributeSet &set, uintptr_t object, Keyval &keyval,
                 AttributeLanguage language, intptr_t value);
int deleteAttribute(process::Rank &rank, AttributeSet &set, uintptr_t object, Keyval &keyval);
/// Null when not set.
const Attribute *findAttribute(const AttributeSet &set, const Keyval &keyval);
/// For MPI_*_dup: \p from is the old object's handle.
int copyAttributes(process::Rank &rank, const AttributeSet &set, uintptr_t from,
                   AttributeSet &copy);
/// For MPI_*_free: newest first. The set is empty afterwards unless a callback fails.
int deleteAttributes(process::Rank &rank, AttributeSet &set, uintptr_t object);

/// The value of a predefined attribute of communicators (MPI_TAG_UB…), the same in both languages;
/// null when
/// \p keyval is no such key.
const int *predefinedAttribute(process::Rank &rank, int keyval);

/// What MPI_*_get_attr of C stores: the pointer that C set, or the address of what Fortran set.
void *readAsC(const Attribute &attribute);
/// What MPI_*_get_attr of Fortran stores.
intptr_t readAsFortran(const Attribute &attribute);

/// Attributes of datatypes live beside the type (room mpi's Datatype files call these).
int copyTypeAttributes(process::Rank &rank, const Datatype &from, MPI_Datatype fromHandle,
                       Datatype &to);
int deleteTypeAttributes(process::Rank &rank, const Datatype &type, MPI_Datatype handle);

} // namespace gnomon::mpi
