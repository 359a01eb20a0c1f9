// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Counts, sizes and displacements as a program gave them: ints to MPI_X, MPI_Counts to MPI_X_c.
/// The implementations read each as 64 bits, so that one function serves both forms and copies
/// nothing.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <iterator>

namespace gnomon::mpi {

/// Which form of a function was called, MPI_X or MPI_X_c (rows @form).
enum class CountForm : bool { Plain, Large };

/// An array of either type; null where it is not significant. Observes.
class Counts {
public:
  Counts() = default;
  Counts(std::nullptr_t) {}
  Counts(const int *values) : values_(values) {}
  Counts(const int64_t *values) : values_(values), large_(true) {}

  explicit operator bool() const { return values_ != nullptr; }
  int64_t operator[](std::integral auto index) const {
    return large_ ? static_cast<const int64_t *>(values_)[index]
                  : static_cast<const int *>(values_)[index];
  }

private:
  const void *values_ = nullptr;
  bool large_ = false;
};

/// The same with its length; made from any array of either type.
class CountList : public Counts {
public:
  CountList(Counts values, int64_t length) : Counts(values), length_(static_cast<size_t>(length)) {}
  template <class List>
    requires requires(const List &list) { Counts(std::data(list)); }
  CountList(const List &list) : Counts(std::data(list)), length_(std::size(list)) {}

  size_t size() const { return length_; }

private:
  size_t length_;
};

} // namespace gnomon::mpi
