// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A network model of your own, in C++17 or later:
///
///   #include <gnomon/Network.h>
///   class Mine : public gnomon::network::Model { … };
///   GNOMON_NETWORK_MODEL(Mine)
///
///   clang++-22 -shared -fPIC -I$(gnomon --prefix)/include/gnomon Mine.cpp -o libmine.so
///   gnomon run -n 64 --network=./libmine.so --set user/latency=2us ./app
///
/// The model is told of each message when it starts to move, and says when its last byte arrives.
/// It decides that date at once (a delay), or moves it as other messages come and go (sharing).
/// Everything else stays as it is with Gnomon's own models: matching, protocols, the CPU costs of
/// `smpi/os` and its like, programs, reports.
///
/// Rules. Simulated time is in seconds, sizes in bytes, bandwidths in bytes/s. All calls come from
/// one thread, one after the other, on stacks of 16 KiB or more: no recursion without limit. A
/// model must compute the same from the same calls: no clocks, no rand(), no order of pointers or
/// of hash tables; then runs are repeatable. An exception that leaves a function of the model ends
/// the run with its text and exit code 2. What stands here is version 1 of the interface; a model
/// built for another version is refused when it is loaded.
#pragma once

#include <cstddef>
#include <cstdint>

#define GNOMON_NETWORK_ABI 1

namespace gnomon::network {

struct Link {
  const char *name;
  double bandwidth;
  double latency;
  bool fatPipe; ///< every message may have all of the bandwidth
};

/// The links that a message crosses, in order. None: a host that the platform gives no way to
/// itself; latency and bandwidth are then those of `network/loopback-lat` and
/// `network/loopback-bw`.
struct Route {
  const uint32_t *links; ///< valid until route() is called again
  size_t linkCount;
  double latency;   ///< sum
  double bandwidth; ///< the least
};

/// The platform. Hosts and links are numbered from 0.
class Machine {
public:
  virtual uint32_t hostCount() const = 0;
  virtual const char *hostName(uint32_t host) const = 0;
  virtual uint32_t linkCount() const = 0;
  virtual Link link(uint32_t link) const = 0;
  virtual Route route(uint32_t source, uint32_t destination) = 0;

protected:
  ~Machine() = default;
};

/// What the user gave as `--set user/KEY=VALUE`. Ask for all that the model knows when it is made:
/// a key that nobody asked for is an error. A value that is no such quantity is an error too
/// (exit code 2); NaN, infinities and signs are none.
class Parameters {
public:
  virtual double number(const char *key, double otherwise) = 0;
  virtual double seconds(const char *key, double otherwise) = 0;        ///< "2us"
  virtual double bytesPerSecond(const char *key, double otherwise) = 0; ///< "10Gbps"
  virtual double bytes(const char *key, double otherwise) = 0;          ///< "64KiB"
  virtual const char *text(const char *key, const char *otherwise) = 0;

protected:
  ~Parameters() = default;
};

struct Message {
  uint64_t id; ///< of the messages under way, each has another
  uint32_t source, destination;
  uint64_t bytes; ///< the program's, without envelope
};

/// Simulated time.
class Schedule {
public:
  virtual double now() const = 0;
  /// The message arrives at \p date, now or later. Until then it may be called again, and the last
  /// date counts. Messages of one date arrive in the order in which they were given it.
  virtual void arrive(uint64_t message, double date) = 0;
  /// Model::woken(argument) is called at \p date, now or later, before what else happens then. It
  /// does not keep a run going: when no rank and no message goes on, a run is over.
  virtual void wake(double date, uint64_t argument) = 0;

protected:
  ~Schedule() = default;
};

/// A collective operation that all its ranks have entered.
struct Collective {
  const char *name;      ///< as in --coll: "allreduce"
  const uint32_t *hosts; ///< of each rank of the communicator
  uint32_t ranks;
  uint64_t bytes; ///< the largest block that a rank sends to another (reductions: the vector)
};

class Model {
public:
  virtual ~Model() = default;

  /// A message starts to move now. Has it arrive at once or later, by Schedule::arrive.
  virtual void start(const Message &message) = 0;
  /// A message has arrived. It is no longer under way.
  virtual void arrived(const Message & /*message*/) {}
  /// A date given to Schedule::wake has come.
  virtual void woken(uint64_t /*argument*/) {}

  /// Whether seconds() knows the time of this collective as a whole: then it synchronises its ranks
  /// and moves its data without messages of the model.
  virtual bool times(const char * /*collective*/) const { return false; }
  /// How long the collective takes from when its last rank has entered it.
  virtual double seconds(const Collective & /*collective*/) { return 0; }
};

/// What a model is made from; valid as long as the model lives.
struct Context {
  Machine &machine;
  Parameters &parameters;
  Schedule &schedule;
};

} // namespace gnomon::network

/// Once in a shared object: its model. \p CLASS has a constructor that takes a Context &.
#define GNOMON_NETWORK_MODEL(CLASS)                                                                \
  extern "C" __attribute__((visibility("default"))) unsigned gnomon_network_abi() {                \
    return GNOMON_NETWORK_ABI;                                                                     \
  }                                                                                                \
  extern "C" __attribute__((visibility("default"))) ::gnomon::network::Model *                     \
  gnomon_network_create(::gnomon::network::Context &context) {                                     \
    return new CLASS(context);                                                                     \
  }
