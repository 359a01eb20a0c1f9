// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: each mechanism of ports/Ports.h and ports/Wire.h alone, as a closed form; and the two that make exchanges of
// long messages half duplex, together.
#include "Bench.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <string>
#include <vector>

using namespace gnomon;
using models::NetworkModel;

namespace {

using Setting = std::pair<const char *, const char *>;

/// Links of 1 MB/s and 50 us, frames of 1 kB without headers, windows that never limit; \p more wins.
Bench ports(std::initializer_list<Setting> more = {}, const char *latency = "50us") {
  std::vector<Setting> all = {
      {"ports/frame", "1000"}, {"ports/overhead", "0"}, {"ports/acknowledgement", "0"},
      {"ports/header", "0"},   {"ports/request", "1"},  {"ports/answer", "1"},
      {"ports/queue", "1GB"},  {"ports/window", "1GB"}, {"ports/initial-window", "1GB"},
      {"ports/jitter", "0s"},  {"ports/cork", "0"}};
  all.insert(all.end(), more.begin(), more.end());
  return Bench(platform::load(std::string("cluster:n=4,bw=1MBps,lat=") + latency), all, "ports");
}

constexpr double Byte = 1e-6, Latency = 100e-6;
constexpr double Near = 1e-12;

kernel::Action nothing() {
  return {[](void *, uint64_t) {}, nullptr, 0};
}

} // namespace

