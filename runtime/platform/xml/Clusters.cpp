// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The element cluster.
#include "platform/topology/Cluster.h"
#include "platform/xml/Reading.h"
#include "support/Names.h"

#include <algorithm>
#include <fmt/format.h>

namespace gnomon::platform::xml {

namespace {

/// The attributes `topology` and `topo_parameters`, after the hosts' numbers are known.
void readTopology(Fields &fields, ClusterSpec &spec) {
  const std::string topology = fields.text("topology", "FLAT");
  if (topology == "FLAT") {
    if (fields.has("topo_parameters"))
      fields.note(Note::Kind::Ignored, "topo_parameters",
                  "has no effect: the cluster has no topology");
    return;
  }
  const std::vector<std::string_view> known{"FLAT", "TORUS", "FAT_TREE", "DRAGONFLY"};
  if (std::find(known.begin(), known.end(), topology) == known.end())
    fields.fail("topology: unknown '" + topology +
                "'; there are FLAT, TORUS, FAT_TREE and DRAGONFLY" + didYouMean(topology, known));
  const std::string parameters = fields.text("topo_parameters");
  uint64_t hosts = 0;
  try {
    spec.topology = parseTopology(topology, parameters);
    hosts = checkTopology(spec.topology);
  } catch (const NumberError &error) {
    fields.fail("topo_parameters: " + std::string(error.what()));
  }
  if (hosts != spec.numbers.size())
    fields.fail(fmt::format("topo_parameters: '{}' makes {} hosts, but the radical '{}' names {}",
                            parameters, hosts, fields.text("radical"), spec.numbers.size()));
  for (const char *attribute : {"bb_bw", "bb_lat", "bb_sharing_policy", "router_id"})
    if (fields.has(attribute))
      fields.note(Note::Kind::Ignored, attribute,
                  "has no effect: a cluster of topology " + topology +
                      " has no backbone and no router");
}

void readLinks(Fields &fields, ClusterSpec &spec) {
  auto bandwidth = [&fields](const char *attribute) { // 0: there is no such link
    return fields.quantity(attribute, Unit::BytesPerSecond, Least::Zero, 0);
  };
  auto latency = [&fields](const char *attribute) {
    return fields.quantity(attribute, Unit::Seconds, Least::Zero, 0);
  };
  spec.bandwidth = fields.quantity("bw", Unit::BytesPerSecond, Least::AboveZero);
  spec.latencySeconds = fields.quantity("lat", Unit::Seconds, Least::Zero);
  const std::string policy = fields.text("sharing_policy", "SPLITDUPLEX");
  spec.splitDuplex = policy == "SPLITDUPLEX" || policy == "FULLDUPLEX";
  if (!spec.splitDuplex)
    spec.sharing = fields.sharing(policy);
  spec.backboneBandwidth = bandwidth("bb_bw");
  spec.backboneLatencySeconds = latency("bb_lat");
  spec.backboneSharing = fields.sharing(fields.text("bb_sharing_policy", "SHARED"));
  if (spec.backboneLatencySeconds > 0 && spec.backboneBandwidth == 0)
    fields.fail("bb_lat without bb_bw");
  spec.limiterBandwidth = bandwidth("limiter_link");
  spec.loopbackBandwidth = bandwidth("loopback_bw");
  spec.loopbackLatencySeconds = latency("loopback_lat");
  if (spec.loopbackLatencySeconds > 0 && spec.loopbackBandwidth == 0)
    fields.fail("loopback_lat without loopback_bw");
}

/// Nothing refers to the parts of a cluster that is the whole platform, traces apart: only its own
/// names can clash.
void checkNumbers(const Fields &fields, ClusterSpec &spec) {
  std::sort(spec.numbers.begin(), spec.numbers.end());
  auto twice = std::adjacent_find(spec.numbers.begin(), spec.numbers.end());
  if (twice != spec.numbers.end())
    fields.fail(fmt::format("a second host, router or zone named '{}{}{}'", spec.prefix, *twice,
                            spec.suffix));
}

} // namespace

void readCluster(Reading &reading, Element element, ZoneIndex parent) {
  Fields fields(reading.document, element,
                {"id", "prefix", "suffix", "radical", "speed", "pstate", "core", "bw", "lat",
                 "sharing_policy", "topology", "topo_parameters", "bb_bw", "bb_lat",
                 "bb_sharing_policy", "router_id", "limiter_link", "loopback_bw", "loopback_lat"},
                {"prop"});
  readProperties(reading, element);
  ClusterSpec spec;
  spec.id = fields.text("id");
  spec.prefix = fields.text("prefix", "");
  spec.suffix = fields.text("suffix", "");
  spec.routerName = fields.text("router_id", "");
  spec.numbers = fields.radical();
  reading.countHosts(element, spec.numbers.size());
  readTopology(fields, spec);
  spec.speedFlops = fields.speed();
  spec.cores = fields.cores();
  readLinks(fields, spec);

  Draft &draft = reading.draft;
  reading.describe(element, "cluster");
  const auto firstLink = static_cast<LinkIndex>(draft.links.size());
  ZoneIndex zone = addCluster(draft, parent, spec);
  if (parent == NoIndex && !reading.namesMatter)
    return checkNumbers(fields, spec);
  if (parent != NoIndex)
    reading.symbols.addZone(element, spec.id, draft.zones->pointOf(zone), zone);
  for (PointIndex point : draft.zones->points(zone)) // its hosts, and its router if it has one
    reading.symbols.addPoint(element, draft.zones->name(point), point);
  for (LinkIndex link = firstLink; link < draft.links.size(); ++link)
    reading.symbols.addLink(element, draft.links[link].name, {link, link, false});
}

} // namespace gnomon::platform::xml
