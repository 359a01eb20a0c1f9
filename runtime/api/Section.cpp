// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Sections of Fortran arrays as derived types and as contiguous copies.
///
/// The type. Elements of the section come in array element order; element k of dimensions 0..r−1
/// of extents e and strides s lies at Σ i_j s_j. With unit the type of one element,
///   slab(0) = unit,  slab(r) = hvector(e[r−1], s[r−1], slab(r−1))
///   first(r, n), the first n elements of r dimensions, = q slabs of r−1 dimensions, then
///     first(r−1, n − q·p), q·s[r−1] further on;  p = elements of slab(r−1), q = n / p.
/// Cost: one type for each dimension, whatever the number of elements. Only data whose type does
/// not divide an element (a type with gaps, or longer than an element) is listed run by run.
#include "api/Section.h"

#include "api/Entry.h"
#include "mpi/Handle.h"
#include "mpi/RankState.h"
#include "mpi/datatype/Datatype.h"
#include "mpi/request/Request.h"
#include "process/ranks/Rank.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <vector>

namespace gnomon::api::fortran {

using mpi::Datatype;
using mpi::DatatypeRef;

namespace {

/// Takes over the reference that a constructor of types gives its caller.
DatatypeRef owned(const Datatype *type) {
  DatatypeRef reference(*type);
  type->release();
  return reference;
}

class TypeOfSection {
public:
  TypeOfSection(const Descriptor &section, int64_t count, const Datatype &type)
      : section_(section), count_(count), type_(type) {}

  DatatypeRef make() const {
    const int64_t bytes = static_cast<int64_t>(section_.elementBytes);
    if (!type_.contiguous() || type_.size() == 0 || bytes % type_.size() != 0)
      return runs();
    const int64_t perElement = bytes / type_.size();
    const DatatypeRef unit = owned(Datatype::contiguous(perElement, type_));
    std::vector<Part> parts;
    first(section_.rank, count_ / perElement, 0, *unit, parts);
    if (const int64_t rest = count_ % perElement)
      parts.push_back({offsetOf(count_ / perElement), owned(Datatype::contiguous(rest, type_))});
    return join(parts);
  }

private:
  struct Part {
    int64_t offset;
    DatatypeRef type;
  };

  /// The first \p elements elements of \p rank dimensions. The last dimension is taken as long as
  /// the count wants it: what lies beyond the section is the caller's to answer for, as with any
  /// buffer.
  void first(int rank, int64_t elements, int64_t offset, const Datatype &unit,
             std::vector<Part> &parts) const {
    if (elements == 0)
      return;
    if (rank == 0) {
      parts.push_back({offset, owned(Datatype::contiguous(elements, unit))});
      return;
    }
    const int64_t perSlab = elementsOf(rank - 1), slabs = elements / perSlab;
    const int64_t stride = section_.dimensions[rank - 1].stride;
    if (slabs)
      parts.push_back({offset, owned(Datatype::hvector(slabs, 1, stride, *slab(rank - 1, unit)))});
    first(rank - 1, elements - slabs * perSlab, offset + slabs * stride, unit, parts);
  }

  DatatypeRef slab(int rank, const Datatype &unit) const {
    DatatypeRef type(unit);
    for (int i = 0; i < rank; ++i)
      type = owned(Datatype::hvector(section_.dimensions[i].extent, 1,
                                     section_.dimensions[i].stride, *type));
    return type;
  }

  int64_t elementsOf(int rank) const {
    int64_t elements = 1;
    for (int i = 0; i < rank; ++i)
      elements *= section_.dimensions[i].extent;
    return elements;
  }

  /// Where an element lies, from the first one on.
  int64_t offsetOf(int64_t element) const {
    int64_t offset = 0;
    for (int i = 0; i < section_.rank; ++i) {
      const bool last = i + 1 == section_.rank;
      const int64_t extent = section_.dimensions[i].extent;
      offset += (last ? element : element % extent) * section_.dimensions[i].stride;
      element /= extent;
    }
    return offset;
  }

  static DatatypeRef join(const std::vector<Part> &parts) {
    std::vector<int> lengths(parts.size(), 1);
    std::vector<int64_t> offsets;
    std::vector<const Datatype *> types;
    for (const Part &part : parts) {
      offsets.push_back(part.offset);
      types.push_back(part.type.get());
    }
    return owned(Datatype::structure(lengths, offsets, types));
  }

  /// Data whose type does not divide an element: its runs of bytes in the array as it would be if
  /// contiguous, cut at the elements' ends. Of type MPI_PACKED, which matches any other.
  DatatypeRef runs() const {
    const int64_t bytes = static_cast<int64_t>(section_.elementBytes);
    std::vector<int64_t> lengths, offsets;
    for (mpi::LayoutCursor cursor(type_.layout(), count_, type_.extent()); !cursor.done();) {
      const int64_t element = cursor.offset() / bytes, within = cursor.offset() % bytes;
      const int64_t length = std::min(cursor.available(), bytes - within);
      lengths.push_back(length);
      offsets.push_back(offsetOf(element) + within);
      cursor.advance(length);
    }
    return owned(Datatype::hindexed(lengths, offsets, Datatype::predefined(MPI_PACKED)));
  }

