// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Writes the operations of a rank and what they require.
#pragma once

#include "trace/Target.h"

#include <fmt/format.h>
#include <vector>

namespace gnomon::trace::goal {

class Graph {
public:
  explicit Graph(Target &target) : target_(target) {}

  /// An operation that must have finished before the next one starts.
  void blocking(std::string_view operation) { previous_ = {write(operation), false}; }
  /// One that must have started; gives its label, to be waited for.
  uint64_t started(std::string_view operation) {
    previous_ = {write(operation), true};
    return previous_.label;
  }
  /// The next operation requires that the one with this label has finished.
  void wait(uint64_t label) {
    if (previous_.label == label)
      previous_.startedOnly = false;
    else
      waited_.push_back(label);
  }

  uint64_t send(uint32_t to, int64_t bytes, int64_t tag) {
    return started(fmt::format("send {}b to {} tag {}", bytes, to, tag));
  }
  uint64_t receive(uint32_t from, int64_t bytes, int64_t tag) {
    return started(fmt::format("recv {}b from {} tag {}", bytes, from, tag));
  }

private:
  struct Point {
    uint64_t label = 0; ///< 0: the rank's begin
    bool startedOnly = false;
  };

  uint64_t write(std::string_view operation) {
    const uint64_t label = ++labels_;
    target_.write(fmt::format("l{}: {}\n", label, operation));
    if (previous_.label != 0)
      target_.write(fmt::format("l{} {} l{}\n", label,
                                previous_.startedOnly ? "irequires" : "requires", previous_.label));
    for (const uint64_t required : waited_)
      target_.write(fmt::format("l{} requires l{}\n", label, required));
    waited_.clear();
    return label;
  }

  Target &target_;
  uint64_t labels_ = 0;
  Point previous_;
  std::vector<uint64_t> waited_;
};

} // namespace gnomon::trace::goal
