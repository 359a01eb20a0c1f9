// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "draw/Figure.h"

#include <algorithm>
#include <cmath>

namespace gnomon::draw {

void Figure::line(Look look, Spot a, Spot b, double strokeWidth) {
  links.push_back({Shape::Kind::Line, look, a, b, {}, strokeWidth, ""});
}

void Figure::curve(Look look, Spot a, Spot bend, Spot b, double strokeWidth) {
  links.push_back({Shape::Kind::Curve, look, a, b, bend, strokeWidth, ""});
}

void Figure::box(Look look, Spot corner, Spot size) {
  (look == Look::Zone ? back : front).push_back({Shape::Kind::Box, look, corner, size, {}, 0, ""});
}

void Figure::disc(Spot middle, double radius) {
  front.push_back({Shape::Kind::Disc, Look::Router, middle, {}, {}, radius, ""});
}

void Figure::text(Look look, Spot place, const std::string &text) {
  if (!text.empty())
    front.push_back({Shape::Kind::Text, look, place, {}, {}, 0, text});
}

void Figure::lineText(Spot place, const std::string &label) {
  const Spot size{textWidth(label) + 4, TextHeight - 1};
  box(Look::Plate, place - Spot{size.x / 2, TextHeight - 4}, size);
  text(Look::Label, place, label);
}

void Figure::host(Spot middle, const std::string &name) {
  box(Look::Host, middle - Spot{HostWidth / 2, HostHeight / 2}, {HostWidth, HostHeight});
  text(Look::Label, middle + Spot{0, HostHeight / 2 + 12}, shortened(name));
}

void Figure::hosts(Spot middle, const std::vector<std::string> &lines) {
  for (double behind : {6.0, 3.0, 0.0})
    box(Look::Host, middle + Spot{behind - HostWidth / 2, -behind - HostHeight / 2},
        {HostWidth, HostHeight});
  for (size_t i = 0; i < lines.size(); ++i)
    text(Look::Label, middle + Spot{0, HostHeight / 2 + 12 + TextHeight * static_cast<double>(i)},
         shortened(lines[i], 34));
}

void Figure::place(const Figure &other, Spot corner) {
  auto copy = [corner](const std::vector<Shape> &from, std::vector<Shape> &to) {
    for (Shape shape : from) {
      shape.a = shape.a + corner;
      if (shape.kind == Shape::Kind::Line || shape.kind == Shape::Kind::Curve)
        shape.b = shape.b + corner; // of a box it is the size
      shape.bend = shape.bend + corner;
      to.push_back(std::move(shape));
    }
  };
  copy(other.back, back);
  copy(other.links, links);
  copy(other.front, front);
  width = std::max(width, corner.x + other.width);
  height = std::max(height, corner.y + other.height);
}

double textWidth(const std::string &text) {
  // Bytes that go on a character are not one of their own.
  auto characters = std::ranges::count_if(text, [](char c) { return (c & 0xc0) != 0x80; });
  return 6.4 * static_cast<double>(characters);
}

double strokeWidth(double bytesPerSecond) {
  constexpr double Gigabit = 1e9 / 8;
  return std::clamp(2 + 1.5 * std::log10(bytesPerSecond / Gigabit), 0.8, 10.0);
}

Figure boxed(const Figure &figure, const std::string &title) {
  constexpr double Margin = 14, TitleHeight = 22;
  Figure result;
  const double width = std::max(figure.width + 2 * Margin, textWidth(title) * 1.25 + 2 * Margin);
  const double height = figure.height + TitleHeight + 2 * Margin;
  result.box(Look::Zone, {0, 0}, {width, height});
  result.text(Look::Title, {Margin, TitleHeight - 4}, title);
  result.place(figure, {(width - figure.width) / 2, TitleHeight + Margin});
  result.width = width;
  result.height = height;
  return result;
}

Spot border(Spot middle, Spot size, Spot target) {
  const Spot way = target - middle;
  double reach = 1;
  if (std::abs(way.x) > size.x / 2)
    reach = std::min(reach, size.x / 2 / std::abs(way.x));
  if (std::abs(way.y) > size.y / 2)
    reach = std::min(reach, size.y / 2 / std::abs(way.y));
  return middle + way * reach;
}

std::string shortened(const std::string &text, size_t most) {
  if (text.size() <= most)
    return text;
  // Cut between characters: a byte that goes on a character stays with it.
  size_t head = most / 2, tail = text.size() - most / 2 + 1;
  while (head > 0 && (text[head] & 0xc0) == 0x80)
    --head;
  while (tail < text.size() && (text[tail] & 0xc0) == 0x80)
    ++tail;
  return text.substr(0, head) + "…" + text.substr(tail);
}

} // namespace gnomon::draw
