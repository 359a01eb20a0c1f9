// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Writes the operations of a rank and what they require.
#pragma once

#include "trace/Target.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>
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

  /// Where the rank is.
  struct Point {
    uint64_t label = 0; ///< of the last operation; 0: the rank's begin
    bool startedOnly = false;
  };
  struct Position {
    Point previous;
    std::vector<uint64_t> waited;
  };
  /// What is written until joined() depends on what was before, and the rank goes on without it.
  Position branch() const { return {previous_, waited_}; }
  /// Back to where the rank was; gives the labels that the branch has finished with.
  std::vector<uint64_t> joined(Position position) {
    std::vector<uint64_t> labels = std::move(waited_);
    if (previous_.label == position.previous.label)
      labels.clear(); // nothing was written
    else
      labels.push_back(previous_.label);
    previous_ = position.previous;
    waited_ = std::move(position.waited);
    return labels;
  }

  uint64_t send(uint32_t to, int64_t bytes, int64_t tag) {
    return started(fmt::format("send {}b to {} tag {}", bytes, to, tag));
  }
  uint64_t receive(uint32_t from, int64_t bytes, int64_t tag) {
    return started(fmt::format("recv {}b from {} tag {}", bytes, from, tag));
  }

private:
  uint64_t write(std::string_view operation) {
    const uint64_t label = ++labels_;
    target_.write(fmt::format("l{}: {}\n", label, operation));
    if (previous_.label != 0)
      target_.write(fmt::format("l{} {} l{}\n", label,
                                previous_.startedOnly ? "irequires" : "requires", previous_.label));
    // A set: in which order they were waited for says nothing, and is lost when they are read.
    std::sort(waited_.begin(), waited_.end());
    waited_.erase(std::unique(waited_.begin(), waited_.end()), waited_.end());
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
