// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/tune/report/plot.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_replace.h"
#include "nlohmann/json.hpp"
#include "proto/base/plain_text.h"
#include "server/tune/report/table.h"

namespace mmtune {
namespace {

/// Returns a number that reads back to the last bit, or the text of a category.
std::string ValueText(const PlotAxis& axis, double value) {
  if (axis.categories.empty()) return nlohmann::json(value).dump();
  return PlainText(axis.categories.at(static_cast<size_t>(value)));
}

constexpr double kWidth = 880, kHeight = 480;
constexpr double kLeft = 84, kRight = 24, kTop = 48, kBottom = 60, kLegendRow = 18;
constexpr size_t kMostNamed = 12;  // Series in the legend.
constexpr size_t kMostTicks = 24;  // Of categories.

// The colours of Okabe and Ito, and of viridis: people with any colour vision can tell them apart.
constexpr const char* kColours[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                    "#e69f00", "#56b4e9", "#8c6bb1", "#7f7f7f"};
/// Tells series of the same colour apart.
constexpr const char* kDashes[] = {"none", "8 4", "2 3"};
constexpr int kViridis[][3] = {{68, 1, 84},    {72, 40, 120},  {62, 74, 137},  {49, 104, 142}, {38, 130, 142},
                               {31, 158, 137}, {53, 183, 121}, {109, 205, 89}, {180, 222, 44}, {253, 231, 37}};

std::string Viridis(double share) {
  const double at = std::clamp(share, 0.0, 1.0) * static_cast<double>(std::size(kViridis) - 1);
  const size_t low = std::min(static_cast<size_t>(at), std::size(kViridis) - 2);
  const auto mixed = [&](size_t i) {
    const double from = kViridis[low][i], to = kViridis[low + 1][i];
    return std::lround(from + (at - static_cast<double>(low)) * (to - from));
  };
  return absl::StrFormat("rgb(%d,%d,%d)", mixed(0), mixed(1), mixed(2));
}

std::string NumberText(double value) { return absl::StrFormat("%.4g", value); }

/// Maps the values of an axis to the drawing.
class Scale {
 public:
  Scale(const PlotAxis& axis, const std::vector<double>& values, double from, double to, bool from_zero)
      : axis_(axis), from_(from), to_(to) {
    if (!axis.categories.empty()) {
      low_ = -0.5;
      high_ = static_cast<double>(axis.categories.size()) - 0.5;
      return;
    }
    if (!values.empty()) {
      const auto [least, most] = std::minmax_element(values.begin(), values.end());
      low_ = At(*least);
      high_ = At(*most);
    }
    if (from_zero && !axis.logarithmic) low_ = std::min(low_, 0.0);
    if (high_ <= low_) high_ = low_ + std::max(1.0, 0.1 * std::fabs(low_));
    const double margin = 0.04 * (high_ - low_);
    high_ += margin;
    if (!from_zero || low_ < 0) low_ -= margin;
  }

  double Place(double value) const { return from_ + (At(value) - low_) / (high_ - low_) * (to_ - from_); }

  std::vector<std::pair<double, std::string>> Ticks() const {
    std::vector<std::pair<double, std::string>> ticks;
    if (!axis_.categories.empty()) {
      const size_t step = (axis_.categories.size() + kMostTicks - 1) / kMostTicks;
      for (size_t i = 0; i < axis_.categories.size(); i += step) {
        ticks.emplace_back(Place(static_cast<double>(i)), axis_.categories[i]);
      }
      return ticks;
    }
    // 1, 2 or 5 times a power of ten, so that there are five or so; of logarithms, each power and perhaps parts of it.
    if (axis_.logarithmic) {
      for (double power = std::floor(low_); power <= high_; ++power) {
        for (const double times : high_ - low_ > 2 ? std::vector<double>{1} : std::vector<double>{1, 2, 5}) {
          const double value = times * std::pow(10, power);
          if (At(value) >= low_ && At(value) <= high_) ticks.emplace_back(Place(value), NumberText(value));
        }
      }
      return ticks;
    }
    const double rough = (high_ - low_) / 6;
    const double power = std::pow(10, std::floor(std::log10(rough)));
    double step = power;
    for (const double times : {1.0, 2.0, 5.0, 10.0}) {
      step = times * power;
      if (step >= rough) break;
    }
    const double first = std::ceil(low_ / step);
    for (int i = 0; i <= 12 && (first + i) * step <= high_; ++i) {
      ticks.emplace_back(Place((first + i) * step), NumberText((first + i) * step));
    }
    return ticks;
  }

