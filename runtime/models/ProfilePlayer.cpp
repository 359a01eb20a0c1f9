// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "models/ProfilePlayer.h"

#include <algorithm>

namespace gnomon::models {

using platform::ProfileKind;

ProfilePlayer::ProfilePlayer(kernel::Engine &engine, const platform::Platform &platform, Of of,
                             ProfileListener &listener)
    : engine_(engine), platform_(platform), listener_(listener) {
  for (const platform::ProfileUse &use : platform.profileUses()) {
    const bool host = use.kind == ProfileKind::Speed || use.kind == ProfileKind::HostState;
    if (host != (of == Of::Hosts) || platform.profiles()[use.profile].steps.empty())
      continue;
    tracks_.push_back({use});
    schedule(tracks_.size() - 1);
  }
}

void ProfilePlayer::schedule(size_t index) {
  const Track &track = tracks_[index];
  const platform::Profile &profile = platform_.profiles()[track.use.profile];
  const SimTime date{static_cast<double>(track.lap) * profile.periodSeconds +
                     profile.steps[track.next].dateSeconds};
  dates_.push(std::max(date, engine_.now()), index);
}

/// Tells what is due and schedules itself for what comes next.
void ProfilePlayer::play(uint64_t) {
  while (dates_.nextDate() <= engine_.now()) {
    const auto index = static_cast<size_t>(dates_.pop());
    Track &track = tracks_[index];
    const platform::Profile &profile = platform_.profiles()[track.use.profile];
    const platform::Profile::Step &step = profile.steps[track.next];
    if (++track.next == profile.steps.size()) {
      track.next = 0;
      ++track.lap;
    }
    if (track.next != 0 || profile.periodSeconds > 0)
      schedule(index);
    listener_.profileChanged(track.use, step);
  }
  if (dates_.nextDate() != Never)
    engine_.inBackground(dates_.nextDate(), kernel::Action::of<&ProfilePlayer::play>(this));
}

} // namespace gnomon::models
