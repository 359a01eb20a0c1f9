// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A record of a trace as the call that it replays sees it: its values by the names of fields.
/// Fields that a record lacks count as not significant: 0, an empty list.
#pragma once

#include "trace/Record.h"

#include <cstdint>
#include <span>
#include <vector>

namespace gnomon::replay {

class Player;
class Call;

/// Plays one record; returns an MPI error class.
using Play = int (*)(Player &player, const Call &call);

/// Which function of a trace is played by which code. The generated code has one for each function
/// of MPI that communicates (api/generator/emit_replay.py), ByHand.cpp has the others.
struct Handler {
  enum class Kind : uint8_t {
    Other,
    Window,
    // What failed is played, too: it takes its time.
    File,    ///< calls on files fail after they have met
    Wait,    ///< for what fails later
    Process, ///< groups that meet tell each other of a failure
  };
  const char *name; ///< of the function
  Play play;
  std::span<const char *const> fields; ///< that it asks for, by their numbers in Call
  Kind kind = Kind::Other;
};
std::span<const Handler> generatedHandlers();
std::span<const Handler> handlersByHand();
std::span<const Handler> fileHandlersByHand();
std::span<const Handler> processHandlersByHand();

/// A function of the trace, bound to its handler.
struct Binding {
  const Handler *handler = nullptr; ///< null: records of it cannot be played
  std::vector<int> fields;    ///< for each of the handler's: its place in the function, -1: none
  std::vector<size_t> places; ///< of the function's fields among the values, where none is a list
  bool hasLists = false;
  bool betweenPolls = false; ///< polls in a row are still that with records of it between them
  int error = -1; ///< place of the error class that the recorded call ended with; -1: it did well
  double bytesFactor = 1;     ///< what pieces are multiplied by (--scale-bytes)
  bool takesWhatever = false; ///< some messages are scaled: a receive takes what comes
};

/// What a buffer of a call is: `name.count` and `name.size`, or lists of them.
struct Piece {
  static constexpr int64_t Anything = int64_t{1} << 40; ///< of a receive that takes whatever comes
  int64_t count = 0, size = 1;
  const int64_t *counts = nullptr; ///< of v-collectives
  std::span<const int64_t> sizes;  ///< of alltoallw and its kin
  int64_t length = 0;              ///< of counts
  bool given = false;              ///< the record has it, and it is not MPI_IN_PLACE
  bool inPlace = false;
};

/// What a call makes room in; used again, so that a call allocates nothing as a rule.
struct CallMemory {
  std::vector<size_t> places;               ///< of the function's fields among the values
  std::vector<std::vector<int64_t>> scaled; ///< lists of scaled pieces, until they are cleared
};

class Call {
public:
  /// \p memory lives as long as the call. Throws InputError when the values do not fit the function's
  /// fields.
  Call(const Binding &binding, const trace::Function &function, std::span<const int64_t> values,
       CallMemory &memory);
  /// The error class that the recorded call ended with; 0: it did well.
  int error() const {
    return binding_.error < 0
               ? 0
               : static_cast<int>(values_[places_[static_cast<size_t>(binding_.error)]]);
  }
  bool has(unsigned field) const { return binding_.fields[field] >= 0; }
  int64_t number(unsigned field) const {
    const int place = binding_.fields[field];
    return place < 0 ? 0 : values_[places_[static_cast<size_t>(place)]];
  }
  std::span<const int64_t> list(unsigned field) const;
  /// Of fields \p field and the one behind it, scaled. Most have a count and a size, and no record of
  /// the function has a list: that is inline.
  Piece piece(unsigned field) const {
    if (binding_.hasLists || binding_.bytesFactor != 1 || !has(field) || !has(field + 1))
        [[unlikely]]
      return otherPiece(field);
    const int64_t count = number(field), size = number(field + 1);
    if (count < 0 || size < 0) [[unlikely]]
      return otherPiece(field);
    return {.count = count, .size = size, .counts = nullptr, .sizes = {}, .given = true};
  }
  /// Of a receive from another rank: what comes was sent by a call that may be scaled otherwise.
  Piece receivedPiece(unsigned field) const;

private:
  Piece otherPiece(unsigned field) const;
  Piece recordedPiece(unsigned field) const;
  void scale(Piece &piece) const;
  bool isList(unsigned field) const {
    return has(field) && function_.fields[static_cast<size_t>(binding_.fields[field])].list;
  }

  const Binding &binding_;
  const trace::Function &function_;
  std::span<const int64_t> values_;
  const size_t *places_; ///< of each field of the function among the values
  CallMemory &memory_;
};

} // namespace gnomon::replay
