// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "platform/BuiltIn.h"

#include "platform/topology/Cluster.h"
#include "support/Error.h"
#include "support/Names.h"
#include "support/Number.h"

#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <map>
#include <numeric>
#include <set>

namespace gnomon::platform {

namespace {

/// Names that people try, and what to write instead.
constexpr struct {
  std::string_view name, instead;
} OtherNames[] = {
    {"fat-tree", "fattree"}, {"fat_tree", "fattree"}, {"FAT_TREE", "fattree"},
    {"mesh", "torus"},       {"star", "cluster"},     {"TORUS", "torus"},
    {"CLUSTER", "cluster"},  {"flat", "cluster"},     {"DRAGONFLY", "dragonfly"},
};

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

/// A number of a topology, or a list of them ("4x4x2").
struct Shape {
  std::string_view name;
  bool list;
  std::string_view fallback; ///< when it is not given; empty: it must be
};

/// What a built-in takes beside the keys that all have.
struct Form {
  std::string_view name;
  std::vector<Shape> shapes;
  std::string_view example;
};

const Form Forms[] = {
    {"cluster", {}, "cluster:n=64,bw=10Gbps,lat=2us"},
    {"torus", {{"dims", true, ""}}, "torus:dims=4x4x4,bw=10Gbps,lat=2us"},
    {"fattree",
     {{"down", true, ""}, {"up", true, ""}, {"cables", true, "1"}},
     "fattree:down=4x4,up=1x4,bw=10Gbps,lat=2us"},
    {"dragonfly",
     {{"groups", false, ""},
      {"chassis", false, ""},
      {"blades", false, ""},
      {"nodes", false, ""},
      {"blue", false, "1"},
      {"black", false, "1"},
      {"green", false, "1"}},
     "dragonfly:groups=3,chassis=2,blades=4,nodes=2,bw=10Gbps,lat=2us"},
};

struct Parser {
  const std::string &text;
  const Form &form;
  ClusterSpec spec;
  std::map<std::string, std::vector<uint32_t>, std::less<>> shapes;
  std::vector<Note> notes;
  std::set<std::string, std::less<>> seen;

  [[noreturn]] void fail(const std::string &what) const { throw InputError(text, 0, what); }

  void integer(std::string_view name, std::string_view value, uint64_t limit, uint64_t &result) {
    result = parseInteger(value);
    if (result == 0 || result > limit)
      fail(fmt::format("{} must be between 1 and {}", name, limit));
  }

  void set(std::string_view name, std::string_view value) {
    if (!seen.insert(std::string(name)).second)
      fail("'" + std::string(name) + "' is given twice");
    if (const Shape *shape = shapeOf(name)) {
      shapes[std::string(name)] = numbers(*shape, value);
    } else if (name == "sharing") {
      setSharing(value);
    } else if (name == "n" && flat()) {
      uint64_t count = 0;
      integer(name, value, MaxHosts, count);
      spec.numbers.resize(count);
      std::iota(spec.numbers.begin(), spec.numbers.end(), uint64_t{0});
    } else if (name == "cores") {
      uint64_t cores = 0;
      integer(name, value, 1u << 20, cores);
      spec.cores = static_cast<uint32_t>(cores);
    } else if (name == "bb_sharing" && flat()) {
      if (value != "SHARED" && value != "FATPIPE")
        fail("bb_sharing must be SHARED or FATPIPE");
      spec.backboneSharing = value == "FATPIPE" ? Sharing::FatPipe : Sharing::Shared;
    } else {
      quantity(name, value);
    }
  }

  void quantity(std::string_view name, std::string_view value) {
    for (const Key &key : Keys) {
      if (key.name != name || (!flat() && name.starts_with("bb_")))
        continue;
      Quantity parsed = parseQuantity(value, key.unit);
      if (parsed.value <= 0 && key.unit != Unit::Seconds)
        fail("'" + std::string(name) + "' must be above zero");
      if (!parsed.hadUnit)
        notes.push_back(
            {Note::Kind::NoUnit, text, 0, std::string(name),
             "\"" + std::string(value) + "\" has no unit, taken in bytes/s, seconds or flop/s"});
      key.set(spec, parsed.value);
      return;
    }
    unknown(name);
  }

  bool flat() const { return form.shapes.empty(); }

