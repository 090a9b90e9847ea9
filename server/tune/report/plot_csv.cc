// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nlohmann/json.hpp"
#include "proto/base/plain_text.h"
#include "server/tune/report/plot.h"
#include "server/tune/report/table.h"

namespace mmtune {
namespace {

/// Reads back to the last bit; of categories, the text.
std::string ValueText(const PlotAxis& axis, double value) {
  if (axis.categories.empty()) return nlohmann::json(value).dump();
  return PlainText(axis.categories.at(static_cast<size_t>(value)));
}

}  // namespace

std::string PlotCsv(const Plot& plot) {
  std::vector<std::string> heading = {"series", plot.x.title, plot.y.title};
  if (!plot.value_title.empty()) heading.push_back(plot.value_title);
  heading.emplace_back("label");
  std::string text = CsvLine(heading);
  for (const PlotSeries& series : plot.series) {
    for (const PlotPoint& point : series.points) {
      std::vector<std::string> row = {PlainText(series.name), ValueText(plot.x, point.x), ValueText(plot.y, point.y)};
      if (!plot.value_title.empty()) row.push_back(point.value ? nlohmann::json(*point.value).dump() : "");
      row.push_back(PlainText(point.label));
      text += CsvLine(row);
    }
  }
  return text;
}

}  // namespace mmtune