 private:
  double At(double value) const { return axis_.logarithmic ? std::log10(value) : value; }

  const PlotAxis& axis_;
  const double from_, to_;
  double low_ = 0, high_ = 1;
};

std::string Text(double x, double y, const char* anchor, const std::string& text, const char* more = "") {
  return absl::StrFormat("<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\"%s>%s</text>\n", x, y, anchor, more,
                         MarkupText(text));
}

std::string Line(double x1, double y1, double x2, double y2, const char* kind) {
  return absl::StrFormat("<line class=\"%s\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>\n", kind, x1, y1, x2,
                         y2);
}

class Drawing {
 public:
  Drawing(const Plot& plot, PlotLabels labels)
      : plot_(plot),
        labels_(labels),
        x_(plot.x, Values(&PlotPoint::x), kLeft, kWidth - kRight, false),
        y_(plot.y, Values(&PlotPoint::y), Bottom(), Top(), true) {}

  std::string Svg() {
    std::string svg = absl::StrFormat(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.0f %.0f\" role=\"img\">\n<title>%s</title>\n"
        "<style>svg{background:#fff;color:#222;font:13px sans-serif}text{fill:currentColor}.axis{stroke:currentColor}"
        ".grid{stroke:#8884}.ran{stroke:#8888}@media(prefers-color-scheme:dark){svg{background:#16181c;color:#ddd}}"
        "</style>\n",
        kWidth, kHeight, MarkupText(plot_.title));
    absl::StrAppend(&svg, Text(kLeft, 24, "start", plot_.title, " font-weight=\"bold\""), Axes());
    for (size_t i = 0; i < plot_.series.size(); ++i) {
      absl::StrAppend(&svg, Series(plot_.series[i], kColours[i % std::size(kColours)],
                                   kDashes[i / std::size(kColours) % std::size(kDashes)]));
    }
    return absl::StrCat(svg, Legend(), "</svg>\n");
  }

 private:
  std::vector<double> Values(double PlotPoint::* of) const {
    std::vector<double> values;
    for (const PlotSeries& series : plot_.series) {
      for (const PlotPoint& point : series.points) values.push_back(point.*of);
    }
    return values;
  }

  bool HasLegend() const {
    const size_t series = plot_.series.size();
    return series <= kMostNamed && (series > 1 || (series == 1 && plot_.series[0].kind == PlotKind::kSteps));
  }
  double Top() const {
    return kTop + (HasLegend() ? kLegendRow * static_cast<double>((plot_.series.size() + 1) / 2) : 0);
  }
  static double Bottom() { return kHeight - kBottom; }

  std::string Axes() const {
    std::string svg;
    for (const auto& [at, text] : x_.Ticks()) {
      absl::StrAppend(&svg, Line(at, Top(), at, Bottom(), "grid"), Text(at, Bottom() + 18, "middle", text));
    }
    for (const auto& [at, text] : y_.Ticks()) {
      absl::StrAppend(&svg, Line(kLeft, at, kWidth - kRight, at, "grid"), Text(kLeft - 8, at + 4, "end", text));
    }
    absl::StrAppend(&svg, Line(kLeft, Bottom(), kWidth - kRight, Bottom(), "axis"),
                    Line(kLeft, Top(), kLeft, Bottom(), "axis"),
                    Text((kLeft + kWidth - kRight) / 2, kHeight - 16, "middle", plot_.x.title));
    const double middle = (Top() + Bottom()) / 2;
    return absl::StrCat(svg, Text(18, middle, "middle", plot_.y.title,
                                  absl::StrFormat(" transform=\"rotate(-90 18 %.1f)\"", middle).c_str()));
  }

  /// Moves points of one place apart by a little, the same way each time.
  double Spread(const PlotAxis& axis, size_t i, double salt) const {
    if (axis.categories.empty() || plot_.value_title.empty()) return 0;
    return (std::fmod(static_cast<double>(i + 1) * salt, 1.0) - 0.5) * 0.6;
  }

