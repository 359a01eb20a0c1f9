// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: --network names a model; the names are these and each gives its own time; what a model
// sets stands below or above the platform file's settings as the table says, and `--set` wins.
#include "Bench.h"
#include "support/Error.h"

#include <gmock/gmock.h>

#include <fstream>

using namespace gnomon;
using namespace gnomon::models;
using ::testing::HasSubstr;

namespace {

struct Expected {
  const char *model;
  double seconds; ///< when the second of two messages of 1 MB from the same sender has arrived
};

// Two links of 24 us and 125 MB/s in the route; both messages start at 0. s = 1000016.
constexpr double L = 48e-6, B = 125e6, S = 1000016;
const Expected Table[] = {
    // Shared: half the sender's up link each.
    {"smpi", 11.6436 * L + 2 * S / (0.940694 * B)},
    {"hybrid", 11.6436 * L + 2 * S / (0.940694 * B)},
    // The bound 125 / 1.85 MB/s is above the half that the link gives.
    {"ib", L + 2 * S / B},
    // Request, answer, then one after the other: frames of 1,448 bytes have 66 of headers, a message
    // 22, the request 40, the answer 64.
    {"ports", 3 * L + (40 + 66 + 64 + 66 + 2 * (1e6 + 22 + 691 * 66)) / B},
    {"fluid", L + 2 * S / B},
    {"nocontention", 11.6436 * L + S / (0.940694 * B)},
    {"affine", 2.01467 * L + 1e6 / (0.92 * B)},
    {"constant", 1},
    // A rendezvous: 2 L first, then the wire once the port is free, then L.
    {"loggps", 3 * L + 2 * 1e6 / B},
    {"simple", L + 1e6 / B},
    {"bus", L + 2 * 1e6 / B},
    {"in-link", L + 1e6 / B},
    {"out-link", L + 2 * 1e6 / B},
    {"pmac", L + 2 * 1e6 / B},
};

Setting setting(const char *key, const char *value) { return {key, value, "", 0}; }

} // namespace

TEST(Registry, EachModelGivesItsOwnTime) {
  ASSERT_EQ(networkModels().size(), std::size(Table)) << "a model without an expectation here";
  for (size_t i = 0; i < std::size(Table); ++i) {
    EXPECT_EQ(networkModels()[i].name, Table[i].model);
    Bench bench(platform::load("cluster:n=3,bw=125MBps,lat=24us"),
                {{"ports/jitter", "0s"},
                 {"ports/window", "8MB"},
                 {"ports/initial-window", "8MB"},
                 {"ports/queue", "8MB"}},
                Table[i].model);
    bench.send("first", "node-0", "node-1", 1000000);
    bench.send("second", "node-0", "node-2", 1000000);
    EXPECT_NEAR(bench.run()["second"], Table[i].seconds, 1e-9 * Table[i].seconds) << Table[i].model;
  }
}

TEST(Registry, RunsAreRepeatable) {
  for (const NetworkEntry &entry : networkModels()) {
    auto run = [&] {
      Bench bench(platform::load("cluster:n=8,bw=125MBps,lat=24us"), {}, entry.name.data());
      for (uint64_t i = 0; i < 200; ++i)
        bench.send(std::to_string(i), ("node-" + std::to_string(i % 8)).c_str(),
                   ("node-" + std::to_string(i * 5 % 8)).c_str(), i * 1717 % 100000,
                   static_cast<double>(i % 20) * 1e-4);
      return bench.run();
    };
    auto first = run();
    EXPECT_EQ(first.size(), 200u) << entry.name;
    EXPECT_EQ(first, run()) << entry.name;
  }
}

TEST(Registry, AnUnknownNameListsAll) {
  try {
    chooseNetwork("loggp", {}, {});
    FAIL();
  } catch (const InputError &error) {
    EXPECT_THAT(error.what(), HasSubstr("--network: there is no model 'loggp'"));
    EXPECT_THAT(error.what(), HasSubstr("did you mean 'loggps'"));
    for (const NetworkEntry &entry : networkModels())
      EXPECT_THAT(error.what(), HasSubstr(std::string(entry.name)));
  }
}

