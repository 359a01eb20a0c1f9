// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What `gnomon run --list-coll` prints: the driver asks the library, so that the list is the one
/// that runs.
#include "coll/Selection.h"
#include "support/Error.h"

#include <string>

/// The algorithms of \p collective, of all if it is empty; \p known says whether there is such a
/// collective, else the text is the error.
extern "C" __attribute__((visibility("default"))) const char *
gnomon_describe_collectives(const char *collective, int *known) {
  static std::string text;
  try {
    text = gnomon::coll::describe(collective);
    *known = 1;
  } catch (const gnomon::InputError &error) {
    text = error.what();
    *known = 0;
  }
  return text.c_str();
}
