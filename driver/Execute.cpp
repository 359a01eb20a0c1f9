// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// exec and fork; the only file of the driver that starts anything.
#include "Execute.h"

#include "Message.h"

#include <cerrno>
#include <cstring>
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

} // namespace gnomon::driver
