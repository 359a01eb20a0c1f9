// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "calibration/Plot.h"

#include "draw/Figure.h"
#include "draw/Quantities.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace gnomon::calibration {
namespace {

using draw::Figure;
using draw::Look;
using draw::Spot;

constexpr double Margin = 16, PlotWidth = 400, PlotHeight = 240, AxisWidth = 64, AxisHeight = 40;
constexpr double HeadHeight = 40, PointRadius = 2, TextHeightOfHead = 24;
constexpr size_t Columns = 2;

/// Logarithms to places: whole powers of \p base around all values.
struct LogAxis {
  double base, low, high; ///< low, high: exponents

  LogAxis(double logBase, double least, double greatest) : base(logBase) {
    low = std::floor(exponent(least) + 1e-9);
    high = std::max(std::ceil(exponent(greatest) - 1e-9), low + 1);
  }
  double exponent(double value) const { return std::log(value) / std::log(base); }
  /// From 0 to 1.
  double place(double value) const { return (exponent(value) - low) / (high - low); }
  double value(double exponentOf) const { return std::pow(base, exponentOf); }
};

/// Sizes begin at 1: an empty message stands there, too.
double shown(double bytes) { return std::max(bytes, 1.0); }

class Panel {
public:
  explicit Panel(const Reproduced &series)
      : series_(series), sizes_(2, 1, greatestSize(series)),
        times_(10, leastTime(series), greatestTime(series)) {}

  Figure draw() {
    figure_.width = AxisWidth + PlotWidth + Margin;
    figure_.height = HeadHeight + PlotHeight + AxisHeight;
    figure_.text(Look::Title, {AxisWidth, 12}, series_.name);
    figure_.text(Look::LeftLabel, {AxisWidth, 28},
                 fmt::format("{} sizes; mean error {}, worst {} at {:.0f} bytes",
                             series_.points.size(), percentText(series_.error.mean),
                             percentText(series_.error.worst), series_.error.worstBytes));
    axes();
    for (size_t at = 0; at < series_.points.size(); ++at)
      point(at);
    return std::move(figure_);
  }

private:
  static double greatestSize(const Reproduced &series) {
    double greatest = 2;
    for (const Reproduced::At &point : series.points)
      greatest = std::max(greatest, point.bytes);
    return greatest;
  }
  static double leastTime(const Reproduced &series) {
    double least = series.points.front().measured;
    for (const Reproduced::At &point : series.points)
      least = std::min({least, point.measured, point.predicted});
    return least;
  }
  static double greatestTime(const Reproduced &series) {
    double greatest = 0;
    for (const Reproduced::At &point : series.points)
      greatest = std::max({greatest, point.measured, point.predicted});
    return greatest;
  }

  Spot spot(double bytes, double seconds) const {
    const double y = std::clamp(times_.place(seconds), 0.0, 1.0);
    return {AxisWidth + PlotWidth * sizes_.place(shown(bytes)), HeadHeight + PlotHeight * (1 - y)};
  }

  void axes() {
    const double bottom = HeadHeight + PlotHeight, right = AxisWidth + PlotWidth;
    const double step = sizes_.high - sizes_.low > 12 ? 4 : 2;
    for (double e = sizes_.low; e <= sizes_.high; e += step) {
      const double x = spot(sizes_.value(e), sizes_.value(0)).x;
      figure_.line(e == sizes_.low ? Look::Axis : Look::Grid, {x, HeadHeight}, {x, bottom}, 1);
      figure_.text(Look::Label, {x, bottom + 14}, fmt::format("{:.0f}", sizes_.value(e)));
    }
    for (double e = times_.low; e <= times_.high; e += 1) {
      const double y = spot(1, times_.value(e)).y;
      figure_.line(e == times_.low ? Look::Axis : Look::Grid, {AxisWidth, y}, {right, y}, 1);
      figure_.text(Look::RightLabel, {AxisWidth - 5, y + 4}, draw::formatSeconds(times_.value(e)));
    }
    figure_.text(Look::Label, {AxisWidth + PlotWidth / 2, bottom + 30}, "bytes");
  }

  void point(size_t at) {
    const Reproduced::At &here = series_.points[at];
    if (at > 0) {
      const Reproduced::At &before = series_.points[at - 1];
      figure_.line(Look::Blue, spot(before.bytes, before.predicted),
                   spot(here.bytes, here.predicted), 1.5);
    }
    if (here.high > here.low && here.low > 0)
      figure_.line(Look::Cable, spot(here.bytes, here.low), spot(here.bytes, here.high), 1);
    figure_.disc(spot(here.bytes, here.measured), PointRadius);
  }

  const Reproduced &series_;
  LogAxis sizes_, times_;
  Figure figure_;
};

} // namespace

std::string renderSvg(const Result &result) {
  Figure figure;
  figure.text(Look::Title, {Margin, Margin + 10},
              draw::shortened(fmt::format("{}: points as measured, lines as model {} has them",
                                          fmt::join(result.measured.files, ", "),
                                          nameOf(result.machine.model)),
                              110));
  figure.width = 2 * Margin + Columns * (AxisWidth + PlotWidth + 2 * Margin);
  figure.height = 2 * Margin + TextHeightOfHead;
  for (size_t at = 0; at < result.reproduced.size(); ++at) {
    const Figure panel = Panel(result.reproduced[at]).draw();
    const Spot corner{Margin + static_cast<double>(at % Columns) * (panel.width + Margin),
                      Margin + TextHeightOfHead +
                          static_cast<double>(at / Columns) * (panel.height + Margin)};
    figure.place(panel, corner);
    figure.height = corner.y + panel.height + Margin;
  }
  return draw::renderSvg(figure);
}

} // namespace gnomon::calibration