TEST(Ports, AnEagerMessageAloneCutsThroughItsPorts) {
  Bench bench = ports();
  EXPECT_NEAR(bench.alone("node-0", "node-1", 10'000), Latency + 10'000 * Byte, Near);
}

TEST(Ports, FramesAndTheLibraryAddHeaders) {
  Bench bench = ports({{"ports/overhead", "66"}, {"ports/frame", "1448"}, {"ports/header", "22"}});
  // 10,022 bytes are 7 frames.
  EXPECT_NEAR(bench.alone("node-0", "node-1", 10'000), Latency + (10'022 + 7 * 66) * Byte, Near);
}

TEST(Ports, ALongMessageWaitsForItsRequestAndItsAnswer) {
  Bench bench = ports();
  EXPECT_NEAR(bench.alone("node-0", "node-1", 100'000), 3 * Latency + 100'002 * Byte, Near);
}

TEST(Ports, ALateReceiverAnswersAtOnce) {
  Bench bench = ports();
  bench.send("late", "node-0", "node-1", 100'000, 5e-3, 0);
  EXPECT_NEAR(bench.run()["late"], 5e-3 + 2 * Latency + 100'001 * Byte, Near);
}

TEST(Ports, ARequestQueuesBehindWhatItsPortHolds) {
  Bench bench = ports();
  bench.send("bulk", "node-0", "node-2", 50'000);
  // The receiver comes after the send was posted and before the request is through.
  bench.send("late", "node-0", "node-1", 100'000, 5e-3, 1e-3);
  EXPECT_NEAR(bench.run()["late"], 3 * Latency + 150'002 * Byte, Near);
}

TEST(Ports, ACancelledSendIsForgotten) {
  Bench bench = ports();
  for (double date : {0., 1e-3}) { // before its request has come, and after
    const uint32_t announced = bench.network->announce(0, 1, 100'000);
    EXPECT_GT(announced, 0u);
    if (date == 0)
      bench.network->forget(announced);
    bench.engine.run();
    if (date > 0)
      bench.network->forget(announced);
  }
  EXPECT_EQ(bench.network->announce(0, 1, 100), 0u);
  EXPECT_NEAR(bench.alone("node-0", "node-1", 100'000), 3 * Latency + 100'002 * Byte, Near);
}

TEST(Ports, AReceiverThatComesBeforeTheRequestWaitsForIt) {
  Bench bench = ports();
  bench.send("soon", "node-0", "node-1", 100'000, 40e-6, 0);
  EXPECT_NEAR(bench.run()["soon"], 3 * Latency + 100'002 * Byte, Near);
}

TEST(Ports, MessagesOfAPairArriveInOrder) {
  Bench bench = ports();
  bench.send("long", "node-0", "node-1", 50'000);
  bench.send("short", "node-0", "node-1", 100);
  auto arrivals = bench.run();
  EXPECT_NEAR(arrivals["long"], Latency + 50'000 * Byte, Near);
  EXPECT_NEAR(arrivals["short"], Latency + 50'100 * Byte, Near);
}

TEST(Ports, APortServesFirstComeFirstServed) {
  Bench bench = ports();
  bench.send("first", "node-0", "node-2", 1'000);
  bench.send("second", "node-1", "node-2", 1'000, 0.1e-3);
  auto arrivals = bench.run();
  EXPECT_NEAR(arrivals["first"], Latency + 1'000 * Byte, Near);
  EXPECT_NEAR(arrivals["second"], Latency + 2'000 * Byte, Near);
}

TEST(Ports, LongerOnesTakeTurnsInAPort) {
  Bench bench = ports();
  bench.send("first", "node-0", "node-2", 10'000);
  bench.send("second", "node-1", "node-2", 10'000, 1e-3);
  auto arrivals = bench.run();
  EXPECT_GT(arrivals["first"], Latency + 15'000 * Byte);
  EXPECT_NEAR(arrivals["second"], Latency + 20'000 * Byte, Near);
}

TEST(Ports, ADirectionDoesNotSlowTheOther) {
  Bench bench = ports();
  bench.send("there", "node-0", "node-1", 10'000);
  bench.send("back", "node-1", "node-0", 10'000);
  for (auto &[name, date] : bench.run())
    EXPECT_NEAR(date, Latency + 10'000 * Byte, Near) << name;
}

TEST(Ports, ConnectionsTakeTurnsWhenTheQueueIsFull) {
  // Pieces of 10 kB, four in the queue: both long messages end near each other, at the time of both.
  Bench bench = ports(
      {{"ports/queue", "40kB"}, {"ports/window", "40kB"}, {"smpi/send-is-detached-thresh", "1GB"}});
  bench.send("a", "node-0", "node-1", 200'000);
  bench.send("b", "node-0", "node-2", 200'000);
  auto arrivals = bench.run();
  EXPECT_NEAR(std::max(arrivals["a"], arrivals["b"]), Latency + 400'000 * Byte, 1e-9);
  EXPECT_GT(std::min(arrivals["a"], arrivals["b"]), 350'000 * Byte);
}

TEST(Ports, WhatFindsTheQueueFullIsLostAndSentAgainAfterTheTimer) {
  const auto settings = {Setting{"ports/queue", "40kB"},
                         {"ports/window", "40kB"},
                         {"ports/timeout", "200ms"},
                         {"smpi/send-is-detached-thresh", "1GB"}};
  Bench bench = ports(settings);
  bench.send("first", "node-0", "node-1", 40'000);
  bench.send("lost", "node-0", "node-2", 10'000, 1e-3);
  bench.send("fits", "node-0", "node-3", 10'000, 15e-3);
  auto arrivals = bench.run();
  EXPECT_NEAR(arrivals["first"], Latency + 40'000 * Byte, Near);
  EXPECT_NEAR(arrivals["fits"], Latency + 50'000 * Byte, Near);
  EXPECT_NEAR(arrivals["lost"], 0.201 + Latency + 10'000 * Byte, Near);
}

TEST(Ports, AConnectionWithMoreUnderWayLearnsOfALossAtOnce) {
  Bench bench = ports({{"ports/queue", "40kB"},
                       {"ports/window", "60kB"},
                       {"ports/timeout", "200ms"},
                       {"smpi/send-is-detached-thresh", "1GB"}});
  EXPECT_NEAR(bench.alone("node-0", "node-1", 200'000), Latency + 200'000 * Byte, 2e-3);
}

TEST(Ports, WhateverIsLostArrivesInTheEnd) {
  // Windows shrink to 0.7 of themselves, again and again: sums of such numbers do not come out even.
  Bench bench = ports({{"ports/queue", "30kB"},
                       {"ports/window", "33kB"},
                       {"ports/timeout", "3ms"},
                       {"ports/initial-window", "2kB"}});
  for (uint64_t i = 0; i < 4000; ++i)
    bench.send(std::to_string(i), ("node-" + std::to_string(i % 4)).c_str(),
               ("node-" + std::to_string((i + 1 + i / 4 % 3) % 4)).c_str(),
               1'000 + i * 7'919 % 150'000, static_cast<double>(i % 400) * 37e-3);
  EXPECT_EQ(bench.run().size(), 4000u);
}

TEST(Ports, AWindowOpensAByteForEachThatIsAcknowledged) {
  // 40 kB in pieces of 10 kB: one, a round trip, then two and, before they are out, the last.
  Bench bench = ports({{"ports/initial-window", "10kB"}}, "500us");
  const double latency = 1e-3;
  EXPECT_NEAR(bench.alone("node-0", "node-1", 40'000), 3 * latency + 40'000 * Byte, Near);
  // The window is 50 kB now, so that it does not limit.
  EXPECT_NEAR(bench.alone("node-0", "node-1", 40'000), latency + 40'000 * Byte, Near);
}

TEST(Ports, AnIdleConnectionLosesItsWindow) {
  auto third = [](double idle) {
    Bench bench = ports({{"ports/initial-window", "10kB"},
                         {"ports/idle", "100ms"},
                         {"smpi/send-is-detached-thresh", "1GB"}},
                        "500us");
    const double first = bench.alone("node-0", "node-1", 40'000);  // window 50 kB
    bench.send("late", "node-0", "node-1", 100'000, first + idle); // pieces of 25 kB
    return bench.run()["late"] - first - idle;
  };
  const double latency = 1e-3;
  EXPECT_NEAR(third(0.05), latency + 100'000 * Byte, 1e-9);
  EXPECT_NEAR(third(0.15), 3 * latency + 100'000 * Byte, 1e-9); // halved: one piece, a round trip
}

TEST(Ports, AcknowledgementsTakeTheirShareOfABusyWayBack) {
  Bench bench = ports({{"ports/acknowledgement", "66"}, {"ports/frame", "1000"}});
  bench.send("there", "node-0", "node-1", 10'000);
  bench.send("back", "node-1", "node-0", 20'000, 0);
  bench.send("after", "node-1", "node-0", 1'000, 0);
  // "there" arrives while node-1 sends: 5 acknowledgements of 66 bytes. Its own comes before.
  EXPECT_NEAR(bench.run()["there"], Latency + 10'000 * Byte, Near);
}

TEST(Ports, AShortMessageWaitsForTheOneBeforeAndComesBehindOthers) {
  for (const bool corks : {false, true}) {
    Bench bench = ports({{"ports/cork", corks ? "64kB" : "0"}});
    bench.send("first", "node-0", "node-1", 1'000);
    bench.send("second", "node-0", "node-1", 500, 0.1e-3);
    bench.send("other", "node-0", "node-2", 4'000, 0.2e-3);
    auto arrivals = bench.run();
    EXPECT_NEAR(arrivals["first"], Latency + 1'000 * Byte, Near);
    EXPECT_NEAR(arrivals["second"], Latency + (corks ? 5'500 : 1'500) * Byte, Near);
    EXPECT_NEAR(arrivals["other"], Latency + (corks ? 5'000 : 5'500) * Byte, Near);
  }
}

TEST(Ports, ALongMessageDoesNotWaitForTheOneBefore) {
  Bench bench = ports({{"ports/cork", "2kB"}});
  bench.send("first", "node-0", "node-1", 1'000);
  bench.send("second", "node-0", "node-1", 2'000, 0.1e-3);
  bench.send("other", "node-0", "node-2", 1'000, 0.2e-3);
  auto arrivals = bench.run();
  EXPECT_NEAR(arrivals["second"], Latency + 3'000 * Byte, Near);
  EXPECT_NEAR(arrivals["other"], Latency + 4'000 * Byte, Near);
}

TEST(Ports, ManyShortMessagesOfAPairTakeTheirBytes) {
  Bench bench = ports({{"ports/cork", "64kB"}});
  for (int i = 0; i < 50; ++i)
    bench.send(fmt::format("{}", i), "node-0", "node-1", 200);
  auto arrivals = bench.run();
  for (int i = 0; i < 50; ++i)
    EXPECT_NEAR(arrivals[fmt::format("{}", i)], Latency + 200 * (i + 1) * Byte, 1e-9) << i;
}

TEST(Ports, APortThatWasIdleLetsABurstGoAtOnce) {
  Bench bench = ports({{"ports/burst", "3000"}});
  EXPECT_NEAR(bench.alone("node-0", "node-1", 2'000), Latency, Near);
  bench.send("more", "node-0", "node-1", 10'000, 1);
  EXPECT_NEAR(bench.run()["more"], 1 + Latency + 7'000 * Byte, Near);
}

TEST(Ports, AnExchangeIsFullDuplexWhenBothAreThereAndHalfWhenOneIsLate) {
  auto exchange = [](double late) {
    Bench bench = ports();
    // Both post receive and send: at 0, and at `late`, when the request of the other is there.
    bench.send("to the late one", "node-0", "node-1", 100'000, late, 0);
    bench.send("back", "node-1", "node-0", 100'000, late);
    auto arrivals = bench.run();
    return std::max(arrivals["to the late one"], arrivals["back"]);
  };
  const double once = 100'000 * Byte;
  EXPECT_NEAR(exchange(0), 3 * Latency + once, 1e-5);
  EXPECT_NEAR(exchange(0.5 * Latency), 3.5 * Latency + once, 1e-5);
  EXPECT_NEAR(exchange(1e-3), 1e-3 + 3 * Latency + 2 * once, 2e-4);
}

TEST(Ports, TheSenderIsLetGoWhenTheSocketHoldsTheRest) {
  Bench bench = ports({{"ports/socket", "50kB"}, {"ports/window", "200kB"}});
  double released = 0, done = 0;
  auto note = [&](double &date) {
    struct Note {
      kernel::Engine *engine;
      double *date;
    };
    auto *n = new Note{&bench.engine, &date};
    return kernel::Action{[](void *o, uint64_t) {
                            auto *note = static_cast<Note *>(o);
                            *note->date = note->engine->now().seconds;
                            delete note;
                          },
                          n, 0};
  };
  bench.network->rendezvous(0, 1, 100'000, {{0}, 0, note(released)}, note(done));
  bench.engine.run();
  EXPECT_NEAR(released, 3 * Latency + 50'002 * Byte, Near);
  EXPECT_NEAR(done, 3 * Latency + 100'002 * Byte, Near);
}

TEST(Ports, JitterIsTheSameInEachRunAndHasItsMean) {
  auto mean = [](const char *seed) {
    Bench bench = ports({{"ports/jitter", "1ms"}, {"ports/seed", seed}});
    double sum = 0;
    for (int i = 0; i < 2000; ++i)
      sum += bench.alone("node-0", "node-1", 0) - Latency;
    return sum / 2000;
  };
  EXPECT_EQ(mean("1"), mean("1"));
  EXPECT_NE(mean("1"), mean("2"));
  EXPECT_NEAR(mean("1"), 1e-3, 0.1e-3);
}

TEST(Ports, MessagesWithinAHostMeetNoPort) {
  Bench bench = ports({{"ports/node", "0:1us:1ns;4096:3us:0.5ns"}});
  bench.send("busy", "node-0", "node-1", 50'000);
  bench.send("empty", "node-0", "node-0", 0);
  bench.send("short", "node-0", "node-0", 4'096);
  bench.send("long", "node-0", "node-0", 10'000);
  auto arrived = bench.run();
  EXPECT_NEAR(arrived["empty"], 1e-6, 1e-8);
  EXPECT_NEAR(arrived["short"], 1e-6 + 4.096e-6, Near);
  EXPECT_NEAR(arrived["long"], 3e-6 + 5e-6, Near);
}

TEST(Ports, RanksOfAHostHaveConnectionsOfTheirOwn) {
  // 60 kB of another rank of node-0 are under way; of these, the window lets 12 kB into the port.
  auto secondArrives = [](bool sameRank) {
    Bench bench = ports({{"ports/window", "12kB"}, {"ports/initial-window", "12kB"}});
    NetworkModel &network = *bench.network;
    const platform::HostIndex first = network.endpoint(0), peer = network.endpoint(1),
                              second = sameRank ? first : network.endpoint(0);
    EXPECT_EQ(first, 0u);
    network.transfer(first, peer, 60'000, nothing());
    struct Note {
      kernel::Engine *engine;
      double date;
    } note{&bench.engine, 0};
    network.transfer(second, peer, 1'000,
                     {[](void *o, uint64_t) {
                        auto *n = static_cast<Note *>(o);
                        n->date = n->engine->now().seconds;
                      },
                      &note, 0});
    bench.engine.run();
    return note.date;
  };
  EXPECT_GT(secondArrives(true), 60'000 * Byte) << "in order on one connection";
  EXPECT_NEAR(secondArrives(false), Latency + 13'000 * Byte, Near) << "behind what the port holds";
}

TEST(Ports, RanksOfAHostMeetNoPortAmongThemselves) {
  Bench bench = ports({{"ports/node", "0:1us:1ns"}});
  const platform::HostIndex first = bench.network->endpoint(2), second = bench.network->endpoint(2);
  EXPECT_NE(first, second);
  bench.network->transfer(first, second, 1'000, nothing());
  bench.engine.run();
  EXPECT_NEAR(bench.engine.now().seconds, 2e-6, Near);
}

namespace {

/// Two hosts, a link of 1 MB/s and 1 us whose profile of \p kind has \p steps.
Bench withProfile(const char *kind, const char *steps, const char *window = "1MB") {
  const std::string text =
      fmt::format("<platform version='4.1'><zone id='z' routing='Full'><host id='a' speed='1Gf'/>"
                  "<host id='b' speed='1Gf'/><link id='l' bandwidth='1MBps' latency='1us'/>"
                  "<route src='a' dst='b'><link_ctn id='l'/></route></zone>"
                  "<trace id='t'>{}</trace>"
                  "<trace_connect trace='t' element='l' kind='{}'/></platform>",
                  steps, kind);
  return Bench(platform::loadXml(text, "test.xml"),
               {{"ports/frame", "1000"},
                {"ports/overhead", "0"},
                {"ports/header", "0"},
                {"ports/jitter", "0s"},
                {"ports/window", window},
                {"ports/initial-window", window}},
               "ports");
}

} // namespace

TEST(Ports, AProfileOfALinkChangesItsPort) {
  Bench faster = withProfile("BANDWIDTH", "0 1e6\n0.05 2e6");
  faster.send("before", "a", "b", 10'000, 0.01);
  faster.send("after", "a", "b", 10'000, 0.06);
  auto arrived = faster.run();
  EXPECT_NEAR(arrived["before"], 0.01 + 1e-6 + 0.010, Near);
  EXPECT_NEAR(arrived["after"], 0.06 + 1e-6 + 0.005, Near);
  Bench longer = withProfile("LATENCY", "0 1e-6\n0.05 1e-3");
  longer.send("first", "a", "b", 1'000, 0.01);
  longer.send("after", "a", "b", 1'000, 0.06);
  arrived = longer.run();
  EXPECT_NEAR(arrived["first"], 0.01 + 1e-6 + 0.001, Near);
  EXPECT_NEAR(arrived["after"], 0.06 + 1e-3 + 0.001, Near);
}

TEST(Ports, AcknowledgementsOfAConnectionMadeAfterAChangeTakeTheNewLatency) {
  // Four pieces of 1 kB are under way; each of the others waits for an acknowledgement: there and back.
  Bench bench = withProfile("LATENCY", "0 1e-6\n0.05 10e-3", "4kB");
  bench.send("message", "a", "b", 8'000, 0.06);
  EXPECT_NEAR(bench.run()["message"], 0.06 + 4e-3 + 2 * 10e-3 + 1e-3 + 10e-3, Near);
}

TEST(Ports, WhatWaitsWhenAPortBecomesFasterIsServedFaster) {
  // At 10 ms the port has 90 kB to serve: 90 ms, or 45 ms at twice the rate.
  Bench bench = withProfile("BANDWIDTH", "0 1e6\n0.010 2e6");
  for (int i = 0; i < 2; ++i)
    bench.send(i == 0 ? "first" : "second", "a", "b", 50'000);
  bench.send("after", "a", "b", 10'000, 0.011);
  EXPECT_NEAR(bench.run()["after"], 0.010 + 1e-6 + 0.045 + 0.005, Near);
}

TEST(Ports, ALinkThatIsOffEndsWhatNeedsIt) {
  static std::vector<models::Failure> failures;
  failures.clear();
  for (const double date : {0.01, 0.06}) {
    Bench bench = withProfile("LINK_AVAIL", "0 1\n0.05 0");
    bench.network->onFailure([](const models::Failure &failure) { failures.push_back(failure); });
    bench.send("message", "a", "b", 60'000, date);
    bench.run();
  }
  ASSERT_EQ(failures.size(), 2u) << "under way when it goes off, and sent afterwards";
  for (const models::Failure &failure : failures) {
    EXPECT_EQ(failure.name, "l");
    EXPECT_EQ(failure.cause, "test.xml:2") << "the step's own line";
    EXPECT_EQ(failure.source, 0u);
    EXPECT_EQ(failure.destination, 1u);
  }
  EXPECT_NEAR(failures[0].date.seconds, 0.05, Near);
  EXPECT_NEAR(failures[1].date.seconds, 0.06, Near);
}
