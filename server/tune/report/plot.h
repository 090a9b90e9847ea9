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
  std::optional<double> value;  ///< Shown by the colour: 0 to the largest of its series.
  std::string label;            ///< Describes the point: its tooltip, and the last column of the table.
  int64_t record = 0;           ///< Id of the record that it shows; 0: none.
};

/// `kSteps` is a line that keeps its height until its next point.
enum class PlotKind { kSteps, kLine, kDots, kCrosses, kBars };

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

/// `kRecord`: a point has its record's id as the attribute data-record in place of its label; page/report.js makes the
/// tooltip from the data of the page.
enum class PlotLabels { kText, kRecord };

/// Returns a whole SVG file, light or dark as its reader is. Texts are escaped.
std::string PlotSvg(const Plot& plot, PlotLabels labels = PlotLabels::kText);
/// Returns a heading, and a row for each point: series, x, y, the value where there are any, and the label.
std::string PlotCsv(const Plot& plot);

/// Escapes a text for a text node or a quoted attribute of HTML and SVG.
std::string MarkupText(std::string_view text);

}  // namespace mmtune