  [[noreturn]] void unknown(std::string_view name) const {
    std::vector<std::string_view> known{"cores", "sharing"};
    if (flat())
      known.insert(known.end(), {"n", "bb_sharing"});
    for (const Shape &shape : form.shapes)
      known.push_back(shape.name);
    for (const Key &key : Keys)
      if (flat() || !key.name.starts_with("bb_"))
        known.push_back(key.name);
    std::string near = didYouMean(name, known), all;
    for (std::string_view key : known)
      all += (all.empty() ? "" : ", ") + std::string(key);
    fail("unknown key '" + std::string(name) + "' of '" + std::string(form.name) + "'" +
         (near.empty() ? "; there are " + all : near));
  }

  const Shape *shapeOf(std::string_view name) const {
    auto found = std::ranges::find(form.shapes, name, &Shape::name);
    return found == form.shapes.end() ? nullptr : &*found;
  }

  /// "4x4x2", or one number.
  std::vector<uint32_t> numbers(const Shape &shape, std::string_view value) {
    std::vector<uint32_t> result;
    while (true) {
      std::string_view item = value.substr(0, value.find('x'));
      uint64_t number = 0;
      integer(shape.name, item, MaxHosts, number);
      result.push_back(static_cast<uint32_t>(number));
      if (item.size() == value.size())
        return result;
      if (!shape.list)
        fail("'" + std::string(shape.name) + "' is one number");
      value.remove_prefix(item.size() + 1);
    }
  }

  void setSharing(std::string_view value) {
    if (value != "SPLITDUPLEX" && value != "SHARED" && value != "FATPIPE")
      fail("sharing must be SPLITDUPLEX, SHARED or FATPIPE");
    spec.splitDuplex = value == "SPLITDUPLEX";
    spec.sharing = value == "FATPIPE" ? Sharing::FatPipe : Sharing::Shared;
  }

  /// After all keys are read: the topology and its hosts.
  void build() {
    for (const Shape &shape : form.shapes)
      if (!seen.count(shape.name))
        shapes[std::string(shape.name)] = numbers(shape, shape.fallback);
    auto one = [this](const char *name) { return shapes[name].front(); };
    if (form.name == "torus")
      spec.topology = TorusSpec{shapes["dims"]};
    else if (form.name == "fattree")
      spec.topology = fatTree();
    else
      spec.topology = DragonflySpec{one("groups"), one("blue"),  one("chassis"), one("black"),
                                    one("blades"), one("green"), one("nodes")};
    try {
      spec.numbers.resize(checkTopology(spec.topology));
    } catch (const NumberError &error) {
      fail(error.what());
    }
    std::iota(spec.numbers.begin(), spec.numbers.end(), uint64_t{0});
  }

  FatTreeSpec fatTree() {
    FatTreeSpec tree{shapes["down"], shapes["up"], shapes["cables"]};
    if (!seen.count("cables"))
      tree.cables.assign(tree.children.size(), 1);
    if (tree.parents.size() != tree.children.size() || tree.cables.size() != tree.children.size())
      fail("'down', 'up' and 'cables' must have a number for each level");
    return tree;
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
    std::vector<std::string_view> required{"bw", "lat"};
    if (flat())
      required.insert(required.begin(), "n");
    for (const Shape &shape : form.shapes)
      if (shape.fallback.empty())
        required.push_back(shape.name);
    for (std::string_view name : required)
      if (!seen.count(name))
        fail("'" + std::string(name) + "' is missing: " + std::string(form.example));
    if (seen.count("bb_lat") && !seen.count("bb_bw"))
      fail("bb_lat without bb_bw");
    if (seen.count("loopback_lat") && !seen.count("loopback_bw"))
      fail("loopback_lat without loopback_bw");
    if (!flat())
      build();
  }
};

} // namespace

std::optional<Platform> loadBuiltIn(const std::string &text) {
  size_t colon = text.find(':');
  if (colon == std::string::npos)
    return std::nullopt;
  std::string_view name = std::string_view(text).substr(0, colon);
  for (const auto &[other, instead] : OtherNames)
    if (name == other)
      throw InputError(text, 0,
                       "there is no built-in platform '" + std::string(name) + "'; write " +
                           std::string(instead) + ":…");
  auto form = std::ranges::find(Forms, name, &Form::name);
  if (form == std::end(Forms))
    return std::nullopt;
  Parser parser{text, *form, {}, {}, {}, {}};
  parser.spec.id = form->name;
  parser.spec.prefix = "node-";
  parser.spec.speedFlops = 1e10;
  parser.parse(std::string_view(text).substr(colon + 1));
  Draft draft;
  draft.origin.element = "cluster";
  addCluster(draft, NoIndex, parser.spec);
  Platform platform = draft.finish(text);
  platform.setNotes(std::move(parser.notes));
  return platform;
}

} // namespace gnomon::platform
