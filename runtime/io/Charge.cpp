// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "io/Charge.h"

#include "io/Runtime.h"
#include "mpi/RankState.h"
#include "support/Number.h"

#include <algorithm>

namespace gnomon::io {

using Direction = models::DiskModel::Direction;

/// Above zero, or \p otherwise when the hint is not given or is no such number.
static uint64_t hintOf(const File &file, const char *key, uint64_t otherwise) {
  const std::string *hint = file.hints.find(key);
  const uint64_t value = hint ? std::strtoull(hint->c_str(), nullptr, 10) : 0;
  return value > 0 ? value : otherwise;
}

Footprint::Footprint(const File &file) : Footprint(1, 0) {
  const Settings &settings = runtime().settings;
  const size_t servers = settings.servers.size();
  if (servers == 0)
    return;
  stripe_ = hintOf(file, "striping_unit", settings.stripeBytes);
  loads_.resize(std::min<uint64_t>(servers, hintOf(file, "striping_factor", servers)));
}

void Footprint::add(int64_t offset, int64_t bytes) {
  begin_ = begin_ == end_ ? offset : std::min(begin_, offset);
  end_ = std::max(end_, offset + bytes);
  if (offset != runEnd_) {
    flush();
    runBegin_ = offset;
  }
  runEnd_ = offset + bytes;
}

const std::vector<Load> &Footprint::loads() {
  flush();
  return loads_;
}

void Footprint::flush() {
  auto begin = static_cast<uint64_t>(runBegin_);
  auto left = static_cast<uint64_t>(runEnd_ - runBegin_);
  runBegin_ = runEnd_;
  if (left == 0)
    return;
  const uint64_t disks = loads_.size();
  if (stripe_ == 0) {
    loads_[0].bytes += left;
    ++loads_[0].requests;
    return;
  }
  // The stripes of a run on one server follow each other there: one request.
  const uint64_t first = begin / stripe_, last = (begin + left - 1) / stripe_;
  for (uint64_t i = 0; i < std::min(disks, last - first + 1); ++i)
    ++loads_[(first + i) % disks].requests;
  // Whole rounds over all servers at once: a long run costs no more than a short one.
  const uint64_t round = stripe_ * disks;
  for (Load &load : loads_)
    load.bytes += left / round * stripe_;
  left %= round;
  while (left > 0) {
    const uint64_t part = std::min(left, stripe_ - begin % stripe_);
    loads_[begin / stripe_ % disks].bytes += part;
    begin += part;
    left -= part;
  }
}

namespace {

/// Disks and network at work for one host.
class Movement {
public:
  Movement(platform::HostIndex host, Direction direction, kernel::Action done)
      : here_(host), direction_(direction), done_(done) {}

  void start(const std::string &path, const std::vector<Load> &loads) {
    const std::vector<platform::HostIndex> &servers = runtime().settings.servers;
    for (size_t i = 0; i < loads.size(); ++i)
      if (loads[i].bytes > 0)
        startPart(servers.empty() ? here_ : servers[i], path, loads[i]);
    onPartDone(0);
  }

private:
  void startPart(platform::HostIndex server, const std::string &path, const Load &load) {
    const kernel::Action done = kernel::Action::of<&Movement::onPartDone>(this);
    models::DiskModel &disks = runtime().disks;
    ++left_;
    disks.start(disks.find(server, path), direction_, load.bytes, load.requests, done);
    if (server == here_)
      return;
    ++left_;
    const bool reads = direction_ == Direction::Read;
    runtime().world.network.transfer(reads ? server : here_, reads ? here_ : server, load.bytes,
                                     done);
  }

  void onPartDone(uint64_t) {
    if (--left_ > 0)
      return;
    const kernel::Action done = done_;
    delete this;
    done();
  }

  platform::HostIndex here_;
  Direction direction_;
  kernel::Action done_;
  int left_ = 1; ///< one until all parts have started
};

/// An access under way.
class Pending {
public:
  Pending(File &file, mpi::Request &request, Direction direction, const Footprint &footprint)
      : request_(request), direction_(direction), footprint_(footprint), shared_(file.shared),
        here_(file.owner().host), pointerHost_(runtime().world.ranks[file.comm.process(0)]->host),
        atomic_(shared_->atomic && footprint.begin() < footprint.end()) {
    mpi::runtime().fabric.beginTimed();
  }

  void start(bool sharedPointer) {
    if ((sharedPointer || atomic_) && here_ != pointerHost_)
      message(here_, pointerHost_, kernel::Action::of<&Pending::onAsked>(this));
    else
      takeLock(0);
  }

private:
  static constexpr uint64_t PointerBytes = 8;

  static void message(platform::HostIndex from, platform::HostIndex to, kernel::Action done) {
    runtime().world.network.transfer(from, to, PointerBytes, done);
  }
  void onAsked(uint64_t) {
    message(pointerHost_, here_, kernel::Action::of<&Pending::takeLock>(this));
  }

  void takeLock(uint64_t) {
    if (!atomic_)
      return move(0);
    // When nobody is in the way, move() begins within; its end is an event, and so comes later.
    lock_ =
        shared_->locks.acquire(footprint_.begin(), footprint_.end(), direction_ == Direction::Write,
                               kernel::Action::of<&Pending::move>(this));
  }

  void move(uint64_t) {
    moveLoads(here_, shared_->path, direction_, footprint_.loads(),
              kernel::Action::of<&Pending::onMoved>(this));
  }

  void onMoved(uint64_t) {
    if (atomic_)
      shared_->locks.release(lock_);
    mpi::runtime().fabric.endTimed();
    mpi::completeTask(request_, request_.task()->error);
    delete this;
  }

  mpi::Request &request_;
  Direction direction_;
  Footprint footprint_;
  std::shared_ptr<SharedFile> shared_;
  platform::HostIndex here_, pointerHost_;
  bool atomic_;
  RangeLocks::Handle lock_;
};

} // namespace

void moveLoads(platform::HostIndex host, const std::string &path, Direction direction,
               const std::vector<Load> &loads, kernel::Action done) {
  (new Movement(host, direction, done))->start(path, loads);
}

void charge(File &file, mpi::Request &request, Direction direction, const Footprint &footprint,
            bool sharedPointer) {
  (new Pending(file, request, direction, footprint))->start(sharedPointer);
}

} // namespace gnomon::io
