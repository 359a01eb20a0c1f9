// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Figures as SVG 1.1, which pugixml writes. Text that comes from a file may be any bytes and is made
/// legible first; numbers have one decimal, so that the last bits of a machine's arithmetic do not
/// show.
#include "draw/Figure.h"

#include <algorithm>
#include <fmt/format.h>
#include <pugixml.hpp>

namespace gnomon::draw {
namespace {

constexpr const char *StyleSheet = R"(
    text { font-family: "DejaVu Sans", Verdana, sans-serif; font-size: 11px; fill: #222 }
    .label { text-anchor: middle; stroke: #fff; stroke-width: 3; paint-order: stroke; stroke-linejoin: round }
    .left { stroke: #fff; stroke-width: 3; paint-order: stroke; stroke-linejoin: round }
    .right { text-anchor: end; stroke: #fff; stroke-width: 3; paint-order: stroke; stroke-linejoin: round }
    .title { font-size: 12px; font-weight: bold }
    .zone { fill: #3b6ea5; fill-opacity: 0.06; stroke: #7a8ba0; stroke-width: 1 }
    .plate { fill: #f7f9fb; fill-opacity: 0.85 }
    .host { fill: #fff4d6; stroke: #a67c00; stroke-width: 1 }
    .router { fill: #d9e6f2; stroke: #2f4f6f; stroke-width: 1.2 }
    .cable { stroke: #555; fill: none }
    .faint { stroke: #999; fill: none; stroke-dasharray: 3 3 }
    .green { stroke: #2e8b57; fill: none }
    .blue { stroke: #2f6fb5; fill: none }
    .axis { stroke: #222; fill: none }
    .grid { stroke: #ddd; fill: none }
    .bar0 { fill: #4477aa }
    .bar1 { fill: #ee6677 }
    .bar2 { fill: #228833 }
    .bar3 { fill: #ccbb44 }
    .bar4 { fill: #66ccee }
    .bar5 { fill: #aa3377 }
  )";

const char *className(Look look) {
  switch (look) {
  case Look::Zone:
    return "zone";
  case Look::Host:
    return "host";
  case Look::Router:
    return "router";
  case Look::Cable:
    return "cable";
  case Look::Faint:
    return "faint";
  case Look::Green:
    return "green";
  case Look::Blue:
    return "blue";
  case Look::Title:
    return "title";
  case Look::Label:
    return "label";
  case Look::Plate:
    return "plate";
  case Look::LeftLabel:
    return "left";
  case Look::RightLabel:
    return "right";
  case Look::Axis:
    return "axis";
  case Look::Grid:
    return "grid";
  case Look::Bar0:
    return "bar0";
  case Look::Bar1:
    return "bar1";
  case Look::Bar2:
    return "bar2";
  case Look::Bar3:
    return "bar3";
  case Look::Bar4:
    return "bar4";
  case Look::Bar5:
    return "bar5";
  }
  return "";
}

std::string number(double value) {
  std::string text = fmt::format("{:.1f}", value);
  if (text.ends_with(".0"))
    text.resize(text.size() - 2);
  return text == "-0" ? "0" : text;
}

/// The length of the well-formed UTF-8 character at \p text[at]; 0: there is none, or XML has no
/// such character.
size_t characterLength(const std::string &text, size_t at) {
  auto byte = [&](size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
  auto goesOn = [&](size_t i) { return (byte(i) & 0xc0) == 0x80; };
  const unsigned first = byte(at), second = byte(at + 1);
  if (first < 0x80)
    return first >= 0x20 ? 1 : 0;
  if (first >= 0xc2 && first <= 0xdf)
    return goesOn(at + 1) ? 2 : 0;
  if (first >= 0xe0 && first <= 0xef) {
    const bool overlong = first == 0xe0 && second < 0xa0,
               surrogate = first == 0xed && second >= 0xa0;
    const bool noCharacter = first == 0xef && second == 0xbf && byte(at + 2) >= 0xbe;
    return goesOn(at + 1) && goesOn(at + 2) && !overlong && !surrogate && !noCharacter ? 3 : 0;
  }
  if (first >= 0xf0 && first <= 0xf4) {
    const bool outside = (first == 0xf0 && second < 0x90) || (first == 0xf4 && second >= 0x90);
    return goesOn(at + 1) && goesOn(at + 2) && goesOn(at + 3) && !outside ? 4 : 0;
  }
  return 0;
}

/// \p text with a question mark for each byte of what is no character of XML.
std::string legible(const std::string &text) {
  std::string result;
  for (size_t at = 0; at < text.size();) {
    const size_t length = characterLength(text, at);
    result += length == 0 ? "?" : text.substr(at, length);
    at += std::max<size_t>(length, 1);
  }
  return result;
}

void set(pugi::xml_node node, const char *name, const std::string &value) {
  node.append_attribute(name).set_value(value.c_str());
}

void set(pugi::xml_node node, const char *name, double value) { set(node, name, number(value)); }

void setPlace(pugi::xml_node node, Spot place) {
  set(node, "x", place.x);
  set(node, "y", place.y);
}

void appendLine(pugi::xml_node node, const Shape &shape) {
  set(node, "x1", shape.a.x);
  set(node, "y1", shape.a.y);
  set(node, "x2", shape.b.x);
  set(node, "y2", shape.b.y);
  set(node, "stroke-width", shape.width);
}

void appendCurve(pugi::xml_node node, const Shape &shape) {
  set(node, "d",
      fmt::format("M{} {} Q{} {} {} {}", number(shape.a.x), number(shape.a.y), number(shape.bend.x),
                  number(shape.bend.y), number(shape.b.x), number(shape.b.y)));
  set(node, "stroke-width", shape.width);
}

void appendBox(pugi::xml_node node, const Shape &shape) {
  setPlace(node, shape.a);
  set(node, "width", shape.b.x);
  set(node, "height", shape.b.y);
  set(node, "rx", 4);
}

void appendDisc(pugi::xml_node node, const Shape &shape) {
  set(node, "cx", shape.a.x);
  set(node, "cy", shape.a.y);
  set(node, "r", shape.width);
}

void appendText(pugi::xml_node node, const Shape &shape) {
  setPlace(node, shape.a);
  node.append_child(pugi::node_pcdata).set_value(legible(shape.text).c_str());
}

/// The element of each kind of shape, in the order of Shape::Kind.
constexpr struct {
  const char *element;
  void (*append)(pugi::xml_node node, const Shape &shape);
} Elements[] = {{"line", appendLine},
                {"path", appendCurve},
                {"rect", appendBox},
                {"circle", appendDisc},
                {"text", appendText}};

void append(pugi::xml_node svg, const Shape &shape) {
  const auto &[element, appendTo] = Elements[static_cast<size_t>(shape.kind)];
  pugi::xml_node node = svg.append_child(element);
  set(node, "class", className(shape.look));
  appendTo(node, shape);
}

/// The root element with the style sheet and a white ground.
pugi::xml_node appendRoot(pugi::xml_document &document, const Figure &figure) {
  pugi::xml_node declaration = document.append_child(pugi::node_declaration);
  set(declaration, "version", "1.0");
  set(declaration, "encoding", "UTF-8");
  pugi::xml_node svg = document.append_child("svg");
  set(svg, "xmlns", "http://www.w3.org/2000/svg");
  set(svg, "width", figure.width);
  set(svg, "height", figure.height);
  set(svg, "viewBox", fmt::format("0 0 {} {}", number(figure.width), number(figure.height)));
  svg.append_child("style").append_child(pugi::node_pcdata).set_value(StyleSheet);
  pugi::xml_node ground = svg.append_child("rect");
  set(ground, "width", "100%");
  set(ground, "height", "100%");
  set(ground, "fill", "#fff");
  return svg;
}

struct TextOf : pugi::xml_writer {
  std::string text;
  void write(const void *data, size_t size) override {
    text.append(static_cast<const char *>(data), size);
  }
};

} // namespace

std::string renderSvg(const Figure &figure) {
  pugi::xml_document document;
  pugi::xml_node svg = appendRoot(document, figure);
  for (const auto *layer : {&figure.back, &figure.links, &figure.front})
    for (const Shape &shape : *layer)
      append(svg, shape);
  TextOf svgText;
  document.save(svgText, "  ", pugi::format_indent, pugi::encoding_utf8);
  return svgText.text;
}

} // namespace gnomon::draw
