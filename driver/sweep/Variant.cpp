// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sweep/Variant.h"

#include "support/Error.h"
#include "support/Number.h"

#include <algorithm>
#include <fmt/format.h>
#include <optional>
#include <pugixml.hpp>

namespace gnomon::sweep {
namespace {

/// What a figure is, which says its factor and how it is written.
enum class Figure : uint8_t { Bandwidth, Latency, Speed };

struct Attribute {
  std::string_view element, name;
  Figure figure;
};

/// Every attribute of SimGrid's files that the runtime reads as such a figure.
constexpr Attribute Attributes[] = {
    {"link", "bandwidth", Figure::Bandwidth},
    {"link", "latency", Figure::Latency},
    {"backbone", "bandwidth", Figure::Bandwidth},
    {"backbone", "latency", Figure::Latency},
    {"cabinet", "bw", Figure::Bandwidth},
    {"cabinet", "lat", Figure::Latency},
    {"cabinet", "speed", Figure::Speed},
    {"cluster", "bw", Figure::Bandwidth},
    {"cluster", "lat", Figure::Latency},
    {"cluster", "bb_bw", Figure::Bandwidth},
    {"cluster", "bb_lat", Figure::Latency},
    {"cluster", "limiter_link", Figure::Bandwidth},
    {"cluster", "loopback_bw", Figure::Bandwidth},
    {"cluster", "loopback_lat", Figure::Latency},
    {"cluster", "speed", Figure::Speed},
    {"host", "speed", Figure::Speed},
    {"peer", "bw_in", Figure::Bandwidth},
    {"peer", "bw_out", Figure::Bandwidth},
    {"peer", "speed", Figure::Speed},
};

/// Keys of platforms in one line.
constexpr Attribute Keys[] = {
    {"", "bw", Figure::Bandwidth},         {"", "lat", Figure::Latency},
    {"", "bb_bw", Figure::Bandwidth},      {"", "bb_lat", Figure::Latency},
    {"", "limiter", Figure::Bandwidth},    {"", "loopback_bw", Figure::Bandwidth},
    {"", "loopback_lat", Figure::Latency}, {"", "speed", Figure::Speed},
};

struct Notation {
  Unit unit;
  const char *suffix;
};

Notation notationOf(Figure figure) {
  switch (figure) {
  case Figure::Bandwidth:
    return {Unit::BytesPerSecond, "Bps"};
  case Figure::Latency:
    return {Unit::Seconds, "s"};
  case Figure::Speed:
    break;
  }
  return {Unit::FlopsPerSecond, "f"};
}

double factorOf(Figure figure, const Scale &scale) {
  return figure == Figure::Bandwidth ? scale.bandwidth
         : figure == Figure::Latency ? scale.latency
                                     : scale.speed;
}

/// \p text, a number with or without a unit, or several with commas (a host's speeds), times the
/// factor. What is no number stays.
std::string scaled(std::string_view text, Figure figure, const Scale &scale) {
  const double factor = factorOf(figure, scale);
  const Notation notation = notationOf(figure);
  if (factor == 1)
    return std::string(text);
  if (const size_t comma = text.find(','); comma != std::string_view::npos)
    return scaled(text.substr(0, comma), figure, scale) + "," +
           scaled(text.substr(comma + 1), figure, scale);
  text.remove_prefix(std::min(text.size(), text.find_first_not_of(" \t")));
  try {
    return formatNumber(parseQuantity(text, notation.unit).value * factor) + notation.suffix;
  } catch (const NumberError &) {
    return std::string(text);
  }
}

const Attribute *find(std::string_view element, std::string_view name) {
  const auto *found = std::ranges::find_if(Attributes, [&](const Attribute &attribute) {
    return attribute.element == element && attribute.name == name;
  });
  return found == std::end(Attributes) ? nullptr : found;
}

/// Whether an attribute names a file that has a profile.
bool namesProfile(std::string_view element, std::string_view attribute) {
  return attribute.ends_with("_file") || (element == "trace" && attribute == "file");
}

/// Profiles in files lie beside the platform's file, where the variant is not; those of bandwidth and
/// latency are no factors.
void refuseProfiles(pugi::xml_node element, const std::string &file) {
  const std::string_view name = element.name();
  auto refuse = [&](const std::string &what) {
    throw InputError(file, 0,
                     fmt::format("{} cannot be varied by link/bw, link/lat or host/speed: write a "
                                 "platform file for each value, for --platforms",
                                 what));
  };
  for (pugi::xml_attribute attribute : element.attributes())
    if (namesProfile(name, attribute.name()))
      refuse(fmt::format("a platform with profiles in files ({}=\"{}\")", attribute.name(),
                         attribute.value()));
  const std::string_view kind = element.attribute("kind").value();
  if (name == "trace_connect" && (kind == "BANDWIDTH" || kind == "LATENCY"))
    refuse(fmt::format("a platform with profiles of a link (trace_connect, kind {})", kind));
}

struct Scaler : pugi::xml_tree_walker {
  const std::string &file;
  const Scale &scale;
  Scaler(const std::string &file, const Scale &scale) : file(file), scale(scale) {}

