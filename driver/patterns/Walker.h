// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Walks through the calls of a rank; the volumes between them are put aside.
#pragma once

#include "patterns/Pattern.h"
#include "trace-formats/RecordView.h"

#include <utility>

namespace gnomon::patterns {

class Walker {
public:
  Walker(const Recording &recording, uint32_t rank)
      : recording_(recording), cursor_(recording.source.open(rank)), place_{rank, 0} {}

  /// The next call; false at the end. Throws InputError where no rule is known for its function.
  bool next();
  const trace::RecordView &view() const { return view_; }
  const Plan &plan() const { return recording_.plans[view_.number()]; }
  const trace::Record &record() const { return record_; }
  Place place() const { return {place_.rank, place_.record - 1}; }
  /// The record in words.
  std::string text() const { return trace::recordText(recording_.source, view_); }
  [[noreturn]] void refuse(const std::string &why) const;

  /// The volumes in front of the call, or at the end behind the last one; they are forgotten.
  std::vector<std::pair<uint32_t, std::vector<int64_t>>> takeVolumes() {
    return std::exchange(volumes_, {});
  }
  /// Whether volumes are kept.
  bool keepsVolumes = false;

  /// The record's values; communicators as codes of families, the set of all ranks as AllRanks.
  /// Throws Irregular where a communicator or a set has no code.
  void encode(const Families &families, std::vector<int64_t> &values) const;
  static constexpr int64_t AllRanks = -5;

  /// Where the values of a field begin among the record's values.
  size_t placeOf(size_t field) const {
    return static_cast<size_t>(view_.values(field).data() - record_.values.data());
  }

private:
  const Recording &recording_;
  std::unique_ptr<trace::Cursor> cursor_;
  Place place_; ///< of the next record
  trace::Record record_;
  trace::RecordView view_;
  std::vector<std::pair<uint32_t, std::vector<int64_t>>> volumes_;
};

} // namespace gnomon::patterns
