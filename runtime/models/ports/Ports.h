// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Messages as an MPI library sends them over TCP: eager ones whole, long ones after a request and
/// an answer that are messages of their own and queue like all others (Wire.h).
///
///     eager        (b < smpi/send-is-detached-thresh)      header + b
///     rendezvous   request ->  <- answer   header + b ->   each on its connection, in order
///
/// The request leaves when the send is posted, the answer when request and receive are both there,
/// the data when the answer has come. A rank that already sends has its answers wait behind its own
/// data: so exchanges of long messages turn half duplex as soon as one side is late. The sender is
/// let go when no more than `ports/socket` bytes of the data are not there yet.
///
/// What software does with a message that came (answering, sending data, letting the receiver go
/// on) begins a random time later, exponentially distributed with the mean `ports/jitter`: waking
/// up, other processes. The same in every run with the same `ports/seed`.
///
/// Messages within a host do not meet ports: they take `ports/node`, a startup and a time per byte
/// in sections of the size, for an MPI library copies short ones twice and long ones once.
///
/// Worked example: links of 1 MB/s and 50 us, no overhead, no jitter, header and control 0 bytes:
/// 10 kB eager take 100 us + 10 ms; 100 kB by rendezvous 300 us + 100 ms.
#pragma once

#include "models/NetworkModel.h"
#include "models/ProfilePlayer.h"
#include "models/ports/Wire.h"

namespace gnomon::models {

class Ports : public NetworkModel, ProfileListener {
public:
  Ports(kernel::Engine &engine, const platform::Platform &platform, const Parameters &parameters);

  void onFailure(FailureHandler handler) override { wire_.onFailure(handler); }
  platform::HostIndex endpoint(platform::HostIndex host) override { return endpoints_.add(host); }
  void transfer(platform::HostIndex source, platform::HostIndex destination, uint64_t bytes,
                kernel::Action done) override;
  void expect(platform::HostIndex source, platform::HostIndex destination) override;
  bool announces() const override { return true; }
  uint32_t announce(platform::HostIndex source, platform::HostIndex destination,
                    uint64_t bytes) override;
  void forget(uint32_t announced) override;
  void rendezvous(platform::HostIndex source, platform::HostIndex destination, uint64_t bytes,
                  const Negotiation &negotiation, kernel::Action done) override;

private:
  struct Exchange {
    platform::HostIndex source = 0, destination = 0;
    uint64_t bytes = 0;
    kernel::Action released, done;
    bool requested = false; ///< the request has come
    bool received = false;  ///< the receive is posted
    bool forgotten = false; ///< the send is cancelled
  };

  bool isEager(platform::HostIndex source, platform::HostIndex destination, uint64_t bytes) const;
  uint32_t request(platform::HostIndex source, platform::HostIndex destination, uint64_t bytes);
  void onRequest(uint64_t exchange);
  void answer(uint64_t exchange);
  void sendData(uint64_t exchange);
  double hesitation();
  bool isWithinHost(platform::HostIndex source, platform::HostIndex destination) const;
  void withinHost(uint64_t bytes, kernel::Action done);
  void profileChanged(const platform::ProfileUse &use,
                      const platform::Profile::Step &step) override;

  kernel::Engine &engine_;
  const platform::Platform &platform_;
  Parameters::Ports figures_;
  Factors node_; ///< seconds within a host, by size
  uint64_t eagerBelow_;
  Endpoints endpoints_;
  Wire wire_;
  ProfilePlayer profiles_;
  Slots<Exchange> exchanges_;
  uint64_t drawn_ = 0; ///< random numbers so far
};

} // namespace gnomon::models
