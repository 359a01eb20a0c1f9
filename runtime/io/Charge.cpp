// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "io/Charge.h"

#include "io/Runtime.h"
#include "mpi/RankState.h"
#include "support/Number.h"

#include <algorithm>

namespace gnomon::io {

using Direction = models::DiskModel::Direction;

Footprint::Footprint(const File &file) {
  const Settings &settings = runtime().settings;
  bytes_.resize(std::max<size_t>(1, settings.servers.size()));
  if (settings.servers.empty())
    return;
  stripe_ = settings.stripeBytes;
  const std::string *hint = file.hints.find("striping_unit");
  if (hint && std::strtoull(hint->c_str(), nullptr, 10) > 0)
    stripe_ = std::strtoull(hint->c_str(), nullptr, 10);
}

void Footprint::add(int64_t offset, int64_t length) {
  auto begin = static_cast<uint64_t>(offset);
  auto left = static_cast<uint64_t>(length);
  if (stripe_ == 0) {
    bytes_[0] += left;
    return;
  }
  // Whole rounds over all servers at once: a long run costs no more than a short one.
  const uint64_t round = stripe_ * bytes_.size();
  for (uint64_t &bytes : bytes_)
    bytes += left / round * stripe_;
  left %= round;
  while (left > 0) {
    const uint64_t part = std::min(left, stripe_ - begin % stripe_);
    bytes_[begin / stripe_ % bytes_.size()] += part;
    begin += part;
    left -= part;
  }
}

namespace {

/// An access under way.
class Pending {
public:
  Pending(File &file, mpi::Request &request, Direction direction, const Footprint &footprint)
      : request_(request), direction_(direction), bytes_(footprint.bytes()),
        path_(file.shared->path), here_(file.owner().host),
        pointerHost_(runtime().world.ranks[file.comm.process(0)]->host) {
    mpi::runtime().fabric.beginTimed();
  }

  void start(bool sharedPointer) {
    if (sharedPointer && here_ != pointerHost_)
      message(here_, pointerHost_, kernel::Action::of<&Pending::onAsked>(this));
    else
      move(0);
  }

private:
  static constexpr uint64_t PointerBytes = 8;

  static void message(platform::HostIndex from, platform::HostIndex to, kernel::Action done) {
    runtime().world.network.transfer(from, to, PointerBytes, done);
  }
  void onAsked(uint64_t) { message(pointerHost_, here_, kernel::Action::of<&Pending::move>(this)); }

  void move(uint64_t) {
    const std::vector<platform::HostIndex> &servers = runtime().settings.servers;
    left_ = 1; // until all parts have started
    for (size_t i = 0; i < bytes_.size(); ++i)
      if (bytes_[i] > 0)
        startPart(servers.empty() ? here_ : servers[i], bytes_[i]);
    onPartDone(0);
  }

  void startPart(platform::HostIndex server, uint64_t bytes) {
    const kernel::Action done = kernel::Action::of<&Pending::onPartDone>(this);
    models::DiskModel &disks = runtime().disks;
    ++left_;
    disks.start(disks.find(server, path_), direction_, bytes, done);
    if (server == here_)
      return;
    ++left_;
    const bool reads = direction_ == Direction::Read;
    runtime().world.network.transfer(reads ? server : here_, reads ? here_ : server, bytes, done);
  }

  void onPartDone(uint64_t) {
    if (--left_ > 0)
      return;
    mpi::runtime().fabric.endTimed();
    mpi::completeTask(request_, request_.error);
    delete this;
  }

  mpi::Request &request_;
  Direction direction_;
  std::vector<uint64_t> bytes_;
  std::string path_;
  platform::HostIndex here_, pointerHost_;
  int left_ = 0;
};

} // namespace

void charge(File &file, mpi::Request &request, Direction direction, const Footprint &footprint,
            bool sharedPointer) {
  (new Pending(file, request, direction, footprint))->start(sharedPointer);
}

} // namespace gnomon::io
