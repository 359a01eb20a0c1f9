// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Child processes. A rank is a fiber: a fork would copy all ranks, an exec would
/// replace them. With one rank both are what the program means. system and popen work for every
/// rank.
#include "process/libc/Interpose.h"
#include "process/ranks/Streams.h"
#include "process/ranks/WrittenFiles.h"

#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <fmt/format.h>
#include <set>
#include <spawn.h>
#include <string>
#include <unistd.h>

namespace gnomon::process {

void warnOnce(const Rank &rank, const char *what, const char *text) {
  static auto *seen = new std::set<std::string>;
  if (seen->insert(what).second)
    printError(fmt::format("gnomon: warning: rank {} called {}(): {}\n", rank.number, what, text));
}

void flushBeforeChild(Rank &rank) {
  fflush(stdout);
  drainShared(rank);
  flushLines(rank);
  if (outputSink())
    outputSink()->flushAll();
}

namespace {

/// Whether the rank may do what concerns the whole process.
bool refused(Rank &rank, const char *function) {
  if (alone())
    return false;
  warnOnce(rank, function,
           "a rank of a simulation with several ranks cannot do that; the call fails with ENOSYS");
  errno = ENOSYS;
  return true;
}

pid_t forkRank(Rank &rank, const char *function) {
  if (refused(rank, function))
    return -1;
  flushBeforeChild(rank);
  pid_t child = GNOMON_REAL(fork)();
  if (child == 0)
    leaveSimulation();
  return child;
}

/// Ready for an exec by this rank; false when it is refused.
bool mayExec(const char *function) {
  Rank *rank = callingRank();
  if (!rank)
    return true;
  if (refused(*rank, function))
    return false;
  flushBeforeChild(*rank);
  return true;
}

std::vector<char *> collect(const char *first, va_list &rest) {
  std::vector<char *> arguments;
  for (const char *word = first; word; word = va_arg(rest, const char *))
    arguments.push_back(const_cast<char *>(word));
  arguments.push_back(nullptr);
  return arguments;
}

} // namespace
} // namespace gnomon::process

using namespace gnomon::process;

GNOMON_INTERPOSE pid_t fork() noexcept {
  Rank *rank = callingRank();
  return rank ? forkRank(*rank, "fork") : GNOMON_REAL(fork)();
}

// POSIX lets vfork be fork; a function around the real one could not return in the child.
GNOMON_INTERPOSE pid_t vfork() noexcept {
  Rank *rank = callingRank();
  return rank ? forkRank(*rank, "vfork") : GNOMON_REAL(fork)();
}

GNOMON_INTERPOSE int execve(const char *path, char *const argv[], char *const envp[]) noexcept {
  return mayExec("execve") ? GNOMON_REAL(execve)(path, argv, envp) : -1;
}

GNOMON_INTERPOSE int execv(const char *path, char *const argv[]) noexcept {
  return mayExec("execv") ? GNOMON_REAL(execv)(path, argv) : -1;
}

GNOMON_INTERPOSE int execvp(const char *file, char *const argv[]) noexcept {
  return mayExec("execvp") ? GNOMON_REAL(execvp)(file, argv) : -1;
}

GNOMON_INTERPOSE int execvpe(const char *file, char *const argv[], char *const envp[]) noexcept {
  return mayExec("execvpe") ? GNOMON_REAL(execvpe)(file, argv, envp) : -1;
}

GNOMON_INTERPOSE int fexecve(int descriptor, char *const argv[], char *const envp[]) noexcept {
  return mayExec("fexecve") ? GNOMON_REAL(fexecve)(descriptor, argv, envp) : -1;
}

GNOMON_INTERPOSE int execl(const char *path, const char *first, ...) noexcept {
  va_list rest;
  va_start(rest, first);
  std::vector<char *> arguments = collect(first, rest);
  va_end(rest);
  return mayExec("execl") ? GNOMON_REAL(execv)(path, arguments.data()) : -1;
}

GNOMON_INTERPOSE int execlp(const char *file, const char *first, ...) noexcept {
  va_list rest;
  va_start(rest, first);
  std::vector<char *> arguments = collect(first, rest);
  va_end(rest);
  return mayExec("execlp") ? GNOMON_REAL(execvp)(file, arguments.data()) : -1;
}

GNOMON_INTERPOSE int execle(const char *path, const char *first, ...) noexcept {
  va_list rest;
  va_start(rest, first);
  std::vector<char *> arguments = collect(first, rest);
  auto *environment = va_arg(rest, char *const *);
  va_end(rest);
  return mayExec("execle") ? GNOMON_REAL(execve)(path, arguments.data(), environment) : -1;
}

GNOMON_INTERPOSE int system(const char *command) {
  if (Rank *rank = callingRank())
    flushBeforeChild(*rank);
  if (WrittenFiles *files = writtenFiles())
    files->runs(command);
  return GNOMON_REAL(system)(command);
}

GNOMON_INTERPOSE FILE *popen(const char *command, const char *mode) {
  if (Rank *rank = callingRank())
    flushBeforeChild(*rank);
  return GNOMON_REAL(popen)(command, mode);
}

GNOMON_INTERPOSE int daemon(int keepDirectory, int keepStreams) noexcept {
  Rank *rank = callingRank();
  if (rank && refused(*rank, "daemon"))
    return -1;
  return GNOMON_REAL(daemon)(keepDirectory, keepStreams);
}
