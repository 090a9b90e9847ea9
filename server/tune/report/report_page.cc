// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/tune/report/report_page.h"

#include "absl/strings/str_replace.h"
#include "proto/base/plain_text.h"
#include "proto/base/status.h"
#include "server/tune/report/markup_text.h"

namespace mmtune {
std::string ReportPage(std::string_view title, const nlohmann::ordered_json& data) {
  const PageParts& parts = ReportPageParts();
  // "</script>" and "<!--" would end the element, or begin a comment: JSON says '<' otherwise, too.
  const std::string json = absl::StrReplaceAll(
      PrintableJson(data.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace)), {{"<", "\\u003c"}});
  return absl::StrReplaceAll(ToAbsl(parts.html), {{"{{title}}", MarkupText(title)},
                                                  {"{{style}}", ToAbsl(parts.css)},
                                                  {"{{data}}", json},
                                                  {"{{chart}}", ToAbsl(parts.chart_js)},
                                                  {"{{script}}", ToAbsl(parts.js)}});
}

}  // namespace mmtune
