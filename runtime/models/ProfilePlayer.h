// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Plays the platform's profiles: tells a model at each date of a profile what changes. Steps at
/// date 0 are told by start(), before anything else happens. The events are in the background: a
/// profile that repeats for ever does not keep a simulation going.
///
/// The k-th step of lap n comes at n × period + date_k. Cost: O(log profiles) per step.
#pragma once

#include "kernel/Engine.h"
#include "platform/Platform.h"

#include <vector>

namespace gnomon::models {

class ProfileListener {
public:
  virtual ~ProfileListener() = default;
  virtual void profileChanged(const platform::ProfileUse &use,
                              const platform::Profile::Step &step) = 0;
};

class ProfilePlayer {
public:
  enum class Of : uint8_t { Links, Hosts };
  ProfilePlayer(kernel::Engine &engine, const platform::Platform &platform, Of of,
                ProfileListener &listener);

  /// Whether there is nothing to play.
  bool empty() const { return tracks_.empty(); }
  void start() { play(0); }

private:
  struct Track {
    platform::ProfileUse use;
    size_t next = 0; ///< step
    uint64_t lap = 0;
  };
  void schedule(size_t track);
  void play(uint64_t);

  kernel::Engine &engine_;
  const platform::Platform &platform_;
  ProfileListener &listener_;
  std::vector<Track> tracks_;
  kernel::DateQueue<uint64_t> dates_;
};

} // namespace gnomon::models
