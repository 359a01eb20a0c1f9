// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The table of `gnomon run`'s options (gnomon/Options.def) as the driver reads it: an enumerator
/// and a row each.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace gnomon::driver {

enum class RunOption : uint8_t {
#define GNOMON_OPTION(id, name, kind, initial, form, place, page, help, metavariable) id,
#include "gnomon/Options.def"
#undef GNOMON_OPTION
};

/// The table's columns; what their values mean stands on top of it.
struct RunOptionRow {
  enum class Kind : uint8_t { Text, Path, Count, Seconds, Flag, Texts, Mode };
  enum class Form : uint8_t { Any, Setting, Choice, NameOrList };
  enum class Place : uint8_t { AsIs, Here, HereWithSlash, HereIfThere, HereBehindEquals };
  enum class Page : uint8_t { First, All };

  RunOption option;
  const char *name; ///< without dashes
  Kind kind;
  const char *initial;
  Form form;
  Place place;
  Page page;
  const char *help, *metavariable;

  /// That follow as words of their own.
  int values() const { return kind == Kind::Flag || kind == Kind::Mode ? 0 : 1; }
};

/// In the order of the enumerators.
inline constexpr std::array RunOptions{
#define GNOMON_OPTION(id, name, kind, initial, form, place, page, help, metavariable)              \
  RunOptionRow{RunOption::id,                                                                      \
               name,                                                                               \
               RunOptionRow::Kind::kind,                                                           \
               initial,                                                                            \
               RunOptionRow::Form::form,                                                           \
               RunOptionRow::Place::place,                                                         \
               RunOptionRow::Page::page,                                                           \
               help,                                                                               \
               metavariable},
#include "gnomon/Options.def"
#undef GNOMON_OPTION
};

constexpr const RunOptionRow &rowOf(RunOption option) {
  return RunOptions[static_cast<size_t>(option)];
}

} // namespace gnomon::driver