  /// Returns the attribute and the child element of a point that say what it shows.
  std::pair<std::string, std::string> Description(const PlotPoint& point) const {
    if (labels_ == PlotLabels::kRecord && point.record != 0)
      return {absl::StrCat(" data-record=\"", point.record, "\""), ""};
    return {"", point.label.empty() ? "" : absl::StrCat("<title>", MarkupText(point.label), "</title>")};
  }

  std::string Series(const PlotSeries& series, const char* colour, const char* dash) const {
    std::string svg, path;
    double most = 0;
    for (const PlotPoint& point : series.points) most = std::max(most, point.value.value_or(0));
    double before = 0;
    for (size_t i = 0; i < series.points.size(); ++i) {
      const PlotPoint& point = series.points[i];
      const double x = x_.Place(point.x + Spread(plot_.x, i, 0.6180339887));
      const double y = y_.Place(point.y + Spread(plot_.y, i, 0.7548776662));
      const auto [record, title] = Description(point);
      switch (series.kind) {
        case PlotKind::kSteps:
          if (i > 0) absl::StrAppendFormat(&path, " L%.1f %.1f", x, before);
          [[fallthrough]];
        case PlotKind::kLine:
          absl::StrAppendFormat(&path, "%s%.1f %.1f", i == 0 ? "M" : " L", x, y);
          if (series.kind == PlotKind::kLine) break;
          absl::StrAppendFormat(&svg, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"2.5\" fill=\"%s\"%s>%s</circle>\n", x, y,
                                colour, record, title);
          break;
        case PlotKind::kDots:
          absl::StrAppendFormat(&svg,
                                "<circle class=\"ran\" cx=\"%.1f\" cy=\"%.1f\" r=\"4\" fill=\"%s\"%s>%s</circle>\n", x,
                                y, point.value && most > 0 ? Viridis(*point.value / most) : colour, record, title);
          break;
        case PlotKind::kCrosses:
          absl::StrAppendFormat(&svg,
                                "<path d=\"M%.1f %.1fl8 8m0 -8l-8 8\" stroke=\"%s\" stroke-width=\"2\"%s>%s</path>\n",
                                x - 4, y - 4, colour, record, title);
          break;
        case PlotKind::kBars: {
          const double half = 0.45 * std::fabs(x_.Place(1) - x_.Place(0));
          absl::StrAppendFormat(&svg,
                                "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\">%s</rect>\n",
                                x - half, y, 2 * half, std::max(0.0, y_.Place(0) - y), colour, title);
          break;
        }
      }
      before = y;
    }
    if (path.empty()) return svg;
    return absl::StrCat(svg, "<path d=\"", path, "\" fill=\"none\" stroke=\"", colour, "\" stroke-dasharray=\"", dash,
                        "\" stroke-width=\"2\"/>\n");
  }

  std::string Legend() const {
    if (!HasLegend()) return "";
    std::string svg;
    for (size_t i = 0; i < plot_.series.size(); ++i) {
      const double x = kLeft + static_cast<double>(i % 2) * (kWidth - kLeft - kRight) / 2;
      const double y = kTop - 2 + kLegendRow * static_cast<double>(i / 2);
      absl::StrAppendFormat(&svg, "<rect x=\"%.1f\" y=\"%.1f\" width=\"12\" height=\"12\" fill=\"%s\"/>\n", x, y - 10,
                            kColours[i % std::size(kColours)]);
      absl::StrAppend(&svg, Text(x + 18, y, "start", plot_.series[i].name));
    }
    return svg;
  }

  const Plot& plot_;
  const PlotLabels labels_;
  const Scale x_, y_;
};

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

std::string PlotSvg(const Plot& plot, PlotLabels labels) { return Drawing(plot, labels).Svg(); }

std::string MarkupText(std::string_view text) {
  return absl::StrReplaceAll(PlainText(text),
                             {{"&", "&amp;"}, {"<", "&lt;"}, {">", "&gt;"}, {"\"", "&quot;"}, {"'", "&#39;"}});
}

}  // namespace mmtune
