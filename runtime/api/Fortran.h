// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What the generated Fortran glue is made of. One C function `mpi_send_` serves mpif.h, `use mpi`
/// and `use mpi_f08`: a TYPE(MPI_Comm) is one INTEGER, a TYPE(MPI_Status) is
/// INTEGER(MPI_STATUS_SIZE), an absent ierror is a null address. LOGICAL of flang is an integer, 1
/// or 0, so it passes as C's int. The constants that Fortran passes by address (MPI_BOTTOM…) are
/// COMMON blocks, recognised by their addresses.
#pragma once

#include "api/Casts.h"
#include "api/Entries.h"
#include "api/Peers.h"
#include "mpi.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

// The COMMON blocks, defined in FortranSentinels.cpp; the user's module refers to these.
extern "C" {
extern char gnomon_mpi_bottom_[], gnomon_mpi_in_place_[], gnomon_mpi_buffer_automatic_[];
extern char gnomon_mpi_status_ignore_[], gnomon_mpi_statuses_ignore_[],
    gnomon_mpi_errcodes_ignore_[];
extern char gnomon_mpi_argv_null_[], gnomon_mpi_argvs_null_[];
extern char gnomon_mpi_unweighted_[], gnomon_mpi_weights_empty_[];
}

namespace gnomon::api::fortran {

/// A choice buffer, with Fortran's special addresses replaced by C's.
inline void *address(void *buffer) {
  if (buffer == gnomon_mpi_bottom_) [[unlikely]]
    return MPI_BOTTOM;
  if (buffer == gnomon_mpi_in_place_) [[unlikely]]
    return MPI_IN_PLACE;
  if (buffer == gnomon_mpi_buffer_automatic_) [[unlikely]]
    return MPI_BUFFER_AUTOMATIC;
  return buffer;
}

/// A status, an array of them, or either of the constants that ignore them.
inline MPI_Status *status(MPI_Fint *status) {
  auto *bytes = reinterpret_cast<char *>(status);
  if (bytes == gnomon_mpi_status_ignore_ || bytes == gnomon_mpi_statuses_ignore_)
    return MPI_STATUS_IGNORE;
  return reinterpret_cast<MPI_Status *>(status);
}

/// An integer array that may be MPI_UNWEIGHTED, MPI_WEIGHTS_EMPTY or MPI_ERRCODES_IGNORE.
inline int *integers(MPI_Fint *array) {
  auto *bytes = reinterpret_cast<char *>(array);
  if (bytes == gnomon_mpi_unweighted_) [[unlikely]]
    return MPI_UNWEIGHTED;
  if (bytes == gnomon_mpi_weights_empty_) [[unlikely]]
    return MPI_WEIGHTS_EMPTY;
  if (bytes == gnomon_mpi_errcodes_ignore_) [[unlikely]]
    return MPI_ERRCODES_IGNORE;
  return array;
}

inline void setError(MPI_Fint *ierror, int code) {
  if (ierror)
    *ierror = code;
}

/// Fortran counts from 1; MPI_UNDEFINED stays. Indices are set when the call or only some requests
/// fail.
inline void toOneBased(MPI_Fint *index, int code) {
  if (code == MPI_SUCCESS && *index != MPI_UNDEFINED)
    ++*index;
}
inline void toOneBased(MPI_Fint *indices, int count, int code) {
  if ((code == MPI_SUCCESS || code == MPI_ERR_IN_STATUS) && count != MPI_UNDEFINED)
    for (int i = 0; i < count; ++i)
      ++indices[i];
}

/// An array of Fortran's INTEGER elements as C elements of another size (handles, addresses), short
/// ones on the stack.
template <class Element> class Array {
public:
  Array(MPI_Fint *integers, int length)
      : integers_(integers), length_(integers ? std::max(length, 0) : 0) {
    if (length_ > InlineLength)
      many_.resize(static_cast<size_t>(length_));
    data_ = length_ > InlineLength ? many_.data() : few_;
    for (int i = 0; i < length_; ++i)
      data_[i] = fromFortran(integers_[i]);
  }
  Array(const Array &) = delete;
  Array &operator=(const Array &) = delete;

  Element *data() { return data_; }
  void store() const {
    for (int i = 0; i < length_; ++i)
      integers_[i] = toFortran(data_[i]);
  }

private:
  static Element fromFortran(MPI_Fint value) {
    if constexpr (std::is_pointer_v<Element>)
      return toHandle<Element>(value);
    else
      return value;
  }
  static MPI_Fint toFortran(Element value) {
    if constexpr (std::is_pointer_v<Element>)
      return toInteger<MPI_Fint>(value);
    else
      return static_cast<MPI_Fint>(value);
  }

  static constexpr int InlineLength = 32;
  MPI_Fint *integers_;
  int length_;
  Element *data_;
  Element few_[InlineLength];
  std::vector<Element> many_;
};

/// A CHARACTER argument that goes in, without the blanks that pad it.
inline std::string text(const char *characters, size_t length) {
  std::string_view view(characters, length);
  size_t first = view.find_first_not_of(' ');
  if (first == std::string_view::npos)
    return {};
  return std::string(view.substr(first, view.find_last_not_of(' ') + 1 - first));
}

/// Whether what counts at the root only counts here. (A bad root or communicator is the entry's to
/// tell.)
bool atRoot(const MPI_Fint *root, const MPI_Fint *comm);

inline constexpr int UpToBlank = -1;

/// An array of CHARACTER elements as a null-terminated array of C strings; null for MPI_ARGV_NULL.
class Texts {
public:
  /// \p stride: bytes from one element to the next, for a row of a two-dimensional array.
  Texts(const char *characters, size_t length, int count, size_t stride = 0);
  char **data() { return given_ ? pointers_.data() : nullptr; }

private:
  bool given_;
  std::vector<std::string> texts_;
  std::vector<char *> pointers_;
};

/// The rows of a two-dimensional array of CHARACTER elements, each up to a blank one; null for
/// MPI_ARGVS_NULL.
class TextLists {
public:
  TextLists(const char *characters, size_t length, int count);
  char ***data() { return given_ ? pointers_.data() : nullptr; }

private:
  bool given_;
  std::vector<Texts> lists_;
  std::vector<char **> pointers_;
};

/// Room for a C string that goes out, and its copy into a CHARACTER argument padded with blanks.
class TextOut {
public:
  explicit TextOut(size_t room = 0)
      : buffer_(std::max<size_t>(room, MPI_MAX_LIBRARY_VERSION_STRING) + 1) {}
  char *data() { return buffer_.data(); }
  void store(char *characters, size_t length) const {
    size_t used = std::min(std::strlen(buffer_.data()), length);
    std::memcpy(characters, buffer_.data(), used);
    std::memset(characters + used, ' ', length - used);
  }

private:
  std::vector<char> buffer_;
};

} // namespace gnomon::api::fortran
