// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "models/DiskModel.h"

#include <algorithm>
#include <array>

namespace gnomon::models {

DiskModel::DiskModel(kernel::Engine &engine, const platform::Platform &platform, DefaultDisk others)
    : engine_(engine), platform_(platform), others_(others) {
  for (const platform::Disk &disk : platform.disks())
    add({disk.readBandwidth, disk.writeBandwidth, disk.latencySeconds});
}

DiskIndex DiskModel::add(const DefaultDisk &figures) {
  using solver::Sharing;
  const double read = figures.readBandwidth, write = figures.writeBandwidth;
  disks_.push_back({solver_.addConstraint(read, Sharing::Shared),
                    solver_.addConstraint(write, Sharing::Shared),
                    solver_.addConstraint(std::max(read, write), Sharing::Shared),
                    figures.latencySeconds * read,
                    figures.latencySeconds * write,
                    {}});
  return static_cast<DiskIndex>(disks_.size() - 1);
}

/// Whether \p path lies below \p mount: "/scratch" has "/scratch/a" below it, but not "/scratches".
static bool isBelow(std::string_view path, std::string_view mount) {
  while (mount.ends_with('/'))
    mount.remove_suffix(1);
  return path.starts_with(mount) && (path.size() == mount.size() || path[mount.size()] == '/');
}

DiskIndex DiskModel::find(platform::HostIndex host, std::string_view path) {
  size_t longest = 0;
  const platform::Disk *best = nullptr;
  for (const platform::Disk &disk : platform_.disks())
    if (disk.host == host && disk.mountPoint.size() > longest && isBelow(path, disk.mountPoint)) {
      longest = disk.mountPoint.size();
      best = &disk;
    }
  if (best)
    return static_cast<DiskIndex>(best - platform_.disks().data());
  auto [entry, isNew] = defaults_.try_emplace(host, 0);
  if (isNew)
    entry->second = add(others_);
  return entry->second;
}

uint32_t DiskModel::newOperation() {
  if (freeOperations_.empty()) {
    operations_.emplace_back();
    return static_cast<uint32_t>(operations_.size() - 1);
  }
  const uint32_t index = freeOperations_.back();
  freeOperations_.pop_back();
  return index;
}

void DiskModel::start(DiskIndex index, Direction direction, uint64_t bytes, uint64_t requests,
                      kernel::Action done) {
  if (bytes == 0) {
    engine_.at(engine_.now(), done);
    return;
  }
  Disk &disk = disks_[index];
  const bool reads = direction == Direction::Read;
  const double perRequest = reads ? disk.readBytesPerRequest : disk.writeBytesPerRequest;
  const std::array<solver::Usage, 2> uses{{{reads ? disk.reads : disk.writes, 1}, {disk.all, 1}}};
  const uint32_t number = newOperation();
  operations_[number] = {
      done,  static_cast<double>(bytes) + static_cast<double>(requests) * perRequest,
      0,     engine_.now(),
      0,     solver_.add(1, solver::Unbounded, uses),
      index, static_cast<uint32_t>(disk.running.size())};
  disk.running.push_back(number);
  change(index);
}

/// All changes of a date are solved together.
void DiskModel::change(DiskIndex index) {
  if (changed_.empty())
    engine_.settle(kernel::Action::of<&DiskModel::onSettle>(this));
  if (disks_[index].changed)
    return;
  disks_[index].changed = true;
  changed_.push_back(index);
}

void DiskModel::onSettle(uint64_t) {
  solver_.solve();
  for (DiskIndex index : changed_) {
    disks_[index].changed = false;
    for (uint32_t number : disks_[index].running) {
      Operation &operation = operations_[number];
      const double elapsed = engine_.now() - operation.lastUpdate;
      operation.remainingBytes = std::max(0.0, operation.remainingBytes - operation.rate * elapsed);
      operation.lastUpdate = engine_.now();
      operation.rate = solver_.rate(operation.variable);
      const SimTime end = engine_.now() + operation.remainingBytes / operation.rate;
      if (operation.event)
        engine_.reschedule(operation.event, end);
      else
        operation.event = engine_.at(end, kernel::Action::of<&DiskModel::onEnd>(this, number));
    }
  }
  changed_.clear();
}

void DiskModel::onEnd(uint64_t argument) {
  const auto number = static_cast<uint32_t>(argument);
  const Operation operation = operations_[number];
  std::vector<uint32_t> &running = disks_[operation.disk].running;
  running[operation.place] = running.back();
  operations_[running.back()].place = operation.place;
  running.pop_back();
  solver_.remove(operation.variable);
  freeOperations_.push_back(number);
  change(operation.disk);
  operation.done();
}

} // namespace gnomon::models
