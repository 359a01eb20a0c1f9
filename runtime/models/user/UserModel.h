// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A network model from a shared object (`--network=./libmine.so`), behind NetworkModel. The
/// interface that its author sees stands in gnomon/Network.h; this file is its other side: loading,
/// the version check, the event queue, and the errors of foreign code.
///
/// What the model gets wrong is told with the library's name: while it is made, as InputError;
/// later (an exception, a date that has passed, a message that is not under way), to whenBroken's
/// handler, which ends the run.
#pragma once

#include "gnomon/Network.h"
#include "kernel/Engine.h"
#include "models/NetworkModel.h"
#include "models/RouteTable.h"
#include "models/user/UserParameters.h"

#include <memory>
#include <string>
#include <vector>

namespace gnomon::models {

/// Whether a value of `--network` names a shared object: it has a '/' or ends in ".so".
bool namesSharedObject(std::string_view network);

class UserModel : public NetworkModel,
                  public CollectiveTimes,
                  private network::Machine,
                  private network::Schedule {
public:
  /// Loads parameters.userLibrary. Throws InputError.
  UserModel(kernel::Engine &engine, const platform::Platform &platform,
            const Parameters &parameters);

  void transfer(platform::HostIndex source, platform::HostIndex destination, uint64_t bytes,
                kernel::Action done) override;
  void onFailure(FailureHandler handler) override { figures_.onFailure(handler); }
  CollectiveTimes *collectives() override { return this; }
  void whenBroken(BrokenHandler handler) override { broken_ = handler; }

  bool times(std::string_view collective) const override;
  double seconds(const CollectiveCall &call) override;

private:
  struct Slot {
    kernel::Action done;
    network::Message message;
    kernel::EventId event = 0;
    bool underWay = false;
  };

  uint32_t hostCount() const override;
  const char *hostName(uint32_t host) const override;
  uint32_t linkCount() const override;
  network::Link link(uint32_t link) const override;
  network::Route route(uint32_t source, uint32_t destination) override;

  double now() const override { return engine_.now().seconds; }
  void arrive(uint64_t message, double date) override;
  void wake(double date, uint64_t argument) override;

  void onArrival(uint64_t slot);
  void onWake(uint64_t argument);
  void checkDate(const char *function, double date) const;
  template <class Call> void guarded(const char *function, Call call) const;

  kernel::Engine &engine_;
  const platform::Platform &platform_;
  std::string library_;
  UserParameters parameters_;
  RouteTable figures_;
  platform::Route route_;
  mutable std::vector<std::string> hostNames_, linkNames_; ///< once the model has asked for one
  network::Context context_;
  BrokenHandler broken_ = nullptr;
  uint64_t undated_ = 0;     ///< messages under way that have no date yet
  uint64_t wakesInVain_ = 0; ///< that brought neither time nor a message on
  SimTime lastWake_;
  std::unique_ptr<network::Model> model_;
  std::vector<Slot> slots_;
  std::vector<uint32_t> freeSlots_;
};

} // namespace gnomon::models