  bool for_each(pugi::xml_node &node) override {
    if (node.type() != pugi::node_element)
      return true;
    refuseProfiles(node, file);
    for (pugi::xml_attribute attribute : node.attributes())
      if (const Attribute *known = find(node.name(), attribute.name()))
        attribute.set_value(scaled(attribute.value(), known->figure, scale).c_str());
    return true;
  }
};

struct Profiles : pugi::xml_tree_walker {
  std::vector<std::string> files;

  bool for_each(pugi::xml_node &node) override {
    for (pugi::xml_attribute attribute : node.attributes())
      if (namesProfile(node.name(), attribute.name()))
        files.emplace_back(attribute.value());
    return true;
  }
};

struct TextOf : pugi::xml_writer {
  std::string text;
  void write(const void *data, size_t size) override {
    text.append(static_cast<const char *>(data), size);
  }
};

constexpr std::string_view OneLine[] = {"cluster:", "torus:", "fattree:", "dragonfly:"};

} // namespace

bool isOneLine(const std::string &platform) {
  return std::ranges::any_of(OneLine,
                             [&](std::string_view name) { return platform.starts_with(name); });
}

std::string scaledLine(const std::string &line, const Scale &scale) {
  const size_t colon = line.find(':') + 1;
  std::string result = line.substr(0, colon);
  bool hasSpeed = false;
  for (size_t begin = colon; begin < line.size();) {
    const size_t end = std::min(line.find(',', begin), line.size());
    const std::string piece = line.substr(begin, end - begin);
    const size_t equals = piece.find('=');
    const std::string name = piece.substr(0, equals);
    const auto *key = std::ranges::find(Keys, name, &Attribute::name);
    hasSpeed |= name == "speed";
    result += begin == colon ? "" : ",";
    result += key == std::end(Keys) || equals == std::string::npos
                  ? piece
                  : name + "=" + scaled(piece.substr(equals + 1), key->figure, scale);
    begin = end + 1;
  }
  // Not the figure, but the run's default.
  if (!hasSpeed && scale.speed != 1)
    result += ",speed=" + scaled("10Gf", Figure::Speed, scale);
  return result;
}

std::string scaledXml(const std::string &text, const std::string &file, const Scale &scale) {
  pugi::xml_document document;
  // All that there is, and blanks too, so that lines stay where messages say that they are.
  const pugi::xml_parse_result result = document.load_buffer(
      text.data(), text.size(), pugi::parse_full | pugi::parse_ws_pcdata | pugi::parse_fragment,
      pugi::encoding_utf8);
  if (!result)
    throw InputError(file, 0, std::string("not well-formed XML: ") + result.description());
  Scaler scaler(file, scale);
  document.traverse(scaler);
  TextOf variant;
  document.save(variant, "", pugi::format_raw | pugi::format_no_declaration, pugi::encoding_utf8);
  return variant.text;
}

std::vector<std::string> profilesOf(const std::string &text) {
  pugi::xml_document document;
  Profiles profiles;
  if (document.load_buffer(text.data(), text.size(), pugi::parse_default, pugi::encoding_utf8))
    document.traverse(profiles);
  return profiles.files;
}

std::string defaultLine(const std::string &hosts, const std::string &speed) {
  return fmt::format("cluster:n={},speed={},bw=12.5GBps,lat=0.5us,loopback_bw=10GBps,"
                     "loopback_lat=0.1us",
                     hosts, speed);
}

} // namespace gnomon::sweep
