// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The process's end, which is the trace's, and how it may come early: by a SIGTERM, which mpirun
/// sends to the others when one rank has failed.
#include "Tracer.h"

#include <csignal>
#include <unistd.h>

namespace gnomon::acquisition {
namespace {

[[gnu::destructor]] void end() {
  Tracer &tracer = Tracer::ofProcess();
  tracer.finish(tracer.isFinalized());
}

/// The process is to die. What is written here may need a lock that it was interrupted with: so the
/// alarm, which ends it all the same.
void terminated(int signal) {
  std::signal(SIGALRM, SIG_DFL);
  std::signal(signal, SIG_DFL);
  alarm(2);
  Tracer &tracer = Tracer::ofProcess();
  if (tracer.mutex().try_lock()) {
    tracer.mutex().unlock();
    tracer.finish(false);
  }
  std::raise(signal);
}

} // namespace

void endOnTermination() {
  struct sigaction present{};
  if (sigaction(SIGTERM, nullptr, &present) == 0 && !(present.sa_flags & SA_SIGINFO) &&
      present.sa_handler == SIG_DFL)
    std::signal(SIGTERM, terminated);
}

} // namespace gnomon::acquisition
