// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A plot as values, and its two forms: a drawing (SVG) and a table (CSV). The drawings of the page of `tune report` are
// the same as those of its single plots.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mmtune {

struct PlotPoint {
  double x = 0, y = 0;
  std::optional<double> value;  ///< Shown by the colour; the bar beside the plot gives the numbers.
  std::string label;            ///< Describes the point: its tooltip, and the last column of the table.
  int64_t record = 0;           ///< Id of the record that it shows; 0: none.
};

enum class PlotKind {
  kSteps,  ///< A line that keeps its height until its next point.
  kLine,   ///< A straight line between neighbouring points.
  kDots,
  kCrosses,
  kBars,   ///< Bars that stand on 0.
  kCells,  ///< A filled cell of two categorical axes, with the point's value as a number where it fits.
};

struct PlotSeries {
  std::string name;
  PlotKind kind = PlotKind::kDots;
  std::vector<PlotPoint> points;
};

struct PlotAxis {
  std::string title;
  bool logarithmic = false;             ///< All values are above 0.
  std::vector<std::string> categories;  ///< Not empty: a value is an index of these.
};

struct Plot {
  std::string title;
  PlotAxis x, y;
  std::string value_title;  ///< Names PlotPoint::value; empty: there are none.
  std::vector<PlotSeries> series;
};

enum class PlotUse {
  kFile,  ///< A drawing that stands alone: it has its title, and each point its label as a tooltip.
  kPage,  ///< A part of the page, which has a heading. A point names its record by the attribute data-record, and
          ///< page/report.js makes the tooltip from the data of the page.
};

/// Returns a whole SVG file, light or dark as its reader is. Texts are escaped.
std::string PlotSvg(const Plot& plot, PlotUse use = PlotUse::kFile);
/// Returns a heading, and a row for each point: series, x, y, the value where there are any, and the label.
std::string PlotCsv(const Plot& plot);

/// Escapes a text for a text node or a quoted attribute of HTML and SVG.
std::string MarkupText(std::string_view text);

}  // namespace mmtune
