// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The functions of a trace, and where in a record's values their fields stand.
///
/// Peers are kept as (peer - rank) mod N, N being the ranks that the file's first bytes name. Ranks
/// of a regular program then have equal records: the left neighbour is N-1 for everyone. Values
/// that are no rank (below 0, or N and more) stay as they are, and so do fields named `root`, which
/// is the same rank for all.
#pragma once

#include "trace/Record.h"

#include <string>
#include <unordered_map>
#include <vector>

namespace gnomon::trace {

/// Function numbers and fields have so many bits in the keys of contexts and in masks.
inline constexpr uint32_t MostFunctions = (1u << 21) - 2;
inline constexpr uint32_t MostFields = 64;
/// Values of one block; and those that a writer lets come together, so that a record may have as
/// many as are left.
inline constexpr uint64_t MostValues = uint64_t{1} << 23;
inline constexpr uint64_t MostWindowValues = uint64_t{1} << 20;
inline constexpr uint64_t MostRecordValues = MostValues - MostWindowValues;
/// How deep loops may nest.
inline constexpr uint32_t MostDepth = 32;

/// What is known ahead of the records of a function.
struct Plan {
  std::vector<Field> fields;
  uint32_t count = 0;          ///< of the fields
  uint64_t reals = 0;          ///< bits of fields of kind Real
  uint32_t firstStream = 0;    ///< of its fields, among those of all functions
  bool lists = false;          ///< some field is a list: fields have no fixed places
  std::vector<uint32_t> peers; ///< fields that are kept relative to the rank, and
  uint64_t relative = 0;       ///< the same as bits
};

/// Whether peers of that field are kept relative to the rank.
bool isRelative(const Field &field);

class Schema {
public:
  /// The number of the function; a new one where there is none such. Throws InputError naming \p
  /// file where there are too many functions or fields.
  uint32_t number(const Function &function, const std::string &file);

  const std::vector<Function> &functions() const { return functions_; }
  const Plan &plan(uint32_t function) const { return plans_[function]; }
  uint32_t streams() const { return streams_; }

  /// Whether \p values are as many as the fields of \p function ask for.
  bool fits(uint32_t function, std::span<const int64_t> values) const {
    if (function >= plans_.size())
      return false;
    const Plan &plan = plans_[function];
    return plan.lists ? fitsLists(plan, values) : values.size() == plan.count;
  }

  /// Adds \p shift to peers, modulo \p ranks: N - rank to make them relative, rank to undo that.
  void shiftPeers(uint32_t function, std::span<int64_t> values, uint32_t by, uint32_t ranks) const {
    const Plan &plan = plans_[function];
    if (plan.lists)
      return shiftInLists(plan, values, by, ranks);
    for (const uint32_t place : plan.peers)
      shiftPeer(values[place], by, ranks);
  }

private:
  static void shiftPeer(int64_t &peer, uint32_t by, uint32_t ranks) {
    if (static_cast<uint64_t>(peer) >= ranks)
      return;
    peer += by;
    if (peer >= ranks)
      peer -= ranks;
  }
  static bool fitsLists(const Plan &plan, std::span<const int64_t> values);
  static void shiftInLists(const Plan &plan, std::span<int64_t> values, uint32_t by,
                           uint32_t ranks);

  std::vector<Function> functions_;
  std::vector<Plan> plans_;
  std::unordered_map<std::string, std::vector<uint32_t>> numbers_; ///< by name
  uint32_t streams_ = 0;
};

} // namespace gnomon::trace
