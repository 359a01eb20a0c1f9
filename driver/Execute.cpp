// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// exec and fork; the only file of the driver that starts anything.
#include "Execute.h"

#include "Message.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace gnomon::driver {

static std::vector<char *> pointers(const std::vector<std::string> &arguments) {
  std::vector<char *> result;
  for (const std::string &argument : arguments)
    result.push_back(const_cast<char *>(argument.c_str()));
  result.push_back(nullptr);
  return result;
}

void become(const std::string &program, const std::vector<std::string> &arguments,
            const std::string &remedy) {
  // What was printed so far must come before the program's own output.
  std::fflush(nullptr);
  execvp(program.c_str(), pointers(arguments).data());
  fail("cannot start '{}': {}{}{}", program, std::strerror(errno), remedy.empty() ? "" : "; ",
       remedy);
}

static std::string readAll(int descriptor) {
  std::string text;
  char block[4096];
  for (ssize_t count; (count = read(descriptor, block, sizeof block)) != 0;) {
    if (count > 0)
      text.append(block, static_cast<size_t>(count));
    else if (errno != EINTR)
      break;
  }
  return text;
}

Outcome capture(const std::vector<std::string> &arguments) {
  Outcome outcome;
  int ends[2];
  if (pipe(ends) != 0)
    return outcome;
  const pid_t child = fork();
  if (child == 0) {
    dup2(ends[1], STDOUT_FILENO);
    dup2(ends[1], STDERR_FILENO);
    close(ends[0]);
    close(ends[1]);
    execvp(arguments.front().c_str(), pointers(arguments).data());
    _exit(127);
  }
  close(ends[1]);
  if (child > 0) {
    outcome.output = readAll(ends[0]);
    int status = 0;
    waitpid(child, &status, 0);
    outcome.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }
  close(ends[0]);
  return outcome;
}

/// Of the child: only what may be called between fork and exec.
[[noreturn]] static void turnInto(const char *program, char *const *arguments, int errors,
                                  pid_t parent, const sigset_t &mask) {
  const int nothing = open("/dev/null", O_RDWR);
  const bool redirected = dup2(nothing, STDIN_FILENO) >= 0 && dup2(nothing, STDOUT_FILENO) >= 0 &&
                          dup2(errors, STDERR_FILENO) >= 0;
  if (nothing > STDERR_FILENO)
    close(nothing);
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  sigprocmask(SIG_SETMASK, &mask, nullptr);
  if (redirected && getppid() == parent)
    execv(program, arguments);
  _exit(127);
}

Child beginChild(const std::string &program, const std::vector<std::string> &arguments,
                 const sigset_t &mask) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0)
    fail("cannot start '{}': {}", program, std::strerror(errno));
  fcntl(ends[0], F_SETFL, O_NONBLOCK);
  const std::vector<char *> words = pointers(arguments);
  const pid_t parent = getpid(), child = fork();
  if (child == 0)
    turnInto(program.c_str(), words.data(), ends[1], parent, mask);
  const int error = errno;
  close(ends[1]);
  if (child < 0) {
    close(ends[0]);
    fail("cannot start '{}': {}", program, std::strerror(error));
  }
  return {child, ends[0]};
}

} // namespace gnomon::driver
