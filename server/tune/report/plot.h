// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The data of a plot, and functions that write it as a drawing (SVG) or as a table (CSV). The page of `tune report` and
// its option --plot use the same drawings.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mmtune {

struct PlotPoint {
  double x = 0, y = 0;
  /// The value that the colour of the point shows, by the scale beside the plot. Absent: the point has the colour of
  /// its series.
  std::optional<double> value;
  std::string label;   ///< Describes the point: its tooltip, and the last column of the table; may be empty.
  int64_t record = 0;  ///< The id of the record that the point shows; 0: none.
};

enum class PlotKind {
  kSteps,  ///< A step function: the line is horizontal up to the next point.
  kLine,   ///< A straight line between neighbouring points.
  kDots,
  kCrosses,
  kBars,   ///< Bars that stand on 0.
  kCells,  ///< A filled cell of two categorical axes. It also has the value as a number if there is room.
};

struct PlotSeries {
  std::string name;
  PlotKind kind = PlotKind::kDots;
  std::vector<PlotPoint> points;
};

struct PlotAxis {
  std::string title;
  bool logarithmic = false;             ///< All values must then be above 0.
  std::vector<std::string> categories;  ///< If not empty, a coordinate is an index into these.
};

struct Plot {
  std::string title;
  PlotAxis x, y;
  std::string value_title;  ///< The name of PlotPoint::value; empty if no point has one.
  std::vector<PlotSeries> series;
};

enum class PlotUse {
  kFile,  ///< A file of its own. The drawing has a title, and each point has its label as a tooltip.
  /// A part of the page, without a title. The attribute data-record of a point has the id of its record, from which
  /// page/report.js makes the tooltip.
  kPage,
};

/// Returns a whole SVG file. Its colours follow the light or dark mode of the viewer. Texts are escaped.
std::string PlotSvg(const Plot& plot, PlotUse use = PlotUse::kFile);
/// Returns a heading, and a row for each point: series, x, y, the value if any point has one, and the label.
std::string PlotCsv(const Plot& plot);

/// Escapes a text for a text node or a quoted attribute of HTML and SVG.
std::string MarkupText(std::string_view text);

}  // namespace mmtune
