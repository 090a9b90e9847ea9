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
#include "server/tune/report/format.h"
#include "server/tune/report/table.h"

namespace mmtune {
namespace {

/// Returns a number that reads back to the last bit, or the text of a category.
std::string ValueText(const PlotAxis& axis, double value) {
  if (axis.categories.empty()) return nlohmann::json(value).dump();
  return PlainText(axis.categories.at(static_cast<size_t>(value)));
}

// In pixels of the drawing, which a page shows at about this size so that its texts stay readable.
constexpr double kWidth = 640, kHeight = 400;
constexpr double kLeft = 72, kRight = 20, kBottom = 54, kLegendRow = 18, kTitleRow = 18;
constexpr double kLetter = 7;      // Width of a character.
constexpr double kColourBar = 84;  // Width of the bar of colours with its numbers.
constexpr size_t kMostNamed = 12;  // Series in the legend.

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

std::string NumberText(double value) {
  return std::fabs(value) >= 1000 ? Grouped(std::llround(value)) : absl::StrFormat("%.3g", value);
}

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
      const size_t step = CategoryStep();
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

  /// Returns n if there is room for the name of every nth category.
  size_t CategoryStep() const {
    const std::vector<std::string>& names = axis_.categories;
    const bool across = to_ > from_;
    const double between = std::fabs(to_ - from_) / static_cast<double>(names.size());
    for (size_t step = 1; step < names.size(); ++step) {
      bool fits = true;
      for (size_t i = step; i < names.size(); i += step) {
        const double letters = 1 + 0.5 * static_cast<double>(names[i - step].size() + names[i].size());
        fits &= kLetter * (across ? letters : 2) <= static_cast<double>(step) * between;
      }
      if (fits) return step;
    }
    return names.size();
  }

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
  Drawing(const Plot& plot, PlotUse use)
      : plot_(plot),
        use_(use),
        title_(use == PlotUse::kFile ? TitleLines(plot.title) : std::vector<std::string>()),
        x_(plot.x, Values(&PlotPoint::x), kLeft, Right(), false),
        y_(plot.y, Values(&PlotPoint::y), Bottom(), Top(), true) {
    for (const PlotSeries& series : plot.series) {
      for (const PlotPoint& point : series.points) {
        if (!point.value) continue;
        least_ = least_ ? std::min(*least_, *point.value) : *point.value;
        most_ = std::max(most_, *point.value);
      }
    }
  }

  std::string Svg() {
    std::string svg = absl::StrFormat(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.0f %.0f\" role=\"img\">\n<title>%s</title>\n"
        "<style>svg{background:#fff;color:#222;font:13px sans-serif}text{fill:currentColor}.axis{stroke:currentColor}"
        ".grid{stroke:#8884}.ran{stroke:#8888}@media(prefers-color-scheme:dark){svg{background:#16181c;color:#ddd}}"
        "@media print{svg{background:#fff;color:#222}}</style>\n",
        kWidth, kHeight, MarkupText(plot_.title));
    for (size_t i = 0; i < title_.size(); ++i) {
      const double y = 22 + kTitleRow * static_cast<double>(i);
      absl::StrAppend(&svg, Text(12, y, "start", title_[i], " font-weight=\"bold\""));
    }
    absl::StrAppend(&svg, Axes());
    for (size_t i = 0; i < plot_.series.size(); ++i) {
      absl::StrAppend(&svg, Series(plot_.series[i], kColours[i % std::size(kColours)],
                                   kDashes[i / std::size(kColours) % std::size(kDashes)]));
    }
    return absl::StrCat(svg, Legend(), ColourBar(), "</svg>\n");
  }

 private:
  /// Returns a title in at most two lines that fit in the drawing.
  static std::vector<std::string> TitleLines(const std::string& title) {
    constexpr auto kFits = static_cast<size_t>(kWidth / (kLetter + 0.6));
    if (title.size() <= kFits) return {title};
    size_t end = title.rfind(' ', kFits);
    if (end == std::string::npos) end = kFits;
    std::string rest = title.substr(title[end] == ' ' ? end + 1 : end);
    if (rest.size() > kFits) rest = rest.substr(0, kFits - 3) + "...";
    return {title.substr(0, end), rest};
  }

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
  double LegendTop() const { return 14 + kTitleRow * static_cast<double>(title_.size()); }
  double Top() const {
    return LegendTop() + (HasLegend() ? kLegendRow * static_cast<double>((plot_.series.size() + 1) / 2) : 0);
  }
  double Right() const { return kWidth - kRight - (plot_.value_title.empty() ? 0 : kColourBar); }
  static double Bottom() { return kHeight - kBottom; }

  std::string Axes() const {
    std::string svg;
    for (const auto& [at, text] : x_.Ticks()) {
      absl::StrAppend(&svg, Line(at, Top(), at, Bottom(), "grid"), Text(at, Bottom() + 18, "middle", text));
    }
    for (const auto& [at, text] : y_.Ticks()) {
      absl::StrAppend(&svg, Line(kLeft, at, Right(), at, "grid"), Text(kLeft - 8, at + 4, "end", text));
    }
    absl::StrAppend(&svg, Line(kLeft, Bottom(), Right(), Bottom(), "axis"), Line(kLeft, Top(), kLeft, Bottom(), "axis"),
                    Text((kLeft + Right()) / 2, kHeight - 14, "middle", plot_.x.title));
    const double middle = (Top() + Bottom()) / 2;
    return absl::StrCat(svg, Text(18, middle, "middle", plot_.y.title,
                                  absl::StrFormat(" transform=\"rotate(-90 18 %.1f)\"", middle).c_str()));
  }

