// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "output/OrderedOutput.h"

#include "process/image/Real.h"
#include "support/Error.h"
#include "support/Write.h"

#include <cerrno>
#include <cstring>
#include <ctime>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace gnomon::output {
namespace {

constexpr size_t FlushBytes = 64 << 10;

bool isCharacterDevice(int descriptor) {
  struct stat status{};
  return fstat(descriptor, &status) == 0 && S_ISCHR(status.st_mode);
}

} // namespace

/// Gives up after a while: the holder may be the thread that a signal handler has interrupted.
class OrderedOutput::Lock {
public:
  explicit Lock(pthread_mutex_t &mutex) : mutex_(mutex) {
    for (int tries = 0; tries < 1000 && !held_; ++tries) {
      held_ = GNOMON_REAL(pthread_mutex_trylock)(&mutex_) == 0;
      timespec pause{0, 1000000};
      if (!held_)
        syscall(SYS_nanosleep, &pause, nullptr);
    }
  }
  ~Lock() {
    if (held_)
      GNOMON_REAL(pthread_mutex_unlock)(&mutex_);
  }
  Lock(const Lock &) = delete;
  Lock &operator=(const Lock &) = delete;
  explicit operator bool() const { return held_; }

private:
  pthread_mutex_t &mutex_;
  bool held_ = false;
};

OrderedOutput::OrderedOutput(kernel::Engine &engine, int outputDescriptor, int errorDescriptor)
    : engine_(engine), descriptors_{-1, outputDescriptor, errorDescriptor},
      terminal_(isCharacterDevice(outputDescriptor)) {}

void OrderedOutput::write(SimTime date, int descriptor, std::string_view text) {
  if (Lock lock(mutex_); lock) {
    SimTime now = engine_.now();
    releaseUntil(now);
    if (date <= now) {
      emit(descriptor, text);
    } else {
      held_.push({date, order_++, descriptor, std::string(text)});
      releaseAt(date);
    }
  }
  stopOnError();
}

void OrderedOutput::release(uint64_t) {
  if (Lock lock(mutex_); lock) {
    nextRelease_ = Never;
    releaseUntil(engine_.now());
    if (!held_.empty())
      releaseAt(held_.nextDate());
  }
  stopOnError();
}

/// One event at a time, for the earliest line: as many as there are lines would be held, too.
void OrderedOutput::releaseAt(SimTime date) {
  if (date >= nextRelease_)
    return;
  nextRelease_ = date;
  engine_.at(date, kernel::Action::of<&OrderedOutput::release>(this));
}

void OrderedOutput::releaseUntil(SimTime date) {
  while (!held_.empty() && held_.nextDate() <= date) {
    const HeldLine line = held_.pop();
    emit(line.descriptor, line.text);
  }
}

void OrderedOutput::emit(int descriptor, std::string_view text) {
  if (descriptor != bufferDescriptor_) {
    flushBuffer();
    bufferDescriptor_ = descriptor;
  }
  buffer_.append(text);
  if (terminal_ || descriptor == 2 || buffer_.size() >= FlushBytes)
    flushBuffer();
}

void OrderedOutput::flushBuffer() {
  if (!buffer_.empty() && error_.empty() && !writeFully(descriptors_[bufferDescriptor_], buffer_))
    error_ = std::string("cannot write standard ") + (bufferDescriptor_ == 1 ? "output" : "error") +
             ": " + std::strerror(errno);
  buffer_.clear();
}

void OrderedOutput::flushAll() {
  if (Lock lock(mutex_); lock) {
    releaseUntil(Never);
    flushBuffer();
  }
}

void OrderedOutput::flushDue() {
  if (GNOMON_REAL(pthread_mutex_trylock)(&mutex_) != 0)
    return;
  flushBuffer();
  GNOMON_REAL(pthread_mutex_unlock)(&mutex_);
}

void OrderedOutput::stopOnError() {
  if (error_.empty() || stopped_)
    return;
  stopped_ = true;
  process::abortWorld(static_cast<int>(ExitCode::NoOutput), "gnomon: " + error_);
}

} // namespace gnomon::output
