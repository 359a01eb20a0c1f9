// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Choice buffers of mpi_f08, TYPE(*), DIMENSION(..): descriptors that the caller makes of the
/// actual argument, an array section with strides perhaps. A contiguous one is its address. What
/// MPI is given for another is
/// - in calls with a count and a type for the whole buffer, one element of a derived type that
///   picks the data out of the section: right for nonblocking and persistent calls, and for what a
///   window does later (Section);
/// - in collectives, whose counts may be per rank and whose operations want predefined types, a
///   contiguous copy, from before the call until the call, or its request, is done (Staging).
/// Windows, attached buffers and partitioned messages want contiguous memory (refuse).
/// So MPI_SUBARRAYS_SUPPORTED is .TRUE. in mpi_f08.
#pragma once

#include "api/Fortran.h"

#include <array>
#include <cstdint>
#include <memory>

namespace gnomon::mpi {
class Datatype;
class Request;
} // namespace gnomon::mpi

namespace gnomon::api::fortran {

/// A C descriptor (ISO_Fortran_binding.h's CFI_cdesc_t) as flang lays it out.
struct Descriptor {
  struct Dimension {
    int64_t lowerBound;
    int64_t extent; ///< -1: the last one of an assumed-size array
    int64_t stride; ///< bytes from one element to the next, negative perhaps
  };
  void *base; ///< of the first element
  size_t elementBytes;
  int32_t version;
  uint8_t rank;
  int8_t type;
  uint8_t attribute;
  uint8_t extra;
  std::array<Dimension, 15> dimensions; ///< `rank` of them are there

  /// Whether the elements lie side by side, in order. Of an empty array too.
  bool contiguous() const {
    int64_t bytes = static_cast<int64_t>(elementBytes);
    for (int i = 0; i < rank; ++i) {
      const Dimension &dimension = dimensions[i];
      if (dimension.extent == 0)
        return true;
      if (dimension.extent != 1 && dimension.stride != bytes)
        return isEmpty();
      bytes *= dimension.extent;
    }
    return true;
  }
  bool isEmpty() const;
  int64_t elements() const;
};

/// The end of a call that cannot work on a section with strides: MPI_ERR_BUFFER, with its reason.
int refuse(const char *function, const char *argument, const void *site);

/// The buffer of a call that has one count and one type for it.
class Section {
public:
  Section(const Descriptor *descriptor, int64_t count, MPI_Datatype type)
      : address_(fortran::address(descriptor->base)), count_(count), type_(type) {
    if (!descriptor->contiguous()) [[unlikely]]
      describe(*descriptor);
  }
  ~Section() {
    if (made_) [[unlikely]]
      discard();
  }
  Section(const Section &) = delete;
  Section &operator=(const Section &) = delete;

  void *address() const { return address_; }
  int64_t count() const { return count_; }
  int smallCount() const { return static_cast<int>(count_); } ///< of a call whose counts are int
  MPI_Datatype type() const { return type_; }

private:
  void describe(const Descriptor &descriptor);
  void discard();

  void *address_;
  int64_t count_;
  MPI_Datatype type_;
  const mpi::Datatype *made_ = nullptr; ///< the type of the section, while the call runs
};

/// The buffer of a collective, or of one whose data has no type.
class Staging {
public:
  enum class Direction : uint8_t { In, Out };

  Staging(const Descriptor *descriptor, Direction direction)
      : address_(fortran::address(descriptor->base)) {
    if (!descriptor->contiguous()) [[unlikely]]
      copyIn(*descriptor, direction);
  }
  Staging(const Staging &) = delete;
  Staging &operator=(const Staging &) = delete;

  void *address() const { return address_; }
  /// The end of a blocking call.
  void finish() {
    if (copy_) [[unlikely]]
      copy_->copyOut();
  }
  /// The end of a call that made a request for work on two buffers: the copies live on with it.
  static void hand(MPI_Request request, Staging &one, Staging &other) {
    if (one.copy_ || other.copy_) [[unlikely]]
      handCopies(request, one, other);
  }
  /// The same for one buffer.
  static void hand(MPI_Request request, Staging &one) { hand(request, one, one); }

private:
  struct Copy {
    Descriptor section;
    Direction direction;
    std::unique_ptr<char[]> bytes;
    void copyIn();
    void copyOut();
  };
  class Listener;
  void copyIn(const Descriptor &descriptor, Direction direction);
  static void handCopies(MPI_Request request, Staging &one, Staging &other);

  void *address_;
  std::unique_ptr<Copy> copy_;
};

} // namespace gnomon::api::fortran
