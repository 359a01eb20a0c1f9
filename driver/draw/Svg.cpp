// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Figures as SVG 1.1. Everything that comes from a file is escaped, and numbers have one decimal,
/// so that the last bits of a machine's arithmetic do not show.
#include "draw/Figure.h"

#include <fmt/format.h>

namespace gnomon::draw {
namespace {

constexpr const char *StyleSheet = R"(  <style>
    text { font-family: "DejaVu Sans", Verdana, sans-serif; font-size: 11px; fill: #222 }
    .label { text-anchor: middle; stroke: #fff; stroke-width: 3; paint-order: stroke; stroke-linejoin: round }
    .left { stroke: #fff; stroke-width: 3; paint-order: stroke; stroke-linejoin: round }
    .title { font-size: 12px; font-weight: bold }
    .zone { fill: #3b6ea5; fill-opacity: 0.06; stroke: #7a8ba0; stroke-width: 1 }
    .plate { fill: #f7f9fb; fill-opacity: 0.85 }
    .host { fill: #fff4d6; stroke: #a67c00; stroke-width: 1 }
    .router { fill: #d9e6f2; stroke: #2f4f6f; stroke-width: 1.2 }
    .cable { stroke: #555; fill: none }
    .faint { stroke: #999; fill: none; stroke-dasharray: 3 3 }
    .green { stroke: #2e8b57; fill: none }
    .blue { stroke: #2f6fb5; fill: none }
  </style>
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

std::string escaped(const std::string &text) {
  std::string result;
  for (size_t at = 0; at < text.size();) {
    const size_t length = characterLength(text, at);
    if (length == 0)
      result += "?";
    else if (text[at] == '&')
      result += "&amp;";
    else if (text[at] == '<')
      result += "&lt;";
    else if (text[at] == '>')
      result += "&gt;";
    else
      result += text.substr(at, length);
    at += std::max<size_t>(length, 1);
  }
  return result;
}

std::string render(const Shape &shape) {
  const std::string look = fmt::format("class=\"{}\"", className(shape.look));
  auto n = number;
  switch (shape.kind) {
  case Shape::Kind::Line:
    return fmt::format("  <line {} x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" stroke-width=\"{}\"/>\n",
                       look, n(shape.a.x), n(shape.a.y), n(shape.b.x), n(shape.b.y),
                       n(shape.width));
  case Shape::Kind::Curve:
    return fmt::format("  <path {} d=\"M{} {} Q{} {} {} {}\" stroke-width=\"{}\"/>\n", look,
                       n(shape.a.x), n(shape.a.y), n(shape.bend.x), n(shape.bend.y), n(shape.b.x),
                       n(shape.b.y), n(shape.width));
  case Shape::Kind::Box:
    return fmt::format("  <rect {} x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"4\"/>\n", look,
                       n(shape.a.x), n(shape.a.y), n(shape.b.x), n(shape.b.y));
  case Shape::Kind::Disc:
    return fmt::format("  <circle {} cx=\"{}\" cy=\"{}\" r=\"{}\"/>\n", look, n(shape.a.x),
                       n(shape.a.y), n(shape.width));
  case Shape::Kind::Text:
    return fmt::format("  <text {} x=\"{}\" y=\"{}\">{}</text>\n", look, n(shape.a.x), n(shape.a.y),
                       escaped(shape.text));
  }
  return "";
}

} // namespace

std::string renderSvg(const Figure &figure) {
  std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
  text += fmt::format("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" "
                      "viewBox=\"0 0 {0} {1}\">\n",
                      number(figure.width), number(figure.height));
  text += StyleSheet;
  text += "  <rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n";
  for (const auto *layer : {&figure.back, &figure.links, &figure.front})
    for (const Shape &shape : *layer)
      text += render(shape);
  return text + "</svg>\n";
}

} // namespace gnomon::draw
