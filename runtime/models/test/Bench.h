// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A network on a platform, for tests: start messages, then read when each arrived.
#pragma once

#include "models/FlowModel.h"
#include "models/Registry.h"
#include "platform/Xml.h"

#include <map>
#include <string>
#include <vector>

class Bench {
public:
  using Settings = std::vector<std::pair<const char *, const char *>>;

  explicit Bench(gnomon::platform::Platform machine, const Settings &settings = {},
                 const char *model = "smpi")
      : platform(std::move(machine)), entry(gnomon::models::chooseNetwork(model, {}, {})),
        parameters(read(entry, settings)), network(entry.make(engine, platform, parameters)),
        protocol(entry.makeProtocol(parameters)) {}

  /// The message \p name leaves at \p date (seconds); from the protocol's threshold on, its sender
  /// has waited since \p posted (below zero: since then).
  void send(const std::string &name, const char *from, const char *to, uint64_t bytes,
            double date = 0, double posted = -1) {
    messages_.push_back({this, name, platform.findHost(from).value(), platform.findHost(to).value(),
                         bytes, posted < 0 ? date : posted});
    announced_.push_back(0);
    const size_t index = messages_.size() - 1;
    if (posted >= 0 && posted < date && bytes >= protocol->detachedBytes())
      engine.at({posted}, gnomon::kernel::Action::of<&Bench::announce>(this, index));
    engine.at({date}, gnomon::kernel::Action::of<&Bench::start>(this, index));
  }
  /// Runs to the end; when each message arrived.
  std::map<std::string, double> run() {
    engine.run();
    return arrivals_;
  }
  /// The messages that arrived, the first first.
  const std::vector<std::string> &order() const { return order_; }
  void forgetOrder() { order_.clear(); }
  /// One message alone: how long it takes.
  double alone(const char *from, const char *to, uint64_t bytes) {
    double begin = engine.now().seconds;
    send("alone", from, to, bytes, begin);
    return run()["alone"] - begin;
  }

  gnomon::platform::Platform platform;
  gnomon::kernel::Engine engine;
  gnomon::models::NetworkEntry entry;
  gnomon::models::Parameters parameters;
  std::unique_ptr<gnomon::models::NetworkModel> network;
  std::unique_ptr<gnomon::models::ProtocolCosts> protocol;
  /// The network, of a bench whose model is a FlowModel.
  gnomon::models::FlowModel &flows() { return static_cast<gnomon::models::FlowModel &>(*network); }

private:
  struct Message {
    Bench *bench;
    std::string name;
    gnomon::platform::HostIndex from, to;
    uint64_t bytes;
    double posted;
  };

  static gnomon::models::Parameters read(const gnomon::models::NetworkEntry &entry,
                                         const Settings &settings) {
    std::vector<gnomon::models::Setting> list;
    for (auto [key, value] : settings)
      list.push_back({key, value, "", 0});
    return entry.parameters(entry.settings({}, list));
  }
  void announce(uint64_t index) {
    const Message &message = messages_[index];
    announced_[index] = network->announce(message.from, message.to, message.bytes);
  }
  void start(uint64_t index) {
    const Message &message = messages_[index];
    const auto done = gnomon::kernel::Action::of<&Bench::arrive>(this, index);
    if (message.bytes < protocol->detachedBytes())
      network->transfer(message.from, message.to, message.bytes, done);
    else
      network->rendezvous(message.from, message.to, message.bytes,
                          {{message.posted}, announced_[index], {}}, done);
  }
  void arrive(uint64_t index) {
    arrivals_[messages_[index].name] = engine.now().seconds;
    order_.push_back(messages_[index].name);
  }

  std::vector<Message> messages_;
  std::vector<uint32_t> announced_;
  std::map<std::string, double> arrivals_;
  std::vector<std::string> order_;
};

/// Two hosts a and b, and c and d, on one link of 100 MB/s; latency 1 ms. a to d crosses one more.
inline gnomon::platform::Platform oneLink(const char *policy = "SHARED", const char *near = "1ms",
                                          const char *far = "3ms") {
  std::string text = "<platform version='4.1'><zone id='z' routing='Full'>";
  for (const char *host : {"a", "b", "c", "d"})
    text += std::string("<host id='") + host + "' speed='1Gf'/>";
  text += std::string("<link id='l' bandwidth='100MBps' latency='") + near + "' sharing_policy='" +
          policy + "'/>";
  text += std::string("<link id='far' bandwidth='100MBps' latency='") + far + "'/>";
  text += "<route src='a' dst='b'><link_ctn id='l'/></route>";
  text += "<route src='c' dst='d'><link_ctn id='l'/></route>";
  text += "<route src='a' dst='d'><link_ctn id='l'/><link_ctn id='far'/></route>";
  return gnomon::platform::loadXml(text + "</zone></platform>", "test.xml");
}
