// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The page of `tune report`: one file of HTML with its data, its style and its scripts, which asks no network for
// anything.
#pragma once

#include <string>
#include <string_view>

#include "nlohmann/json.hpp"

namespace mmtune {

/// `title` is escaped; of `data`, whatever texts it holds, nothing can end the element that it stands in.
std::string ReportPage(std::string_view title, const nlohmann::ordered_json& data);

/// The parts that are compiled in: page/report.html, .css and .js, and Chart.js.
struct PageParts {
  std::string_view html, css, js, chart_js;
};
const PageParts& ReportPageParts();

}  // namespace mmtune
