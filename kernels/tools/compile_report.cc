// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/tools/compile_report.h"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "kernels/tools/model_library.h"
#include "nlohmann/json.hpp"
#include "proto/base/csv_line.h"
#include "proto/base/plain_text.h"
#include "proto/base/status.h"

namespace mmtune {
namespace {

using Rows = std::vector<std::vector<std::string>>;

constexpr size_t kDigestDigits = 12;

/// Aligns the columns that are shown, two spaces apart, without spaces at line ends.
std::string Aligned(const Rows& rows, const std::vector<size_t>& shown) {
  std::vector<size_t> widths(rows.front().size(), 0);
  for (const auto& row : rows) {
    for (size_t i : shown) widths[i] = std::max(widths[i], row[i].size());
  }
  std::string text;
  for (const auto& row : rows) {
    for (size_t i : shown) {
      absl::StrAppend(&text, row[i]);
      if (i != shown.back()) text.append(widths[i] - row[i].size() + 2, ' ');
    }
    text += '\n';
  }
  return text;
}

/// Returns the rows as a table in Markdown, the first as its heading.
std::string Markdown(const Rows& rows) {
  std::string text;
  for (const auto& row : rows) {
    for (const std::string& cell : row) absl::StrAppend(&text, "| ", absl::StrReplaceAll(cell, {{"|", "\\|"}}), " ");
    text += "|\n";
    if (&row != &rows.front()) continue;
    for (size_t i = 0; i < row.size(); ++i) text += "|---";
    text += "|\n";
  }
  return text;
}

size_t LongestLine(std::string_view text) {
  size_t longest = 0;
  for (absl::string_view line : absl::StrSplit(ToAbsl(text), '\n')) longest = std::max(longest, line.size());
  return longest;
}

std::string OrDash(const std::string& text) { return text.empty() ? "-" : text; }

std::string MeasuredText(const ModelKernel& kernel) {
  if (kernel.expected_digest.empty()) return "-";
  if (kernel.expected_digest == kernel.code_digest) return "same code as measured";
  return absl::StrCat("differs from ", kernel.expected_digest.substr(0, kDigestDigits), ": ",
                      kernel.why_other_code.empty() ? "not what was measured" : kernel.why_other_code);
}

/// Returns the table, its heading first.
Rows RowsOf(const std::vector<ModelKernel>& kernels) {
  Rows rows = {{"kernels", "problem", "from", "code", "measured", "schedule"}};
  for (const ModelKernel& kernel : kernels) {
    const std::string of_rows = kernel.rows.empty() ? "" : absl::StrCat(" M=", RowsText(kernel.rows));
    rows.push_back({kernel.module, OrDash(absl::StrCat(kernel.problem, of_rows)), OrDash(kernel.source),
                    kernel.code_digest.substr(0, kDigestDigits), MeasuredText(kernel), OrDash(kernel.schedule)});
  }
  return rows;
}

/// Returns the rows as aligned text of at most `width` characters a line, if that is not 0.
std::string TableText(const Rows& rows, size_t width) {
  std::vector<size_t> shown = {0, 1, 2, 3, 4, 5};
  std::string text = Aligned(rows, shown);
  const size_t whole = LongestLine(text);
  std::vector<std::string> left_out;
  for (const size_t spare : {5, 3}) {  // The schedule, then the digest of the code.
    if (width == 0 || LongestLine(text) <= width) break;
    left_out.insert(left_out.begin(), rows.front()[spare]);
    std::erase(shown, spare);
    text = Aligned(rows, shown);
  }
  if (left_out.empty()) return text;
  return absl::StrCat(text, "not shown in ", width, " columns: ", absl::StrJoin(left_out, ", "), "; ", whole,
                      " columns show all\n");
}

/// Returns "label     part, part, part" in lines of at most `width` characters, if that is not 0. Parts are not broken.
std::string LabelledParts(std::string_view label, const std::vector<std::string>& parts, std::string_view between,
                          size_t width) {
  constexpr size_t kIndent = 10;
  std::string text, line(label);
  line.resize(kIndent, ' ');
  for (size_t i = 0; i < parts.size(); ++i) {
    const std::string part = absl::StrCat(parts[i], i + 1 < parts.size() ? ToAbsl(between) : "");
    if (width > 0 && line.size() > kIndent && line.size() + part.size() > width) {
      absl::StrAppend(&text, absl::StripTrailingAsciiWhitespace(line), "\n");
      line.assign(kIndent, ' ');
    }
    absl::StrAppend(&line, part, i + 1 < parts.size() ? " " : "");
  }
  return absl::StrCat(text, line, "\n");
}

std::string TimesText(const std::vector<StageTime>& times, size_t width) {
  std::vector<std::string> parts;
  double total = 0;
  for (const StageTime& time : times) {
    parts.push_back(absl::StrFormat("%s %.1f ms", time.stage, time.ms));
    total += time.ms;
  }
  parts.push_back(absl::StrFormat("total %.1f ms", total));
  return LabelledParts("time", parts, ",", width);
}

/// True if a kernel is PTX in the output, although PTX is not what the user asked for.
bool EmbedsPtx(const CompileOptions& options, const std::vector<ModelKernel>& kernels) {
  if (options.emit == "ptx" || options.emit == "matmuls" || absl::EndsWith(options.output, ".ptx") ||
      options.output.empty()) {
    return false;
  }
  return std::any_of(kernels.begin(), kernels.end(),
                     [](const ModelKernel& kernel) { return kernel.format == ImageFormat::kPtx; });
}

std::string ReportJson(const CompiledModel& model) {
  using Json = nlohmann::ordered_json;
  Json kernels = Json::array(), times = Json::object();
  for (const ModelKernel& kernel : model.kernels) {
    kernels.push_back({{"module", kernel.module},
                       {"problem", kernel.problem},
                       {"rows", RowsText(kernel.rows)},
                       {"from", kernel.source},
                       {"schedule", kernel.schedule},
                       {"code_digest", kernel.code_digest},
                       {"measured_digest", kernel.expected_digest},
                       {"why_other_code", kernel.why_other_code}});
  }
  for (const StageTime& time : model.times) times[time.stage] = time.ms;
  const Json report = {{"kernels", std::move(kernels)}, {"times_ms", std::move(times)}};
  return PrintableJson(report.dump(-1, ' ', false, Json::error_handler_t::replace)) + "\n";
}

}  // namespace

std::string CompileReport(const CompileOptions& options, const CompiledModel& model, size_t width) {
  if (options.quiet) return "";
  if (options.json) return ReportJson(model);
  const Rows rows = RowsOf(model.kernels);
  if (options.csv) return absl::StrJoin(rows, "", [](std::string* out, const auto& row) { *out += CsvLine(row); });
  std::string text;
  if (rows.size() > 1) text = absl::StrCat(options.markdown ? Markdown(rows) : TableText(rows, width), "\n");
  if (EmbedsPtx(options, model.kernels)) {
    constexpr char kNote[] = "no ptxas was found: PTX is embedded, and the driver assembles it when it is loaded";
    absl::StrAppend(&text, LabelledParts("note", absl::StrSplit(kNote, ' '), "", width));
  }
  return absl::StrCat(text, TimesText(model.times, width));
}

}  // namespace mmtune
