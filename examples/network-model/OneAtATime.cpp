// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A network model of one's own: a host receives one message at a time.
//
//     begins   when the receiver has all messages that started earlier to it
//     arrives  begins + latency + bytes / bandwidth
//
// latency and bandwidth are those of the platform's route, or `user/latency` and `user/bandwidth`.
#include <gnomon/Network.h>

#include <algorithm>
#include <stdexcept>
#include <vector>

namespace {

using namespace gnomon::network;

class OneAtATime : public Model {
public:
  explicit OneAtATime(Context &context)
      : machine_(context.machine), schedule_(context.schedule),
        latency_(context.parameters.seconds("latency", -1)),
        bandwidth_(context.parameters.bytesPerSecond("bandwidth", -1)),
        freeAt_(context.machine.hostCount()) {
    if (bandwidth_ == 0)
      throw std::invalid_argument("user/bandwidth must be above zero");
  }

  void start(const Message &message) override {
    Route route = machine_.route(message.source, message.destination);
    double latency = latency_ < 0 ? route.latency : latency_;
    double bandwidth = bandwidth_ < 0 ? route.bandwidth : bandwidth_;
    double &freeAt = freeAt_[message.destination];
    freeAt = std::max(freeAt, schedule_.now()) + latency +
             static_cast<double>(message.bytes) / bandwidth;
    schedule_.arrive(message.id, freeAt);
  }

private:
  Machine &machine_;
  Schedule &schedule_;
  double latency_, bandwidth_; // below zero: the route's
  std::vector<double> freeAt_; // by host
};

} // namespace

GNOMON_NETWORK_MODEL(OneAtATime)
