// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Reading of platform files: the one user of pugixml.
#include "platform/Xml.h"

#include "platform/Cluster.h"
#include "support/Error.h"
#include "support/Names.h"
#include "support/Number.h"

#include <algorithm>
#include <cstring>
#include <pugixml.hpp>
#include <unordered_map>

namespace gnomon::platform {

namespace {

constexpr int MaxDepth = 64;
/// A latency above this is more likely a mistaken unit than a link.
constexpr double StrangeLatencySeconds = 60;

/// A link as routes name it.
struct NamedLink {
  LinkIndex up;     ///< the link itself; of a SPLITDUPLEX link the direction up
  LinkIndex down;   ///< what the way back crosses instead
  bool splitDuplex; ///< whether the name means both directions
};

class Reader {
public:
  Reader(const std::string &text, std::string file) : file_(std::move(file)), text_(text) {}

  Platform read();

private:
  using Node = pugi::xml_node;
  enum class Least : uint8_t { Zero, AboveZero };

  [[noreturn]] void fail(Node node, const std::string &text) const {
    throw InputError(file_, lineOf(node.offset_debug()), text);
  }
  int lineOf(ptrdiff_t offset) const;

  void checkAttributes(Node node, std::initializer_list<std::string_view> supported) const;
  void checkChildren(Node node, std::initializer_list<std::string_view> supported) const;
  [[noreturn]] void unsupportedElement(Node node, Node parent) const;
  std::string text(Node node, const char *attribute) const;
  std::string text(Node node, const char *attribute, const char *fallback) const;
  double quantity(Node node, const char *attribute, Unit unit, Least least);
  double quantity(Node node, const char *attribute, Unit unit, Least least, double fallback);
  double speed(Node node);
  uint32_t cores(Node node) const;
  Sharing sharing(Node node, const std::string &value) const;
  std::vector<uint64_t> radical(Node node) const;
  void countHosts(Node node, uint64_t more);

  void readConfig(Node node);
  void readProperties(Node node);
  ZoneIndex readZone(Node node, ZoneIndex parent, int depth);
  void readPoints(Node node, ZoneIndex zone, int depth);
  void readRoutes(Node node, ZoneIndex zone);
  void readStar(Node node, ZoneIndex zone);
  void readHost(Node node, ZoneIndex zone);
  void readRouter(Node node, ZoneIndex zone);
  void readLink(Node node);
  void readCluster(Node node, ZoneIndex parent);
  void readTopology(Node node, ClusterSpec &spec);
  void readCabinet(Node node, ZoneIndex zone, LinkIndex backbone);
  void readRoute(Node node, ZoneIndex zone);

  void nameLink(Node node, const std::string &name, NamedLink link);
  void namePoint(Node node, const std::string &name, PointIndex point);
  const NamedLink &link(Node node, const char *attribute) const;
  PointIndex point(Node node, const char *attribute) const;
  PointIndex gateway(Node node, const char *attribute, PointIndex zonePoint) const;

