// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sweep/Plot.h"

#include "draw/Figure.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace gnomon::sweep {
namespace {

using draw::Figure;
using draw::Look;

constexpr double Margin = 16, BarHeight = 14, Pitch = 18, GroupGap = 10, PlotWidth = 460;
constexpr double AxisHeight = 40, HeadHeight = 46;
constexpr draw::Look Colours[] = {Look::Bar0, Look::Bar1, Look::Bar2,
                                  Look::Bar3, Look::Bar4, Look::Bar5};

/// A unit of time in which the longest bar is at least 1.
struct TimeUnit {
  double seconds;
  const char *name;
};
constexpr TimeUnit Units[] = {{1, "s"}, {1e-3, "ms"}, {1e-6, "us"}, {1e-9, "ns"}};

/// Times to places: the axis ends behind the longest bar, at a step of 1, 2 or 5 times a power of 10.
struct TimeAxis {
  TimeUnit unit = Units[0];
  double step = 1, steps = 1; ///< in the unit
  double left = 0;

  TimeAxis(double longestSeconds, double begin) : left(begin) {
    if (!(longestSeconds > 0))
      return;
    const auto *fits = std::ranges::find_if(
        Units, [&](const TimeUnit &candidate) { return longestSeconds >= candidate.seconds; });
    unit = fits == std::end(Units) ? std::end(Units)[-1] : *fits;
    const double longest = longestSeconds / unit.seconds;
    const double power = std::pow(10, std::floor(std::log10(longest / 5)));
    for (double digit : {1.0, 2.0, 5.0, 10.0}) {
      step = digit * power;
      if (longest <= step * 6)
        break;
    }
    steps = std::ceil(longest / step);
  }
  double place(double seconds) const {
    return left + PlotWidth * seconds / (unit.seconds * step * steps);
  }
};

std::string joined(const std::vector<std::string> &values, size_t from) {
  return fmt::format("{}",
                     fmt::join(values.begin() + static_cast<ptrdiff_t>(from), values.end(), ", "));
}

class Plot {
public:
  explicit Plot(const Table &table)
      : table_(table), grouped_(table.axes.size() > 1), first_(grouped_ ? 1 : 0),
        axis_(longest(), Margin + labelWidth() + 8) {}

  Figure draw() {
    head();
    const double top = HeadHeight;
    double y = top;
    for (size_t at = 0; at < table_.rows.size(); ++at)
      y = row(at, y);
    axis(top, y + 4);
    figure_.height = y + AxisHeight + Margin;
    figure_.width = std::max(axis_.left + PlotWidth + valueWidth() + Margin, titleWidth_ + Margin);
    return std::move(figure_);
  }

private:
  double longest() const {
    double seconds = 0;
    for (const Row &row : table_.rows)
      if (row.result)
        seconds = std::max(seconds, row.result->simulatedSeconds);
    return seconds;
  }

  std::string label(const Row &row) const {
    return draw::shortened(joined(row.values, first_), 44);
  }

  double labelWidth() const {
    double width = 0;
    for (const Row &row : table_.rows)
      width = std::max(width, draw::textWidth(label(row)));
    return width;
  }

  static double valueWidth() { return draw::textWidth("123.4567 ms") + 8; }

  void head() {
    std::vector<std::string> names;
    for (const Axis &axis : table_.axes)
      names.push_back(axis.name);
    const std::string title = draw::shortened(table_.input, 60) + ": simulated time" +
                              (table_.complete() ? "" : ", INCOMPLETE");
    const std::string keys =
        grouped_ ? "groups: " + names[0] + "; bars: " + joined(names, 1) : "bars: " + names[0];
    figure_.text(Look::Title, {Margin, Margin + 10}, title);
    figure_.text(Look::LeftLabel, {Margin, Margin + 26}, keys);
    titleWidth_ = Margin + std::max(draw::textWidth(title) * 1.25, draw::textWidth(keys));
  }

  /// Draws row \p at, and its group's name if it is its first; returns where the next begins.
  double row(size_t at, double y) {
    const Row &row = table_.rows[at];
    if (grouped_ && (at == 0 || table_.rows[at - 1].values[0] != row.values[0])) {
      y += GroupGap;
      const std::string name = draw::shortened(row.values[0], 80);
      const double nameWidth = draw::textWidth(name) * 1.25;
      figure_.box(Look::Plate, {Margin - 2, y - 1}, {nameWidth + 4, BarHeight + 2});
      figure_.text(Look::Title, {Margin, y + BarHeight - 3}, name);
      titleWidth_ = std::max(titleWidth_, Margin + nameWidth);
      y += Pitch;
    }
    const double base = y + BarHeight - 3;
    figure_.text(Look::RightLabel, {axis_.left - 6, base}, label(row));
    if (row.result) {
      const double end = axis_.place(row.result->simulatedSeconds);
      figure_.box(colour(row), {axis_.left, y}, {std::max(end - axis_.left, 0.5), BarHeight});
      figure_.text(Look::LeftLabel, {end + 5, base}, value(*row.result));
    } else {
      figure_.text(Look::LeftLabel, {axis_.left + 5, base},
                   row.exitCode ? fmt::format("exit code {}", *row.exitCode) : "did not run");
    }
    return y + Pitch;
  }

  std::string value(const Row::Result &result) const {
    return fmt::format("{:.4g} {}", result.simulatedSeconds / axis_.unit.seconds, axis_.unit.name);
  }

  /// By the value of the second axis, so that what is the same has one colour in all groups.
  Look colour(const Row &row) const {
    if (!grouped_)
      return Colours[0];
    const std::vector<std::string> &values = table_.axes[1].values;
    const auto place = std::ranges::find(values, row.values[1]) - values.begin();
    return Colours[static_cast<size_t>(place) % std::size(Colours)];
  }

  void axis(double top, double bottom) {
    for (int number = 0; number <= static_cast<int>(axis_.steps); ++number) {
      const double time = axis_.step * number, x = axis_.place(time * axis_.unit.seconds);
      figure_.line(number == 0 ? Look::Axis : Look::Grid, {x, top}, {x, bottom}, 1);
      figure_.text(Look::Label, {x, bottom + 14}, fmt::format("{:.6g}", time));
    }
    figure_.line(Look::Axis, {axis_.left, bottom}, {axis_.left + PlotWidth, bottom}, 1);
    figure_.text(Look::Label, {axis_.left + PlotWidth / 2, bottom + 32},
                 fmt::format("simulated time ({})", axis_.unit.name));
  }

  const Table &table_;
  bool grouped_;
  size_t first_; ///< axis of a bar's name
  TimeAxis axis_;
  Figure figure_;
  double titleWidth_ = 0;
};

} // namespace

std::string renderSvg(const Table &table) { return draw::renderSvg(Plot(table).draw()); }

} // namespace gnomon::sweep