TEST(Registry, NetworkModelConstantOfSimGridIsTheModelConstant) {
  const Setting constant[] = {setting("network/model", "Constant")};
  const Setting raw[] = {setting("network/model", "raw")};
  EXPECT_EQ(chooseNetwork("", {}, {}).name, "smpi");
  EXPECT_EQ(chooseNetwork("", constant, {}).name, "constant");
  EXPECT_EQ(chooseNetwork("", {}, constant).name, "constant");
  const Setting infiniBand[] = {setting("network/model", "IB")};
  EXPECT_EQ(chooseNetwork("", constant, infiniBand).name, "ib");
  EXPECT_EQ(chooseNetwork("", constant, raw).name, "smpi") << "the command line wins";
  EXPECT_EQ(chooseNetwork("fluid", constant, {}).name, "fluid") << "--network wins";
}

TEST(Registry, APlatformFileMayNameItsModel) {
  const Setting ports[] = {setting("network/model", "ports")};
  EXPECT_EQ(chooseNetwork("", ports, {}).name, "ports");
  EXPECT_EQ(chooseNetwork("smpi", ports, {}).name, "smpi") << "--network wins";
  const Setting unknown[] = {setting("network/model", "port")};
  EXPECT_THROW(makeParameters(chooseNetwork("", unknown, {}).settings(unknown, {})), InputError);
}

TEST(Registry, WhatMakesAModelStandsOverThePlatformFile) {
  const Setting file[] = {setting("network/latency-factor", "3"), setting("network/model", "LV08")};
  const Setting commandLine[] = {setting("network/bandwidth-factor", "0.5")};
  Parameters p =
      makeParameters(chooseNetwork("fluid", file, commandLine).settings(file, commandLine));
  EXPECT_EQ(p.latencyFactor(100), 1);
  EXPECT_EQ(p.weightS, 0);
  EXPECT_EQ(p.tcpGammaBytes, 0);
  EXPECT_FALSE(p.crossTraffic);
  EXPECT_EQ(p.bandwidthFactor(100), 0.5) << "--set wins";
}

TEST(Registry, DefaultsOfAModelStandUnderThePlatformFile) {
  const Setting file[] = {setting("smpi/async-small-thresh", "1000")};
  Parameters p = makeParameters(chooseNetwork("hybrid", file, {}).settings(file, {}));
  EXPECT_EQ(p.asyncSmallBytes, 1000u);
  EXPECT_EQ(p.detachedBytes, 327680u);
  EXPECT_EQ(makeParameters(chooseNetwork("hybrid", {}, {}).settings({}, {})).asyncSmallBytes,
            65536u);
}

TEST(Registry, ParametersOfAnotherModelAreNoted) {
  const Setting settings[] = {setting("loggps/o", "1us"), setting("psins/buses", "2")};
  std::vector<std::string> notes = chooseNetwork("bus", {}, {}).parameters(settings).notes;
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_EQ(notes[0], "the parameter 'loggps/o' has no effect: the network model is bus");
  EXPECT_EQ(chooseNetwork("smpi", {}, {}).parameters(settings).notes.size(), 2u);
}

TEST(Registry, TheListOfTheDriverIsTheList) {
  std::vector<std::string_view> names;
#define GNOMON_NETWORK(name, help) names.push_back(name);
#include "gnomon/Networks.def"
  ASSERT_EQ(networkModels().size(), names.size());
  for (size_t i = 0; i < names.size(); ++i)
    EXPECT_EQ(networkModels()[i].name, names[i]);
}

TEST(Registry, EveryModelIsDocumented) {
  std::ifstream file(GNOMON_DOCS "/models.md");
  const std::string manual{std::istreambuf_iterator<char>(file), {}};
  for (const NetworkEntry &entry : networkModels()) {
    EXPECT_FALSE(entry.help.empty()) << entry.name;
    EXPECT_THAT(manual, HasSubstr("| `" + std::string(entry.name) + "` |"));
  }
}
