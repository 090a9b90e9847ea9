// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Texts of a log in HTML and SVG.
//
// A plot as values, and what is written of it: a drawing for documents, or a table.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_replace.h"
#include "proto/base/plain_text.h"

namespace mmtune {

/// As a text node or a quoted attribute.
inline std::string MarkupText(std::string_view text) {
  return absl::StrReplaceAll(PlainText(text),
                             {{"&", "&amp;"}, {"<", "&lt;"}, {">", "&gt;"}, {"\"", "&quot;"}, {"'", "&#39;"}});
}

struct PlotPoint {
  double x = 0, y = 0;
  std::optional<double> value;  ///< A third one, that the colour shows: 0 to 1 of the largest.
  std::string label;            ///< What it is of.
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
  std::vector<std::string> categories;  ///< Not empty: a value is the place of one of these.
};

struct Plot {
  std::string title;
  PlotAxis x, y;
  std::string value_title;  ///< Of PlotPoint::value; empty: there are none.
  std::vector<PlotSeries> series;
};

/// A whole file of SVG, light or dark as its reader is. Texts are escaped.
std::string PlotSvg(const Plot& plot);
/// A heading, and a row for each point: series, x, y, the value where there are any, and the label.
std::string PlotCsv(const Plot& plot);

}  // namespace mmtune