  /// Returns the colour of a value between the least and the most of the plot.
  std::string ColourOf(double value) const {
    const double least = least_.value_or(0);
    return Viridis(most_ > least ? (value - least) / (most_ - least) : 1);
  }

  /// Returns a cell with its value as a number, where it fits.
  std::string Cell(const PlotPoint& point, const std::string& record, const std::string& title) const {
    const double width = std::fabs(x_.Place(1) - x_.Place(0)), height = std::fabs(y_.Place(1) - y_.Place(0));
    const double x = x_.Place(point.x), y = y_.Place(point.y), value = point.value.value_or(0);
    std::string svg = absl::StrFormat(
        "<rect class=\"cell\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\"%s>%s</rect>\n",
        x - width / 2 + 1, y - height / 2 + 1, std::max(1.0, width - 2), std::max(1.0, height - 2), ColourOf(value),
        record, title);
    const std::string number = NumberText(value);
    if (height < 2 * kLetter || width < kLetter * static_cast<double>(number.size() + 1)) return svg;
    // The upper half of the colours is light.
    const bool is_light = value - least_.value_or(0) > 0.5 * (most_ - least_.value_or(0));
    return absl::StrCat(svg, Text(x, y + 4.5, "middle", number,
                                  is_light ? " pointer-events=\"none\" style=\"fill:#000\""
                                           : " pointer-events=\"none\" style=\"fill:#fff\""));
  }

  /// Returns the bar that says which number a colour is.
  std::string ColourBar() const {
    if (plot_.value_title.empty() || !least_) return "";
    constexpr double kBarWidth = 14;
    const double left = Right() + 22;
    std::string svg = "<linearGradient id=\"colours\" x1=\"0\" y1=\"1\" x2=\"0\" y2=\"0\">";
    for (const double share : {0.0, 0.2, 0.4, 0.6, 0.8, 1.0}) {
      absl::StrAppendFormat(&svg, "<stop offset=\"%.1f\" stop-color=\"%s\"/>", share, Viridis(share));
    }
    absl::StrAppendFormat(&svg,
                          "</linearGradient>\n<rect x=\"%.1f\" y=\"%.1f\" width=\"%.0f\" height=\"%.1f\" "
                          "fill=\"url(#colours)\"/>\n",
                          left, Top(), kBarWidth, Bottom() - Top());
    for (const double share : {0.0, 0.5, 1.0}) {
      const double value = *least_ + share * (most_ - *least_);
      absl::StrAppend(
          &svg, Text(left + kBarWidth + 4, Bottom() + share * (Top() - Bottom()) + 4, "start", NumberText(value)));
    }
    return absl::StrCat(svg, Text(left - 6, kHeight - 14, "start", plot_.value_title));
  }

  /// Returns the attribute and the child element of a point that say what it shows.
  std::pair<std::string, std::string> Description(const PlotPoint& point) const {
    if (use_ == PlotUse::kPage && point.record != 0) return {absl::StrCat(" data-record=\"", point.record, "\""), ""};
    return {"", point.label.empty() ? "" : absl::StrCat("<title>", MarkupText(point.label), "</title>")};
  }

  std::string Series(const PlotSeries& series, const char* colour, const char* dash) const {
    std::string svg, path;
    double before = 0;
    for (size_t i = 0; i < series.points.size(); ++i) {
      const PlotPoint& point = series.points[i];
      const double x = x_.Place(point.x), y = y_.Place(point.y);
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
                                y, point.value ? ColourOf(*point.value) : colour, record, title);
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
        case PlotKind::kCells:
          svg += Cell(point, record, title);
          break;
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
      const double x = 12 + static_cast<double>(i % 2) * (kWidth - 12) / 2;
      const double y = LegendTop() + 4 + kLegendRow * static_cast<double>(i / 2);
      absl::StrAppendFormat(&svg, "<rect x=\"%.1f\" y=\"%.1f\" width=\"12\" height=\"12\" fill=\"%s\"/>\n", x, y - 10,
                            kColours[i % std::size(kColours)]);
      absl::StrAppend(&svg, Text(x + 18, y, "start", plot_.series[i].name));
    }
    return svg;
  }

  const Plot& plot_;
  const PlotUse use_;
  const std::vector<std::string> title_;
  const Scale x_, y_;
  std::optional<double> least_;  ///< The least of the values that colours show, if there are any.
  double most_ = 0;
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

std::string PlotSvg(const Plot& plot, PlotUse use) { return Drawing(plot, use).Svg(); }

std::string MarkupText(std::string_view text) {
  return absl::StrReplaceAll(PlainText(text),
                             {{"&", "&amp;"}, {"<", "&lt;"}, {">", "&gt;"}, {"\"", "&quot;"}, {"'", "&#39;"}});
}

}  // namespace mmtune
