// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A drawing as a value: shapes in three layers, and a size. Figures are put together by placing
/// one in another. Units are SVG's user units (pixels), y grows downwards; a figure's own area
/// begins at (0, 0).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace gnomon::draw {

struct Spot {
  double x = 0, y = 0;
  friend Spot operator+(Spot a, Spot b) { return {a.x + b.x, a.y + b.y}; }
  friend Spot operator-(Spot a, Spot b) { return {a.x - b.x, a.y - b.y}; }
  friend Spot operator*(Spot a, double k) { return {a.x * k, a.y * k}; }
};

/// The classes of the style sheet in Svg.cpp.
enum class Look : uint8_t {
  Zone,       ///< a box around the parts of a zone
  Host,       ///< a small box
  Router,     ///< a disc: a router or switch
  Cable,      ///< a link, as wide as its bandwidth asks
  Faint,      ///< a link that goes on where nothing is drawn
  Green,      ///< a dragonfly's link in a chassis
  Blue,       ///< a dragonfly's link between groups
  Title,      ///< a zone's name
  Label,      ///< a name or figure, centred
  Plate,      ///< what makes a label readable on top of lines
  LeftLabel,  ///< a name or figure that begins at its place
  RightLabel, ///< a name or figure that ends at its place
  Axis,       ///< a plot's axis
  Grid,       ///< a line across a plot, where its axis has a figure
  Bar0,       ///< a bar of a plot, in one of six colours
  Bar1,
  Bar2,
  Bar3,
  Bar4,
  Bar5,
};

struct Shape {
  enum class Kind : uint8_t { Line, Curve, Box, Disc, Text } kind;
  Look look;
  Spot a, b;        ///< Line, Curve: the ends; Box: corner and size; Disc, Text: the middle is a
  Spot bend;        ///< Curve: its control point
  double width = 0; ///< Line, Curve: of the stroke; Disc: the radius
  std::string text;
};

class Figure {
public:
  double width = 0, height = 0;
  std::vector<Shape> back, links, front; ///< painted in this order

  void line(Look look, Spot a, Spot b, double strokeWidth);
  void curve(Look look, Spot a, Spot bend, Spot b, double strokeWidth);
  void box(Look look, Spot corner, Spot size);
  void disc(Spot middle, double radius);
  void text(Look look, Spot place, const std::string &text);
  /// A label in the middle of a line, with a plate under it.
  void lineText(Spot place, const std::string &text);
  /// A host's box of HostWidth x HostHeight around \p middle, with \p name below it.
  void host(Spot middle, const std::string &name);
  /// Three boxes, one behind the other: many hosts. \p lines are written below.
  void hosts(Spot middle, const std::vector<std::string> &lines);
  /// Copies the shapes of \p other so that its (0, 0) comes to \p corner.
  void place(const Figure &other, Spot corner);

  Spot middle() const { return {width / 2, height / 2}; }
};

inline constexpr double HostWidth = 34, HostHeight = 18;
inline constexpr double TextHeight = 14; ///< from one line to the next

/// About as wide as \p text comes out, in the fonts of the style sheet.
double textWidth(const std::string &text);
/// A stroke for a bandwidth, bytes/s: 2 for 1 Gbit/s, 1.5 more for ten times as much.
double strokeWidth(double bytesPerSecond);
/// \p figure in a zone's box with a title.
Figure boxed(const Figure &figure, const std::string &title);
/// \p text without its middle when it is long.
std::string shortened(const std::string &text, size_t most = 22);

/// Where the line from the middle of a box towards \p target leaves the box of \p size.
Spot border(Spot middle, Spot size, Spot target);

/// An SVG document of \p figure, the same bytes for the same figure.
std::string renderSvg(const Figure &figure);

} // namespace gnomon::draw
