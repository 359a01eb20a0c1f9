// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Changes of the environment. getenv stays libc's: it reads `environ`, which the switch hook puts
/// in place. All ranks start with one array; the first change gives the rank an array of its own.
/// Strings that setenv made are never freed, as in libc: the program may still hold what getenv
/// returned.
#include "process/libc/Interpose.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <unistd.h>

namespace gnomon::process {
namespace {

size_t entryCount() {
  size_t count = 0;
  while (environ && environ[count])
    ++count;
  return count;
}

/// Makes `environ` the rank's own array, with room for one more entry.
bool ownEnvironment(LibcState &libc) {
  size_t count = entryCount();
  bool own = environ && environ == libc.ownEnvironment;
  if (own && count + 2 <= libc.ownEnvironmentSlots)
    return true;
  size_t slots = 2 * count + 16;
  auto **array = static_cast<char **>(malloc(slots * sizeof(char *)));
  if (!array)
    return false;
  if (count)
    std::memcpy(array, environ, count * sizeof(char *));
  array[count] = nullptr;
  if (own)
    free(libc.ownEnvironment);
  libc.ownEnvironment = environ = array;
  libc.ownEnvironmentSlots = slots;
  return true;
}

char **findEntry(const char *name, size_t length) {
  for (char **entry = environ; entry && *entry; ++entry)
    if (std::strncmp(*entry, name, length) == 0 && (*entry)[length] == '=')
      return entry;
  return nullptr;
}

/// Puts the string itself into the environment.
int place(LibcState &libc, char *entry, size_t nameLength) {
  if (!ownEnvironment(libc))
    return -1;
  char **old = findEntry(entry, nameLength);
  if (old) {
    *old = entry;
    return 0;
  }
  size_t count = entryCount();
  environ[count] = entry;
  environ[count + 1] = nullptr;
  return 0;
}

int removeEntries(LibcState &libc, const char *name, size_t length) {
  if (findEntry(name, length) && !ownEnvironment(libc))
    return -1;
  while (char **entry = findEntry(name, length))
    for (; *entry; ++entry)
      entry[0] = entry[1];
  return 0;
}

bool badName(const char *name) { return !name || !*name || std::strchr(name, '='); }

} // namespace
} // namespace gnomon::process

using namespace gnomon::process;

GNOMON_INTERPOSE int setenv(const char *name, const char *value, int overwrite) noexcept {
  Rank *rank = callingRank();
  if (!rank)
    return GNOMON_REAL(setenv)(name, value, overwrite);
  if (badName(name)) {
    errno = EINVAL;
    return -1;
  }
  size_t length = std::strlen(name);
  if (!overwrite && findEntry(name, length))
    return 0;
  size_t valueBytes = std::strlen(value) + 1;
  auto *entry = static_cast<char *>(malloc(length + 1 + valueBytes));
  if (!entry)
    return -1;
  std::memcpy(entry, name, length);
  entry[length] = '=';
  std::memcpy(entry + length + 1, value, valueBytes);
  return place(*rank->libc, entry, length);
}

GNOMON_INTERPOSE int putenv(char *entry) noexcept {
  Rank *rank = callingRank();
  if (!rank)
    return GNOMON_REAL(putenv)(entry);
  const char *equals = std::strchr(entry, '=');
  if (!equals) // GNU: removes the variable
    return removeEntries(*rank->libc, entry, std::strlen(entry));
  return place(*rank->libc, entry, static_cast<size_t>(equals - entry));
}

GNOMON_INTERPOSE int unsetenv(const char *name) noexcept {
  Rank *rank = callingRank();
  if (!rank)
    return GNOMON_REAL(unsetenv)(name);
  if (badName(name)) {
    errno = EINVAL;
    return -1;
  }
  return removeEntries(*rank->libc, name, std::strlen(name));
}

GNOMON_INTERPOSE int clearenv() noexcept {
  Rank *rank = callingRank();
  if (!rank)
    return GNOMON_REAL(clearenv)();
  environ = nullptr;
  return 0;
}