  const Descriptor &section_;
  int64_t count_;
  const Datatype &type_;
};

/// Copies all elements between a section and a contiguous array.
void copyElements(const Descriptor &section, char *contiguous, bool out) {
  const auto bytes = section.elementBytes;
  std::array<int64_t, 15> index{};
  auto *element = static_cast<char *>(section.base);
  for (int64_t left = section.elements(); left > 0; --left, contiguous += bytes) {
    if (out)
      std::memcpy(element, contiguous, bytes);
    else
      std::memcpy(contiguous, element, bytes);
    for (int i = 0; i < section.rank; ++i) {
      const Descriptor::Dimension &dimension = section.dimensions[i];
      element += dimension.stride;
      if (++index[i] < dimension.extent)
        break;
      element -= dimension.extent * dimension.stride;
      index[i] = 0;
    }
  }
}

/// What lies in the caller's stack has only as many dimensions as its rank says.
Descriptor copyOf(const Descriptor &descriptor) {
  Descriptor copy{};
  std::memcpy(&copy, &descriptor,
              offsetof(Descriptor, dimensions) + descriptor.rank * sizeof(Descriptor::Dimension));
  return copy;
}

/// The time that sections take is MPI's, not the program's.
class InRuntime {
public:
  explicit InRuntime(process::Rank &rank) : rank_(rank) { process::enterRuntime(rank); }
  ~InRuntime() { process::leaveRuntime(rank_); }
  InRuntime(const InRuntime &) = delete;
  InRuntime &operator=(const InRuntime &) = delete;

private:
  process::Rank &rank_;
};

} // namespace

int refuse(const char *function, const char *argument, const void *site) {
  Entry entry(function, site);
  if (entry.failed())
    return entry.finish(nullptr);
  return entry.finish(mpi::fail(entry.rank(), MPI_ERR_BUFFER,
                                fmt::format("{} is a section of an array with strides; this call "
                                            "takes contiguous memory only",
                                            argument)),
                      nullptr);
}

/// A pointer or allocatable array without memory is empty too.
bool Descriptor::isEmpty() const {
  return !base || std::any_of(dimensions.begin(), dimensions.begin() + rank,
                              [](const Dimension &dimension) { return dimension.extent == 0; });
}

int64_t Descriptor::elements() const {
  int64_t elements = 1;
  for (int i = 0; i < rank; ++i)
    elements *= dimensions[i].extent;
  return elements;
}

/// What is wrong with the call's arguments stays as it is: the call finds it.
void Section::describe(const Descriptor &descriptor) {
  process::Rank *rank = process::currentRank();
  if (!rank || mpi::state(*rank).phase != mpi::Phase::Initialized || count_ <= 0)
    return;
  InRuntime inRuntime(*rank);
  Datatype *type = mpi::find<Datatype>(*rank, type_);
  if (!type || !type->committed())
    return;
  const DatatypeRef section = TypeOfSection(descriptor, count_, *type).make();
  section->retain();
  auto *made = const_cast<Datatype *>(section.get());
  made->commit();
  made->setHandle(mpi::insert<Datatype>(*rank, made));
  made_ = made;
  type_ = made->handle();
  count_ = 1;
}

/// What the call began may go on: it holds a reference of its own.
void Section::discard() {
  process::Rank &rank = *process::currentRank();
  InRuntime inRuntime(rank);
  mpi::erase<Datatype>(rank, type_);
  made_->release();
}

void Staging::Copy::copyIn() { copyElements(section, bytes.get(), false); }

void Staging::Copy::copyOut() {
  if (direction == Direction::Out)
    copyElements(section, bytes.get(), true);
}

void Staging::copyIn(const Descriptor &descriptor, Direction direction) {
  const auto bytes = static_cast<size_t>(descriptor.elements()) * descriptor.elementBytes;
  copy_ = std::make_unique<Copy>(
      Copy{copyOf(descriptor), direction, std::make_unique_for_overwrite<char[]>(bytes)});
  copy_->copyIn();
  address_ = copy_->bytes.get();
}

/// Keeps the copies of a request.
class Staging::Listener final : public mpi::Collective::Listener {
public:
  Listener(std::unique_ptr<Copy> one, std::unique_ptr<Copy> other)
      : copies_{std::move(one), std::move(other)} {}
  void starts() override {
    for (const std::unique_ptr<Copy> &copy : copies_)
      if (copy)
        copy->copyIn();
  }
  void isDone() override {
    for (const std::unique_ptr<Copy> &copy : copies_)
      if (copy)
        copy->copyOut();
  }

private:
  std::array<std::unique_ptr<Copy>, 2> copies_;
};

void Staging::handCopies(MPI_Request handle, Staging &one, Staging &other) {
  mpi::Request *request = mpi::find<mpi::Request>(*process::currentRank(), handle);
  if (!request)
    return; // the call failed
  std::unique_ptr<Copy> second = &one == &other ? nullptr : std::move(other.copy_);
  request->as<mpi::Collective>()->listener =
      std::make_unique<Listener>(std::move(one.copy_), std::move(second));
}

} // namespace gnomon::api::fortran
