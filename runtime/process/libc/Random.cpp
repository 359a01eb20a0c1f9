// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// random(3), rand(3), drand48(3) and strtok(3): one state per rank, computed by libc's own
/// reentrant functions, so that the numbers are those of a real process.
#include "process/libc/Interpose.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>

using namespace gnomon::process;

namespace {

/// As a process finds them: random() seeded with 1, drand48() as POSIX says for a generator without
/// seed48.
RandomState &stateOf(Rank &rank) {
  std::unique_ptr<RandomState> &state = rank.libc->random;
  if (!state) {
    state = std::make_unique<RandomState>();
    initstate_r(1, state->table.data(), state->table.size(), &state->data);
  }
  return *state;
}

long nextRandom(Rank &rank) {
  int32_t value = 0;
  random_r(&stateOf(rank).data, &value);
  return value;
}

} // namespace

GNOMON_INTERPOSE int rand() noexcept {
  Rank *rank = callingRank();
  return rank ? static_cast<int>(nextRandom(*rank)) : GNOMON_REAL(rand)();
}

GNOMON_INTERPOSE long random() noexcept {
  Rank *rank = callingRank();
  return rank ? nextRandom(*rank) : GNOMON_REAL(random)();
}

GNOMON_INTERPOSE void srand(unsigned seed) noexcept {
  if (Rank *rank = callingRank())
    srandom_r(seed, &stateOf(*rank).data);
  else
    GNOMON_REAL(srand)(seed);
}

GNOMON_INTERPOSE void srandom(unsigned seed) noexcept {
  if (Rank *rank = callingRank())
    srandom_r(seed, &stateOf(*rank).data);
  else
    GNOMON_REAL(srandom)(seed);
}

GNOMON_INTERPOSE char *initstate(unsigned seed, char *table, size_t bytes) noexcept {
  Rank *rank = callingRank();
  if (!rank)
    return GNOMON_REAL(initstate)(seed, table, bytes);
  random_data &data = stateOf(*rank).data;
  // random_r keeps the table's type in the word before its first number; that is what initstate
  // returns.
  char *old = reinterpret_cast<char *>(data.state - 1);
  return initstate_r(seed, table, bytes, &data) == 0 ? old : nullptr;
}

GNOMON_INTERPOSE char *setstate(char *table) noexcept {
  Rank *rank = callingRank();
  if (!rank)
    return GNOMON_REAL(setstate)(table);
  random_data &data = stateOf(*rank).data;
  char *old = reinterpret_cast<char *>(data.state - 1);
  return setstate_r(table, &data) == 0 ? old : nullptr;
}

GNOMON_INTERPOSE double drand48() noexcept {
  Rank *rank = callingRank();
  if (!rank)
    return GNOMON_REAL(drand48)();
  double value = 0;
  drand48_r(&stateOf(*rank).data48, &value);
  return value;
}

GNOMON_INTERPOSE double erand48(unsigned short x[3]) noexcept {
  Rank *rank = callingRank();
  if (!rank)
    return GNOMON_REAL(erand48)(x);
  double value = 0;
  erand48_r(x, &stateOf(*rank).data48, &value);
  return value;
}

GNOMON_INTERPOSE long lrand48() noexcept {
  Rank *rank = callingRank();
  if (!rank)
    return GNOMON_REAL(lrand48)();
  long value = 0;
  lrand48_r(&stateOf(*rank).data48, &value);
  return value;
}

GNOMON_INTERPOSE long nrand48(unsigned short x[3]) noexcept {
  Rank *rank = callingRank();
  if (!rank)
    return GNOMON_REAL(nrand48)(x);
  long value = 0;
  nrand48_r(x, &stateOf(*rank).data48, &value);
  return value;
}

GNOMON_INTERPOSE long mrand48() noexcept {
  Rank *rank = callingRank();
  if (!rank)
    return GNOMON_REAL(mrand48)();
  long value = 0;
  mrand48_r(&stateOf(*rank).data48, &value);
  return value;
}

GNOMON_INTERPOSE long jrand48(unsigned short x[3]) noexcept {
  Rank *rank = callingRank();
  if (!rank)
    return GNOMON_REAL(jrand48)(x);
  long value = 0;
  jrand48_r(x, &stateOf(*rank).data48, &value);
  return value;
}

GNOMON_INTERPOSE void srand48(long seed) noexcept {
  if (Rank *rank = callingRank())
    srand48_r(seed, &stateOf(*rank).data48);
  else
    GNOMON_REAL(srand48)(seed);
}

GNOMON_INTERPOSE unsigned short *seed48(unsigned short x[3]) noexcept {
  Rank *rank = callingRank();
  if (!rank)
    return GNOMON_REAL(seed48)(x);
  drand48_data &data = stateOf(*rank).data48;
  seed48_r(x, &data);
  return data.__old_x;
}

GNOMON_INTERPOSE void lcong48(unsigned short parameters[7]) noexcept {
  if (Rank *rank = callingRank())
    lcong48_r(parameters, &stateOf(*rank).data48);
  else
    GNOMON_REAL(lcong48)(parameters);
}

GNOMON_INTERPOSE char *strtok(char *text, const char *delimiters) noexcept {
  Rank *rank = callingRank();
  return rank ? strtok_r(text, delimiters, &rank->libc->strtokNext)
              : GNOMON_REAL(strtok)(text, delimiters);
}
