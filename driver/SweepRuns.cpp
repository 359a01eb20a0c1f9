// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// One loop: begin what may begin, sleep until a run says something, a child ends or a signal comes.
#include "SweepRuns.h"

#include "Execute.h"
#include "Message.h"
#include "sweep/Diagnosis.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <map>
#include <optional>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

namespace gnomon::driver {
namespace {

using Clock = std::chrono::steady_clock;

volatile std::sig_atomic_t caughtSignal = 0;

/// Signals reach the process only while it sleeps in ppoll, so that none is missed.
class Signals {
public:
  Signals() {
    caughtSignal = 0;
    sigset_t blocked;
    sigemptyset(&blocked);
    for (size_t i = 0; i < Caught.size(); ++i) {
      sigaction(Caught[i], nullptr, &before_[i]);
      if (before_[i].sa_handler == SIG_IGN && Caught[i] != SIGCHLD)
        continue; // nohup
      sigaddset(&blocked, Caught[i]);
      struct sigaction action = {};
      action.sa_handler = [](int signal) {
        if (signal != SIGCHLD)
          caughtSignal = signal;
      };
      sigaction(Caught[i], &action, nullptr);
    }
    sigprocmask(SIG_BLOCK, &blocked, &mask_);
  }
  ~Signals() {
    for (size_t i = 0; i < Caught.size(); ++i)
      sigaction(Caught[i], &before_[i], nullptr);
    sigprocmask(SIG_SETMASK, &mask_, nullptr);
  }
  Signals(const Signals &) = delete;
  Signals &operator=(const Signals &) = delete;

  /// As it was before, for sleeping and for children.
  const sigset_t &mask() const { return mask_; }

private:
  static constexpr std::array Caught{SIGINT, SIGTERM, SIGHUP, SIGCHLD};
  struct sigaction before_[Caught.size()] = {};
  sigset_t mask_ = {};
};

/// On a line of a terminal that it leaves empty.
class ProgressLine {
public:
  ProgressLine(size_t total, bool quiet)
      : shows_(!quiet && isatty(STDERR_FILENO) != 0), total_(total) {}
  ~ProgressLine() {
    if (shows_)
      std::fprintf(stderr, "\r\033[K");
  }
  ProgressLine(const ProgressLine &) = delete;
  ProgressLine &operator=(const ProgressLine &) = delete;

  bool shows() const { return shows_; }
  /// A line that stays.
  void tell(const std::string &line) const {
    if (shows_)
      fmt::print(stderr, "\r\033[K{}\n", line);
  }
  void show(size_t done) const {
    if (!shows_)
      return;
    std::string rest;
    if (done > 0 && done < total_) {
      const std::chrono::duration<double> taken = Clock::now() - begin_;
      rest = fmt::format(", {:.0f} s left", taken.count() / static_cast<double>(done) *
                                                static_cast<double>(total_ - done));
    }
    fmt::print(stderr, "\r\033[Kgnomon sweep: {}/{}{}", done, total_, rest);
  }

private:
  bool shows_;
  size_t total_;
  Clock::time_point begin_ = Clock::now();
};

struct Run {
  size_t job = 0;
  Child child;
  sweep::Diagnosis diagnosis;
};

class Batches {
public:
  explicit Batches(const Batch &batch) : batch_(batch), progress_(batch.jobs.size(), batch.quiet) {}
  ~Batches() { endAll(); }
  Batches(const Batches &) = delete;
  Batches &operator=(const Batches &) = delete;

  int run() {
    const std::vector<size_t> &jobs = batch_.jobs;
    while (done_ < jobs.size() && caughtSignal == 0) {
      while (runs_.size() < batch_.atATime && next_ < jobs.size())
        begin(jobs[next_++]);
      progress_.show(done_);
      const int wanted = batch_.idle();
      if (!runs_.empty())
        sleep(sooner(wanted, progress_.shows() ? 1000 : -1));
    }
    return caughtSignal;
  }

private:
  /// Of two times in ms, of which -1 is never.
  static int sooner(int one, int other) {
    return one < 0 ? other : other < 0 ? one : std::min(one, other);
  }

  void begin(size_t job) {
    std::vector<std::string> words;
    try {
      words = batch_.words(job);
    } catch (const InputError &error) {
      end(job, static_cast<int>(ExitCode::BadInput), error.what());
      return;
    }
    words.insert(words.begin(), "gnomon"); // by another name it would be a compiler
    const Child child = beginChild("/proc/self/exe", words, signals_.mask());
    runs_.emplace(child.process, Run{job, child, {}});
  }

  void end(size_t job, int exitCode, const std::string &error) {
    ++done_;
    progress_.tell(batch_.ended(job, exitCode, exitCode == 0 ? "" : error));
  }

  /// Sleeps until something happens, and sees to it; -1 ms: however long that takes.
  void sleep(int milliseconds) {
    std::vector<pollfd> polled;
    for (const auto &[process, run] : runs_)
      if (run.child.errors >= 0)
        polled.push_back({run.child.errors, POLLIN, 0});
    const timespec limit{milliseconds / 1000, (milliseconds % 1000) * 1'000'000L};
    ppoll(polled.data(), polled.size(), milliseconds < 0 ? nullptr : &limit, &signals_.mask());
    for (auto &[process, run] : runs_)
      listen(run);
    reap();
  }

  /// Takes what a run has said so far.
  static void listen(Run &run) {
    char block[4096];
    while (run.child.errors >= 0) {
      const ssize_t count = read(run.child.errors, block, sizeof block);
      if (count > 0)
        run.diagnosis.read({block, static_cast<size_t>(count)});
      else if (count < 0 && errno == EINTR)
        continue;
      else if (count < 0 && errno == EAGAIN)
        return;
      else
        hangUp(run);
    }
  }

  static void hangUp(Run &run) {
    if (run.child.errors >= 0)
      close(run.child.errors);
    run.child.errors = -1;
  }

  /// Ends the jobs whose processes have. Others that they started may hold their stderr still.
  void reap() {
    for (auto at = runs_.begin(); at != runs_.end();) {
      int status = 0;
      if (waitpid(at->first, &status, WNOHANG) != at->first) {
        ++at;
        continue;
      }
      Run &run = at->second;
      listen(run);
      hangUp(run);
      const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
      if (!ending_)
        end(run.job, code, run.diagnosis.line());
      at = runs_.erase(at);
    }
  }

  /// Ends all runs that are left, none of which has come to its end: politely, and those that do not
  /// go within 5 s, anyway.
  void endAll() {
    ending_ = true;
    for (const auto &[process, run] : runs_)
      kill(process, SIGTERM);
    const Clock::time_point limit = Clock::now() + std::chrono::seconds(5);
    while (!runs_.empty() && Clock::now() < limit)
      sleep(100);
    for (const auto &[process, run] : runs_)
      kill(process, SIGKILL);
    while (!runs_.empty())
      sleep(100);
  }

  const Batch &batch_;
  Signals signals_;
  ProgressLine progress_;
  std::map<pid_t, Run> runs_;
  size_t next_ = 0, done_ = 0;
  bool ending_ = false;
};

} // namespace

int runBatch(const Batch &batch) { return Batches(batch).run(); }

} // namespace gnomon::driver
