// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What the tools interface MPI_T shows (MPI 4.1, section 15.3): control variables, which are how
/// this run was set up and cannot be written; performance variables, read from counters that exist;
/// their categories. There are no events and no sources of events.
#pragma once

#include "mpi/Handle.h"
#include "mpi/RankState.h"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace gnomon::mpi {

/// The names of a variable's values, by number from 0.
struct ToolEnumeration {
  std::string name;
  std::vector<std::string> items;
};

struct ControlVariable {
  std::string name, description;
  size_t category;
  /// An item of an enumeration, a number of bytes, or text.
  std::variant<int, uint64_t, std::string> value;
  const ToolEnumeration *enumeration = nullptr;

  MPI_Datatype datatype() const;
  /// Elements to read: 1, or the characters of a text with its end.
  int count() const;
};

struct PerformanceVariable {
  enum class Class { Level, Counter, Aggregate, Timer };
  std::string name, description;
  size_t category;
  Class variableClass;
  double (*value)(RankState &own); ///< as it is now, counted from the simulation's begin
  /// Levels are what they are now; the others count from a handle's start.
  bool isLevel() const { return variableClass == Class::Level; }
  int abiClass() const;
  MPI_Datatype datatype() const;
};

struct ToolCategory {
  std::string name, description;
};

/// The variables of a run, the same for all ranks; numbers are stable once the ranks run.
class ToolVariables {
public:
  explicit ToolVariables(const Runtime &runtime);

  /// Rooms above add what they know before the ranks start.
  size_t addCategory(std::string name, std::string description);
  void addControl(ControlVariable variable) { controls_.push_back(std::move(variable)); }

  const std::vector<ControlVariable> &controls() const { return controls_; }
  const std::vector<PerformanceVariable> &performance() const { return performance_; }
  const std::vector<ToolCategory> &categories() const { return categories_; }
  const ToolEnumeration &onOff() const { return onOff_; }

private:
  std::vector<ControlVariable> controls_;
  std::vector<PerformanceVariable> performance_;
  std::vector<ToolCategory> categories_;
  ToolEnumeration onOff_;
};

// What a rank's tools hold.

struct ControlHandle {
  const ControlVariable *variable;
};
struct PerformanceHandle {
  const PerformanceVariable *variable;
  bool running = false;
  double base = 0;        ///< the variable when the handle was last started
  double accumulated = 0; ///< of earlier runs
};
struct ToolSession {
  std::vector<std::unique_ptr<PerformanceHandle>> handles;
};
struct ToolState {
  int initialised = 0; ///< calls of MPI_T_init_thread without their MPI_T_finalize
  std::vector<std::unique_ptr<ControlHandle>> controls;
  std::vector<std::unique_ptr<ToolSession>> sessions;
};

/// The object at an address in a list that owns it; null when it is not there.
template <class T> T *findOwned(const std::vector<std::unique_ptr<T>> &list, const void *address) {
  for (const auto &object : list)
    if (object.get() == address)
      return object.get();
  return nullptr;
}

/// How MPI_T gives text: up to *length characters with the end, and in *length how many there are.
/// Either may be null.
void giveText(const std::string &text, char *to, int *length);

} // namespace gnomon::mpi
