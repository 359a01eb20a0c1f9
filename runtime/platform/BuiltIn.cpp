// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "platform/BuiltIn.h"

#include "platform/Cluster.h"
#include "support/Error.h"
#include "support/Names.h"
#include "support/Number.h"

#include <functional>
#include <numeric>
#include <set>

namespace gnomon::platform {

namespace {

/// Built-ins that are planned, so that a user is told what is missing instead of "no such file".
constexpr std::string_view NotYet[] = {"fattree", "fat-tree", "torus", "dragonfly", "star", "mesh"};

struct Key {
  std::string_view name;
  Unit unit;
  void (*set)(ClusterSpec &, double);
};

constexpr Key Keys[] = {
    {"bw", Unit::BytesPerSecond, [](ClusterSpec &s, double v) { s.bandwidth = v; }},
    {"lat", Unit::Seconds, [](ClusterSpec &s, double v) { s.latencySeconds = v; }},
    {"speed", Unit::FlopsPerSecond, [](ClusterSpec &s, double v) { s.speedFlops = v; }},
    {"bb_bw", Unit::BytesPerSecond, [](ClusterSpec &s, double v) { s.backboneBandwidth = v; }},
    {"bb_lat", Unit::Seconds, [](ClusterSpec &s, double v) { s.backboneLatencySeconds = v; }},
    {"limiter", Unit::BytesPerSecond, [](ClusterSpec &s, double v) { s.limiterBandwidth = v; }},
    {"loopback_bw", Unit::BytesPerSecond,
     [](ClusterSpec &s, double v) { s.loopbackBandwidth = v; }},
    {"loopback_lat", Unit::Seconds, [](ClusterSpec &s, double v) { s.loopbackLatencySeconds = v; }},
};

struct Parser {
  const std::string &text;
  ClusterSpec spec;
  std::vector<std::string> notes;
  std::set<std::string, std::less<>> seen;

  [[noreturn]] void fail(const std::string &what) const { throw InputError(text, 0, what); }

  void integer(std::string_view name, std::string_view value, uint64_t limit, uint64_t &result) {
    result = parseInteger(value);
    if (result == 0 || result > limit)
      fail(std::string(name) + " must be between 1 and " + std::to_string(limit));
  }

  void set(std::string_view name, std::string_view value) {
    if (!seen.insert(std::string(name)).second)
      fail("'" + std::string(name) + "' is given twice");
    if (name == "n") {
      uint64_t count = 0;
      integer(name, value, MaxHosts, count);
      spec.numbers.resize(count);
      std::iota(spec.numbers.begin(), spec.numbers.end(), uint64_t{0});
    } else if (name == "cores") {
      uint64_t cores = 0;
      integer(name, value, 1u << 20, cores);
      spec.cores = static_cast<uint32_t>(cores);
    } else if (name == "bb_sharing") {
      if (value != "SHARED" && value != "FATPIPE")
        fail("bb_sharing must be SHARED or FATPIPE");
      spec.backboneSharing = value == "FATPIPE" ? Sharing::FatPipe : Sharing::Shared;
    } else {
      quantity(name, value);
    }
  }

  void quantity(std::string_view name, std::string_view value) {
    for (const Key &key : Keys) {
      if (key.name != name)
        continue;
      Quantity parsed = parseQuantity(value, key.unit);
      if (parsed.value <= 0 && key.unit != Unit::Seconds)
        fail("'" + std::string(name) + "' must be above zero");
      if (!parsed.hadUnit)
        notes.push_back(text + ": no unit in " + std::string(name) + "=" + std::string(value) +
                        ", taken in bytes/s, seconds or flop/s");
      key.set(spec, parsed.value);
      return;
    }
    std::vector<std::string_view> known{"n", "cores", "bb_sharing"};
    for (const Key &key : Keys)
      known.push_back(key.name);
    fail("unknown key '" + std::string(name) + "'" + didYouMean(name, known));
  }

  void parse(std::string_view list) {
    while (!list.empty()) {
      std::string_view item = list.substr(0, list.find(','));
      list.remove_prefix(std::min(list.size(), item.size() + 1));
      size_t equals = item.find('=');
      if (equals == std::string_view::npos)
        fail("expected key=value, found '" + std::string(item) + "'");
      try {
        set(item.substr(0, equals), item.substr(equals + 1));
      } catch (const NumberError &error) {
        fail(std::string(item.substr(0, equals)) + ": " + error.what());
      }
    }
    for (const char *required : {"n", "bw", "lat"})
      if (!seen.count(required))
        fail(std::string("'") + required + "' is missing: cluster:n=64,bw=10Gbps,lat=2us");
    if (seen.count("bb_lat") && !seen.count("bb_bw"))
      fail("bb_lat without bb_bw");
    if (seen.count("loopback_lat") && !seen.count("loopback_bw"))
      fail("loopback_lat without loopback_bw");
  }
};

} // namespace

std::optional<Platform> loadBuiltIn(const std::string &text) {
  size_t colon = text.find(':');
  if (colon == std::string::npos)
    return std::nullopt;
  std::string_view name = std::string_view(text).substr(0, colon);
  for (std::string_view planned : NotYet)
    if (name == planned)
      throw InputError(text, 0,
                       "the built-in platform '" + std::string(name) +
                           "' is not supported yet; there is cluster:n=…,bw=…,lat=…");
  if (name != "cluster")
    return std::nullopt;
  Parser parser{text, {}, {}, {}};
  parser.spec.id = "cluster";
  parser.spec.prefix = "node-";
  parser.spec.speedFlops = 1e10;
  parser.parse(std::string_view(text).substr(colon + 1));
  Draft draft;
  addCluster(draft, NoIndex, parser.spec);
  Platform platform = draft.finish(text);
  platform.setNotes(std::move(parser.notes));
  return platform;
}

} // namespace gnomon::platform
