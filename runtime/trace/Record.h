// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What a time-independent trace is made of, apart from its form in a file (docs/trace-format.md).
///
/// A trace has for each rank a sequence of records: calls of MPI in the order in which they returned,
/// and between them the volumes of what the rank computed. No record has a date. A record is a
/// function and its values; the function says what they are:
///
///     MPI_Send      buf.count=1200 buf.size=8 dest=3 tag=7 comm=0
///     compute       burst="lu.f:120 blts" instructions=81240 seconds=2.1e-5
///     MPI_Irecv     buf.count=150 buf.size=8 source=2 tag=1 comm=0 request=1
///
/// A value is 64 bits. A list is its length, then so many values. Ranks in records are ranks of the
/// record's communicator; communicators and sets are rows of a table that all ranks share, requests
/// are slots of the rank (below).
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gnomon::trace {

/// What a value means: how it is printed, compared, predicted and converted.
enum class Kind : uint8_t {
  Number,  ///< any integer
  Count,   ///< elements of a buffer; InPlace where MPI_IN_PLACE was given, Absent where the buffer
           ///< does not count (the receive buffer of a gather, but at its root)
  Size,    ///< bytes of an element
  Peer,    ///< rank of the communicator, or AnyPeer, NullPeer, RootPeer
  Tag,     ///< or AnyTag
  Comm,    ///< row of the table of communicators, or NullRow
  Set,     ///< row of the table of sets of processes, or NullRow
  Request, ///< slot of the rank: the lowest that was free when the request was made; 0: none
  Text,    ///< number of a string of the trace
  Real,    ///< bits of a double
};
inline constexpr unsigned Kinds = 10;

inline constexpr int64_t InPlace = -1, Absent = -2;
inline constexpr int64_t AnyPeer = -1, NullPeer = -2, RootPeer = -3;
inline constexpr int64_t AnyTag = -1;
inline constexpr int64_t NullRow = -1;
/// Rows of communicators that every trace has: MPI_COMM_WORLD, and MPI_COMM_SELF of each rank.
inline constexpr int64_t World = 0, Self = 1;

struct Field {
  std::string name;
  Kind kind = Kind::Number;
  bool list = false;
  bool operator==(const Field &) const = default;
};

struct Function {
  std::string name; ///< of MPI as the standard spells it, `MPI_Send`; or one of those below
  std::vector<Field> fields;
  bool operator==(const Function &) const = default;
};

/// Functions that are not MPI's. A computation between two calls of the runtime is a `compute`, with a
/// `part` before it for each burst that it has beside. `burst` is "file:line function #ordinal", or
/// empty: code between bursts. `instructions` and `seconds` are what was counted and what was
/// measured; NaN: it was not.
inline constexpr std::string_view PartFunction = "part";       ///< burst instructions seconds
inline constexpr std::string_view ComputeFunction = "compute"; ///< burst instructions seconds
inline constexpr std::string_view ClockFunction = "clock"; ///< readings: of clocks, since a call
inline constexpr std::string_view SleepFunction = "sleep"; ///< seconds

/// What stands for operations of the user's in texts, where predefined ones have their names: a
/// replay must know whether one commutes, for collectives have other algorithms then.
inline constexpr std::string_view UserOp = "user";
inline constexpr std::string_view UserOpInOrder = "user, does not commute";

/// Whether a function's records are volumes of computation.
inline bool isVolume(std::string_view function) {
  return function == ComputeFunction || function == PartFunction;
}

/// Values are valid until the cursor that gave them moves.
struct Record {
  uint32_t function = 0;
  std::span<const int64_t> values;
};

/// Which processes a communicator has, by their ranks in MPI_COMM_WORLD (spawned ones follow).
struct Group {
  std::vector<uint32_t> members;
  std::vector<uint32_t> remote; ///< of an intercommunicator
  bool operator==(const Group &) const = default;
};

/// What is said of the whole trace.
struct Facts {
  uint32_t ranks = 0;
  std::string program;       ///< file and arguments, as a shell would take them
  std::string origin;        ///< who wrote it: "gnomon run", "gnomon trace convert (SimGrid)", …
  bool complete = true;      ///< false: the recording ended before the program did
  double secondsPerFlop = 0; ///< of the host that `seconds` were measured on; 0: not known
};

/// Takes a trace, record by record; the ranks' records may come interleaved. Functions, strings,
/// communicators and sets are declared before records use them.
class Sink {
public:
  virtual ~Sink() = default;
  /// The number of a function; the same for the same function.
  virtual uint32_t function(const Function &function) = 0;
  /// The number of a string; the same for the same string.
  virtual int64_t text(std::string_view text) = 0;
  /// A new row of communicators. Rows 0 and 1 are there from the start.
  virtual int64_t communicator(const Group &group) = 0;
  /// The row of a set of processes; the same for the same set.
  virtual int64_t set(const std::vector<uint32_t> &members) = 0;
  virtual void append(uint32_t rank, const Record &record) = 0;
  /// Who takes records of \p rank that come as they are expected to, with the same effect as
  /// append(); null: nobody. Valid until the rank's next append().
  virtual class Follower *follower(uint32_t /*rank*/) { return nullptr; }
};

/// A trace that can be read, from a file or from memory.
class Source {
public:
  virtual ~Source() = default;
  virtual const Facts &facts() const = 0;
  virtual const std::vector<Function> &functions() const = 0;  ///< by number
  virtual const std::vector<std::string> &texts() const = 0;   ///< by number
  virtual const std::vector<Group> &communicators() const = 0; ///< by row; rows 0 and 1 are empty
  virtual const std::vector<std::vector<uint32_t>> &sets() const = 0;
  /// The records of \p rank from its first one on. Several cursors may be open at a time.
  virtual std::unique_ptr<class Cursor> open(uint32_t rank) const = 0;
};

/// Walks the records of a rank, loops unrolled.
class Cursor {
public:
  virtual ~Cursor() = default;
  /// The next record, or false at the rank's end. Throws InputError where the file is damaged.
  virtual bool next(Record &record) = 0;
};

} // namespace gnomon::trace