  std::string file_;
  const std::string &text_;
  Draft draft_;
  std::unordered_map<std::string, NamedLink> links_;
  std::unordered_map<std::string, PointIndex> points_;
  std::unordered_map<PointIndex, ZoneIndex> zonePoints_;
  std::vector<ConfigEntry> config_;
  std::vector<std::string> notes_;
  bool propertiesNoted_ = false;
  uint64_t hostCount_ = 0;
};

int Reader::lineOf(ptrdiff_t offset) const {
  if (offset < 0)
    return 0;
  auto end = text_.begin() + std::min<ptrdiff_t>(offset, static_cast<ptrdiff_t>(text_.size()));
  return 1 + static_cast<int>(std::count(text_.begin(), end, '\n'));
}

void Reader::checkAttributes(Node node, std::initializer_list<std::string_view> supported) const {
  for (pugi::xml_attribute attribute : node.attributes())
    if (std::find(supported.begin(), supported.end(), attribute.name()) == supported.end())
      fail(node, std::string("attribute '") + attribute.name() + "' of '" + node.name() +
                     "' is not supported" +
                     didYouMean(attribute.name(), std::vector<std::string_view>(supported)));
}

void Reader::checkChildren(Node node, std::initializer_list<std::string_view> supported) const {
  for (Node child : node.children()) {
    if (child.type() == pugi::node_pcdata || child.type() == pugi::node_cdata)
      fail(node, std::string("text inside '") + node.name() + "' is not understood");
    if (child.type() == pugi::node_element &&
        std::find(supported.begin(), supported.end(), child.name()) == supported.end())
      unsupportedElement(child, node);
  }
}

void Reader::unsupportedElement(Node node, Node parent) const {
  fail(node,
       std::string("element '") + node.name() + "' is not supported in '" + parent.name() + "'");
}

std::string Reader::text(Node node, const char *attribute) const {
  pugi::xml_attribute found = node.attribute(attribute);
  if (!found || !*found.value())
    fail(node, std::string("'") + node.name() + "' needs the attribute '" + attribute + "'");
  return found.value();
}

std::string Reader::text(Node node, const char *attribute, const char *fallback) const {
  return node.attribute(attribute).as_string(fallback);
}

double Reader::quantity(Node node, const char *attribute, Unit unit, Least least) {
  const std::string value = text(node, attribute);
  Quantity parsed;
  try {
    parsed = parseQuantity(value, unit);
  } catch (const NumberError &error) {
    fail(node, std::string(attribute) + ": " + error.what());
  }
  if (least == Least::AboveZero && parsed.value <= 0)
    fail(node, std::string(attribute) + ": must be above zero, found '" + value + "'");
  auto note = [&](const std::string &what) {
    notes_.push_back(file_ + ":" + std::to_string(lineOf(node.offset_debug())) + ": " + attribute +
                     "=\"" + value + "\" " + what);
  };
  if (!parsed.hadUnit)
    note(std::string("has no unit, taken in ") + (unit == Unit::Seconds          ? "seconds"
                                                  : unit == Unit::BytesPerSecond ? "bytes/s"
                                                                                 : "flop/s"));
  if (unit == Unit::Seconds && parsed.value > StrangeLatencySeconds)
    note("is more than a minute: is that meant?");
  return parsed.value;
}

double Reader::quantity(Node node, const char *attribute, Unit unit, Least least, double fallback) {
  return node.attribute(attribute) ? quantity(node, attribute, unit, least) : fallback;
}

/// A speed, or a list of speeds of which `pstate` (0 by default) selects one.
double Reader::speed(Node node) {
  const std::string list = text(node, "speed");
  uint64_t wanted = 0;
  try {
    wanted = parseInteger(text(node, "pstate", "0"));
    std::string_view rest = list;
    for (uint64_t i = 0; !rest.empty(); ++i) {
      std::string_view item = rest.substr(0, rest.find(','));
      rest.remove_prefix(std::min(rest.size(), item.size() + 1));
      item.remove_prefix(std::min(item.size(), item.find_first_not_of(' ')));
      Quantity parsed = parseQuantity(item, Unit::FlopsPerSecond);
      if (parsed.value <= 0)
        fail(node, "speed: must be above zero, found '" + list + "'");
      if (i != wanted)
        continue;
      if (!parsed.hadUnit)
        notes_.push_back(file_ + ":" + std::to_string(lineOf(node.offset_debug())) + ": speed=\"" +
                         list + "\" has no unit, taken in flop/s");
      return parsed.value;
    }
  } catch (const NumberError &error) {
    fail(node, std::string("speed: ") + error.what());
  }
  fail(node, "pstate: there is no speed number " + std::to_string(wanted) + " in '" + list + "'");
}

uint32_t Reader::cores(Node node) const {
  constexpr uint64_t MaxCores = 1 << 20;
  uint64_t count = 0;
  try {
    count = parseInteger(text(node, "core", "1"));
  } catch (const NumberError &error) {
    fail(node, std::string("core: ") + error.what());
  }
  if (count == 0 || count > MaxCores)
    fail(node, "core: must be between 1 and " + std::to_string(MaxCores));
  return static_cast<uint32_t>(count);
}

Sharing Reader::sharing(Node node, const std::string &value) const {
  if (value == "SHARED")
    return Sharing::Shared;
  if (value == "FATPIPE")
    return Sharing::FatPipe;
  fail(node, "sharing policy '" + value + "' is not supported");
}

/// "0-99,120,130-139" as numbers.
std::vector<uint64_t> Reader::radical(Node node) const {
  const std::string list = text(node, "radical");
  std::vector<uint64_t> numbers;
  std::string_view rest = list;
  while (!rest.empty()) {
    std::string_view item = rest.substr(0, rest.find(','));
    rest.remove_prefix(std::min(rest.size(), item.size() + 1));
    size_t dash = item.find('-');
    uint64_t first = 0, last = 0;
    try {
      first = parseInteger(item.substr(0, dash));
      last = dash == std::string_view::npos ? first : parseInteger(item.substr(dash + 1));
    } catch (const NumberError &error) {
      fail(node, "radical: " + std::string(error.what()) + " in '" + list + "'");
    }
    if (last < first)
      fail(node, "radical: the range '" + std::string(item) + "' runs backwards");
    if (last - first >= MaxHosts || numbers.size() + (last - first) >= MaxHosts)
      fail(node, "radical: '" + list + "' makes more than " + std::to_string(MaxHosts) +
                     " hosts, which is the limit");
    for (uint64_t number = first; number <= last; ++number)
      numbers.push_back(number);
  }
  return numbers;
}

void Reader::countHosts(Node node, uint64_t more) {
  hostCount_ += more;
  if (hostCount_ > MaxHosts)
    fail(node,
         "the platform has more than " + std::to_string(MaxHosts) + " hosts, which is the limit");
}

Platform Reader::read() {
  pugi::xml_document document;
  pugi::xml_parse_result result =
      document.load_buffer(text_.data(), text_.size(), pugi::parse_default, pugi::encoding_utf8);
  if (!result)
    throw InputError(file_, lineOf(result.offset),
                     std::string("not well-formed XML: ") + result.description());
  Node root = document.document_element();
  if (std::strcmp(root.name(), "platform") != 0)
    fail(root, std::string("expected the element 'platform', found '") + root.name() + "'");
  checkAttributes(root, {"version"});
  if (std::string version = text(root, "version"); version != "4" && version != "4.1")
    fail(root, "platform version '" + version + "' is not supported; there are 4 and 4.1");
  checkChildren(root, {"config", "zone", "AS", "cluster"});
  Node top;
  for (Node child : root.children()) {
    if (child.type() != pugi::node_element)
      continue;
    if (std::strcmp(child.name(), "config") == 0) {
      readConfig(child);
    } else if (top) {
      fail(child, "a platform has one outermost zone; put these into one");
    } else {
      top = child;
      if (std::strcmp(child.name(), "cluster") == 0)
        readCluster(child, NoIndex);
      else
        readZone(child, NoIndex, 1);
    }
  }
  if (draft_.hosts.empty())
    throw InputError(file_, 0, "the platform has no hosts");
  Platform platform = draft_.finish(file_);
  platform.setConfig(std::move(config_));
  platform.setNotes(std::move(notes_));
  return platform;
}

void Reader::readConfig(Node node) {
  checkAttributes(node, {"id"});
  checkChildren(node, {"prop"});
  for (Node prop : node.children("prop")) {
    checkAttributes(prop, {"id", "value"});
    config_.push_back(
        {text(prop, "id"), text(prop, "value", ""), file_, lineOf(prop.offset_debug())});
  }
}

void Reader::readProperties(Node node) {
  for (Node prop : node.children("prop")) {
    checkAttributes(prop, {"id", "value"});
    if (!propertiesNoted_)
      notes_.push_back(file_ + ":" + std::to_string(lineOf(prop.offset_debug())) +
                       ": properties (<prop>) have no effect");
    propertiesNoted_ = true;
  }
}

ZoneIndex Reader::readZone(Node node, ZoneIndex parent, int depth) {
  if (depth > MaxDepth)
    fail(node, "zones are nested more than " + std::to_string(MaxDepth) + " deep");
  checkAttributes(node, {"id", "routing"});
  const std::string name = text(node, "id"), kind = text(node, "routing");
  Routing routing = Routing::Full;
  if (kind == "Floyd" || kind == "Dijkstra" || kind == "DijkstraCache")
    routing = Routing::ShortestPath;
  else if (kind == "Cluster")
    routing = Routing::Star;
  else if (kind != "Full")
    fail(node,
         "routing '" + kind +
             "' is not supported; there are Full, Floyd, Dijkstra, DijkstraCache and Cluster");
  ZoneIndex zone = draft_.zones->addZone(parent, name, routing);
  if (parent != NoIndex) {
    namePoint(node, name, draft_.zones->pointOf(zone));
    zonePoints_[draft_.zones->pointOf(zone)] = zone;
  }
  if (routing == Routing::Star) {
    checkChildren(node, {"host", "router", "link", "host_link", "backbone", "cabinet", "prop"});
    readPoints(node, zone, depth);
    readStar(node, zone);
  } else {
    checkChildren(node, {"host", "router", "link", "zone", "AS", "cluster", "route", "zoneRoute",
                         "ASroute", "prop"});
    readPoints(node, zone, depth);
    readRoutes(node, zone);
  }
  return zone;
}

void Reader::readPoints(Node node, ZoneIndex zone, int depth) {
  readProperties(node);
  for (Node child : node.children()) {
    std::string_view name = child.name();
    if (name == "host")
      readHost(child, zone);
    else if (name == "router")
      readRouter(child, zone);
    else if (name == "link")
      readLink(child);
    else if (name == "cluster")
      readCluster(child, zone);
    else if (name == "zone" || name == "AS")
      readZone(child, zone, depth + 1);
  }
}

void Reader::readRoutes(Node node, ZoneIndex zone) {
  for (Node child : node.children()) {
    std::string_view name = child.name();
    if (name == "route" || name == "zoneRoute" || name == "ASroute")
      readRoute(child, zone);
  }
}

void Reader::readHost(Node node, ZoneIndex zone) {
  checkAttributes(node, {"id", "speed", "core", "pstate"});
  checkChildren(node, {"prop"});
  readProperties(node);
  countHosts(node, 1);
  const std::string name = text(node, "id");
  namePoint(node, name, draft_.addHost(zone, {name, speed(node), cores(node)}));
}

void Reader::readRouter(Node node, ZoneIndex zone) {
  checkAttributes(node, {"id"});
  checkChildren(node, {"prop"});
  const std::string name = text(node, "id");
  PointIndex router = draft_.zones->addRouter(zone, name);
  namePoint(node, name, router);
  if (draft_.zones->defaultGateway(zone) == NoIndex)
    draft_.zones->setDefaultGateway(zone, router);
}

void Reader::readLink(Node node) {
  checkAttributes(node, {"id", "bandwidth", "latency", "sharing_policy"});
  checkChildren(node, {"prop"});
  readProperties(node);
  const std::string name = text(node, "id");
  Link link;
  link.bandwidth = quantity(node, "bandwidth", Unit::BytesPerSecond, Least::AboveZero);
  link.latencySeconds = quantity(node, "latency", Unit::Seconds, Least::Zero, 0);
  const std::string policy = text(node, "sharing_policy", "SHARED");
  if (policy == "SPLITDUPLEX" || policy == "FULLDUPLEX") {
    link.name = name + "_UP";
    LinkIndex up = draft_.addLink(link);
    link.name = name + "_DOWN";
    LinkIndex down = draft_.addLink(link);
    nameLink(node, name, {up, down, true});
    nameLink(node, name + "_UP", {up, down, false});
    nameLink(node, name + "_DOWN", {down, up, false});
    return;
  }
  link.name = name;
  link.sharing = sharing(node, policy);
  LinkIndex index = draft_.addLink(link);
  nameLink(node, name, {index, index, false});
}

void Reader::readCluster(Node node, ZoneIndex parent) {
  checkAttributes(node, {"id", "prefix", "suffix", "radical", "speed", "pstate", "core", "bw",
                         "lat", "sharing_policy", "topology", "topo_parameters", "bb_bw", "bb_lat",
                         "bb_sharing_policy", "router_id", "limiter_link", "loopback_bw",
                         "loopback_lat"});
  checkChildren(node, {"prop"});
  readProperties(node);
  ClusterSpec spec;
  spec.id = text(node, "id");
  spec.prefix = text(node, "prefix", "");
  spec.suffix = text(node, "suffix", "");
  spec.routerName = text(node, "router_id", "");
  spec.numbers = radical(node);
  countHosts(node, spec.numbers.size());
  readTopology(node, spec);
  spec.speedFlops = speed(node);
  spec.cores = cores(node);
  spec.bandwidth = quantity(node, "bw", Unit::BytesPerSecond, Least::AboveZero);
  spec.latencySeconds = quantity(node, "lat", Unit::Seconds, Least::Zero);
  const std::string policy = text(node, "sharing_policy", "SPLITDUPLEX");
  spec.splitDuplex = policy == "SPLITDUPLEX" || policy == "FULLDUPLEX";
  if (!spec.splitDuplex)
    spec.sharing = sharing(node, policy);
  spec.backboneBandwidth = quantity(node, "bb_bw", Unit::BytesPerSecond, Least::Zero, 0);
  spec.backboneLatencySeconds = quantity(node, "bb_lat", Unit::Seconds, Least::Zero, 0);
  spec.backboneSharing = sharing(node, text(node, "bb_sharing_policy", "SHARED"));
  if (spec.backboneLatencySeconds > 0 && spec.backboneBandwidth == 0)
    fail(node, "bb_lat without bb_bw");
  spec.limiterBandwidth = quantity(node, "limiter_link", Unit::BytesPerSecond, Least::Zero, 0);
  spec.loopbackBandwidth = quantity(node, "loopback_bw", Unit::BytesPerSecond, Least::Zero, 0);
  spec.loopbackLatencySeconds = quantity(node, "loopback_lat", Unit::Seconds, Least::Zero, 0);
  if (spec.loopbackLatencySeconds > 0 && spec.loopbackBandwidth == 0)
    fail(node, "loopback_lat without loopback_bw");

  const auto firstLink = static_cast<LinkIndex>(draft_.links.size());
  ZoneIndex zone = addCluster(draft_, parent, spec);
  if (parent == NoIndex) {
    // Nothing can refer to the parts of a cluster that is the whole platform: only its own names
    // can clash.
    std::sort(spec.numbers.begin(), spec.numbers.end());
    auto twice = std::adjacent_find(spec.numbers.begin(), spec.numbers.end());
    if (twice != spec.numbers.end())
      fail(node, "a second host, router or zone named '" + spec.prefix + std::to_string(*twice) +
                     spec.suffix + "'");
    return;
  }
  namePoint(node, spec.id, draft_.zones->pointOf(zone));
  zonePoints_[draft_.zones->pointOf(zone)] = zone;
  for (PointIndex point : draft_.zones->points(zone)) // its hosts, and its router if it has one
    namePoint(node, draft_.zones->name(point), point);
  for (LinkIndex link = firstLink; link < draft_.links.size(); ++link)
    nameLink(node, draft_.links[link].name, {link, link, false});
}

/// The attributes `topology` and `topo_parameters`, after the hosts' numbers are known.
void Reader::readTopology(Node node, ClusterSpec &spec) {
  const std::string topology = text(node, "topology", "FLAT");
  if (topology == "FLAT")
    return;
  const std::vector<std::string_view> known{"FLAT", "TORUS", "FAT_TREE", "DRAGONFLY"};
  if (std::find(known.begin(), known.end(), topology) == known.end())
    fail(node, "topology: unknown '" + topology +
                   "'; there are FLAT, TORUS, FAT_TREE and DRAGONFLY" +
                   didYouMean(topology, known));
  const std::string parameters = text(node, "topo_parameters");
  uint64_t hosts = 0;
  try {
    spec.topology = parseTopology(topology, parameters);
    hosts = checkTopology(spec.topology);
  } catch (const NumberError &error) {
    fail(node, "topo_parameters: " + std::string(error.what()));
  }
  if (hosts != spec.numbers.size())
    fail(node, "topo_parameters: '" + parameters + "' makes " + std::to_string(hosts) +
                   " hosts, but the radical '" + text(node, "radical") + "' names " +
                   std::to_string(spec.numbers.size()));
  for (const char *attribute : {"bb_bw", "bb_lat", "bb_sharing_policy", "router_id"})
    if (node.attribute(attribute))
      notes_.push_back(file_ + ":" + std::to_string(lineOf(node.offset_debug())) + ": " +
                       attribute + " has no effect: a cluster of topology " + topology +
                       " has no backbone and no router");
}

/// What makes a zone with routing "Cluster": each host has its own way to and from the centre.
void Reader::readStar(Node node, ZoneIndex zone) {
  LinkIndex backbone = NoIndex;
  for (Node child : node.children("backbone")) {
    checkAttributes(child, {"id", "bandwidth", "latency"});
    if (backbone != NoIndex)
      fail(child, "a zone has one backbone");
    const std::string name = text(child, "id");
    double bandwidth = quantity(child, "bandwidth", Unit::BytesPerSecond, Least::AboveZero);
    double latency = quantity(child, "latency", Unit::Seconds, Least::Zero, 0);
    backbone = draft_.addLink({name, bandwidth, latency, Sharing::Shared});
    nameLink(child, name, {backbone, backbone, false});
  }
  for (Node child : node.children("cabinet"))
    readCabinet(child, zone, backbone);
  for (Node child : node.children("host_link")) {
    checkAttributes(child, {"id", "up", "down"});
    PointIndex host = point(child, "id");
    if (draft_.zones->zoneOf(host) != zone)
      fail(child, "'" + text(child, "id") + "' is not in this zone");
    const NamedLink &downLink = link(child, "down");
    std::vector<LinkIndex> up{link(child, "up").up};
    std::vector<LinkIndex> down{downLink.splitDuplex ? downLink.down : downLink.up};
    if (backbone != NoIndex) {
      up.push_back(backbone);
      down.insert(down.begin(), backbone);
    }
    draft_.zones->setStar(host, up, down, {});
  }
}

void Reader::readCabinet(Node node, ZoneIndex zone, LinkIndex backbone) {
  checkAttributes(node, {"id", "prefix", "suffix", "radical", "speed", "bw", "lat"});
  checkChildren(node, {});
  const std::string prefix = text(node, "prefix", ""), suffix = text(node, "suffix", "");
  const double speedFlops = speed(node);
  const double bandwidth = quantity(node, "bw", Unit::BytesPerSecond, Least::AboveZero);
  const double latency = quantity(node, "lat", Unit::Seconds, Least::Zero);
  const std::vector<uint64_t> numbers = radical(node);
  countHosts(node, numbers.size());
  for (uint64_t number : numbers) {
    const std::string name = prefix + std::to_string(number) + suffix;
    PointIndex host = draft_.addHost(zone, {name, speedFlops, 1});
    namePoint(node, name, host);
    std::vector<LinkIndex> up, down;
    if (backbone != NoIndex)
      down.push_back(backbone);
    for (const char *direction : {"_UP", "_DOWN"}) {
      const std::string linkName = "link_" + name + direction;
      LinkIndex index = draft_.addLink({linkName, bandwidth, latency, Sharing::Shared});
      nameLink(node, linkName, {index, index, false});
      (up.empty() ? up : down).push_back(index);
    }
    if (backbone != NoIndex)
      up.push_back(backbone);
    draft_.zones->setStar(host, up, down, {});
  }
}

void Reader::readRoute(Node node, ZoneIndex zone) {
  const bool betweenZones = std::strcmp(node.name(), "route") != 0;
  if (betweenZones)
    checkAttributes(node, {"src", "dst", "gw_src", "gw_dst", "symmetrical"});
  else
    checkAttributes(node, {"src", "dst", "symmetrical"});
  checkChildren(node, {"link_ctn"});
  PointIndex from = point(node, "src"), to = point(node, "dst");
  for (PointIndex end : {from, to})
    if (draft_.zones->zoneOf(end) != zone)
      fail(node, "'" + draft_.zones->name(end) + "' is not directly in this zone");
  PointIndex gatewayFrom = betweenZones ? gateway(node, "gw_src", from) : NoIndex;
  PointIndex gatewayTo = betweenZones ? gateway(node, "gw_dst", to) : NoIndex;
  std::vector<LinkIndex> there, back;
  for (Node part : node.children("link_ctn")) {
    checkAttributes(part, {"id", "direction"});
    const NamedLink &named = link(part, "id");
    const std::string direction = text(part, "direction", "NONE");
    if (direction != "UP" && direction != "DOWN" && direction != "NONE")
      fail(part, "direction must be UP, DOWN or NONE, found '" + direction + "'");
    if (named.splitDuplex && direction == "NONE")
      fail(part,
           "'" + text(part, "id") + "' is a SPLITDUPLEX link: give its direction, UP or DOWN");
    bool reversed = named.splitDuplex && direction == "DOWN";
    there.push_back(reversed ? named.down : named.up);
    back.push_back(reversed ? named.up : named.down);
  }
  if (there.empty())
    fail(node, std::string("'") + node.name() + "' needs at least one 'link_ctn'");
  const std::string symmetrical = text(node, "symmetrical", "YES");
  const bool both = symmetrical == "YES" || symmetrical == "yes";
  if (!both && symmetrical != "NO" && symmetrical != "no")
    fail(node, "symmetrical must be YES or NO, found '" + symmetrical + "'");
  std::reverse(back.begin(), back.end());
  const std::string pair = "from '" + text(node, "src") + "' to '" + text(node, "dst") + "'";
  if (!draft_.zones->addRoute(zone, from, to, there, gatewayFrom, gatewayTo))
    fail(node, "a second route " + pair);
  if (both && from != to && !draft_.zones->addRoute(zone, to, from, back, gatewayTo, gatewayFrom))
    fail(node, "the way back of the route " + pair + " exists already; say symmetrical=\"NO\"");
}

void Reader::nameLink(Node node, const std::string &name, NamedLink link) {
  if (!links_.try_emplace(name, link).second)
    fail(node, "a second link named '" + name + "'");
}

void Reader::namePoint(Node node, const std::string &name, PointIndex point) {
  if (!points_.try_emplace(name, point).second)
    fail(node, "a second host, router or zone named '" + name + "'");
}

template <class Map> std::string suggestion(const std::string &name, const Map &map) {
  constexpr size_t Most = 2000; // enough to help, cheap enough for huge platforms
  std::vector<std::string_view> known;
  for (const auto &[key, value] : map)
    if (known.size() < Most)
      known.push_back(key);
  std::sort(known.begin(), known.end());
  return didYouMean(name, known);
}

const NamedLink &Reader::link(Node node, const char *attribute) const {
  const std::string name = text(node, attribute);
  auto found = links_.find(name);
  if (found == links_.end())
    fail(node, "unknown link '" + name + "'" + suggestion(name, links_));
  return found->second;
}

PointIndex Reader::point(Node node, const char *attribute) const {
  const std::string name = text(node, attribute);
  auto found = points_.find(name);
  if (found == points_.end())
    fail(node, "unknown host, router or zone '" + name + "'" + suggestion(name, points_));
  return found->second;
}

PointIndex Reader::gateway(Node node, const char *attribute, PointIndex zonePoint) const {
  auto zone = zonePoints_.find(zonePoint);
  if (zone == zonePoints_.end())
    fail(node, "'" + draft_.zones->name(zonePoint) + "' is not a zone");
  if (!node.attribute(attribute)) {
    PointIndex fallback = draft_.zones->defaultGateway(zone->second);
    if (fallback == NoIndex)
      fail(node, std::string("'") + node.name() + "' needs the attribute '" + attribute + "'");
    return fallback;
  }
  PointIndex result = point(node, attribute);
  if (!draft_.zones->contains(zone->second, result))
    fail(node, std::string(attribute) + ": '" + text(node, attribute) + "' is not in '" +
                   draft_.zones->name(zonePoint) + "'");
  return result;
}

} // namespace

Platform loadXml(const std::string &text, const std::string &file) {
  return Reader(text, file).read();
}

} // namespace gnomon::platform
