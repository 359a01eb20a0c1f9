// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Reading of topology parameters, and their limits.
#include "platform/topology/Topology.h"

#include "platform/topology/Cluster.h"
#include "support/Number.h"

#include <algorithm>
#include <fmt/format.h>

namespace gnomon::platform {

namespace {

/// More dimensions or levels than this are a mistake.
constexpr size_t MaxLevels = 32;
constexpr uint64_t MaxCables = 1u << 16;

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ')
    text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ')
    text.remove_suffix(1);
  return text;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (size_t at = 0;; at += parts.back().size() + 1) {
    parts.push_back(text.substr(at, text.find(separator, at) - at));
    if (at + parts.back().size() >= text.size())
      break;
  }
  if (!text.empty() && text.back() == separator)
    parts.emplace_back();
  return parts;
}

uint32_t count(std::string_view text) {
  uint64_t number = parseInteger(trimmed(text));
  if (number == 0 || number > MaxHosts)
    throw NumberError(fmt::format("'{}' is not between 1 and {}", text, MaxHosts));
  return static_cast<uint32_t>(number);
}

std::vector<uint32_t> counts(std::string_view list) {
  std::vector<uint32_t> numbers;
  for (std::string_view part : split(list, ',')) {
    if (numbers.size() == MaxLevels)
      throw NumberError(fmt::format("more than {} levels or dimensions", MaxLevels));
    numbers.push_back(count(part));
  }
  return numbers;
}

[[noreturn]] void wrongForm(std::string_view name, const char *form, std::string_view found) {
  throw NumberError(fmt::format("{} takes {}, found '{}'", name, form, found));
}

FatTreeSpec parseFatTree(std::string_view parameters) {
  constexpr const char *Form = "\"levels;children;parents;cables\" with a list of as many numbers "
                               "as levels each, such as \"2;4,4;1,2;1,2\"";
  std::vector<std::string_view> parts = split(parameters, ';');
  if (parts.size() != 4)
    wrongForm("FAT_TREE", Form, parameters);
  uint32_t levels = count(parts[0]);
  FatTreeSpec spec{counts(parts[1]), counts(parts[2]), counts(parts[3])};
  for (const auto *list : {&spec.children, &spec.parents, &spec.cables})
    if (list->size() != levels)
      wrongForm("FAT_TREE", Form, parameters);
  return spec;
}

DragonflySpec parseDragonfly(std::string_view parameters) {
  constexpr const char *Form = "\"groups,cables;chassis,cables;blades,cables;nodes\", such as "
                               "\"3,4;4,3;5,1;2\"";
  std::vector<std::string_view> parts = split(parameters, ';');
  if (parts.size() != 4)
    wrongForm("DRAGONFLY", Form, parameters);
  std::vector<uint32_t> pairs[3];
  for (int i = 0; i < 3; ++i) {
    pairs[i] = counts(parts[static_cast<size_t>(i)]);
    if (pairs[i].size() != 2)
      wrongForm("DRAGONFLY", Form, parameters);
  }
  return {pairs[0][0], pairs[0][1], pairs[1][0],    pairs[1][1],
          pairs[2][0], pairs[2][1], count(parts[3])};
}

/// a b, but no more than just above \p limit.
uint64_t times(uint64_t a, uint64_t b, uint64_t limit) { return std::min(a * b, limit + 1); }

uint64_t product(const std::vector<uint32_t> &numbers) {
  uint64_t result = 1;
  for (uint32_t number : numbers)
    result = times(result, number, MaxHosts);
  return result;
}

uint64_t limitHosts(uint64_t hosts) {
  if (hosts > MaxHosts)
    throw NumberError(fmt::format("makes more than {} hosts, which is the limit", MaxHosts));
  return hosts;
}

void limitLinks(uint64_t links) {
  if (links > MaxLinks)
    throw NumberError(fmt::format("makes more than {} links, which is the limit", MaxLinks));
}

void check(const std::vector<uint32_t> &numbers) {
  if (numbers.empty() || numbers.size() > MaxLevels)
    throw NumberError(
        fmt::format("there must be between 1 and {} levels or dimensions", MaxLevels));
}

uint64_t checkTorus(const TorusSpec &spec) {
  check(spec.sizes);
  uint64_t hosts = limitHosts(product(spec.sizes));
  limitLinks(hosts * 2 * spec.sizes.size());
  return hosts;
}

uint64_t checkFatTree(const FatTreeSpec &spec) {
  check(spec.children);
  if (spec.parents.size() != spec.children.size() || spec.cables.size() != spec.children.size())
    throw NumberError("children, parents and cables must have as many numbers as there are levels");
  uint64_t hosts = limitHosts(product(spec.children));
  uint64_t nodes = hosts, links = 0;
  for (size_t level = 0; level < spec.children.size(); ++level) {
    uint64_t cables = times(nodes, spec.parents[level], MaxLinks);
    links += 2 * times(cables, spec.cables[level], MaxLinks);
    limitLinks(links);
    nodes = cables / spec.children[level];
  }
  return hosts;
}

uint64_t checkDragonfly(const DragonflySpec &spec) {
  uint64_t hosts = limitHosts(product({spec.groups, spec.chassis, spec.blades, spec.nodes}));
  if (spec.groups > 1 && spec.groups > spec.blades)
    throw NumberError(
        fmt::format("{} groups of {} blades a chassis: router g of the first chassis of a group is "
                    "joined to group g, so there must be at least as many blades as groups",
                    spec.groups, spec.blades));
  for (uint32_t cables : {spec.blueCables, spec.blackCables, spec.greenCables})
    if (cables == 0 || cables > MaxCables)
      throw NumberError(fmt::format("cables must be between 1 and {}", MaxCables));
  uint64_t routers = hosts / spec.nodes;
  limitLinks(2 * hosts + routers * (spec.blades - 1) + routers * (spec.chassis - 1) +
             uint64_t{spec.groups} * (spec.groups - 1));
  return hosts;
}

} // namespace

TopologySpec parseTopology(std::string_view name, std::string_view parameters) {
  if (name == "TORUS")
    return TorusSpec{counts(parameters)};
  if (name == "FAT_TREE")
    return parseFatTree(parameters);
  if (name == "DRAGONFLY")
    return parseDragonfly(parameters);
  return {};
}

uint64_t checkTopology(const TopologySpec &spec) {
  if (const auto *torus = std::get_if<TorusSpec>(&spec))
    return checkTorus(*torus);
  if (const auto *tree = std::get_if<FatTreeSpec>(&spec))
    return checkFatTree(*tree);
  return checkDragonfly(std::get<DragonflySpec>(spec));
}

} // namespace gnomon::platform
