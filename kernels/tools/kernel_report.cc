// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/tools/compile_command.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace mmtune {
namespace {

constexpr size_t kDigestDigits = 12;

/// Columns as wide as their widest cell, two spaces apart; no spaces at line ends.
std::string Aligned(const std::vector<std::vector<std::string>>& rows) {
  std::vector<size_t> widths(rows.front().size(), 0);
  for (const auto& row : rows) {
    for (size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::string text;
  for (const auto& row : rows) {
    for (size_t i = 0; i < row.size(); ++i) {
      absl::StrAppend(&text, row[i]);
      if (i + 1 < row.size()) text.append(widths[i] - row[i].size() + 2, ' ');
    }
    text += '\n';
  }
  return text;
}

std::string OrDash(const std::string& text) { return text.empty() ? "-" : text; }

std::string MeasuredText(const ModelKernel& kernel) {
  if (kernel.expected_digest.empty()) return "-";
  if (kernel.expected_digest == kernel.code_digest) return "same code as measured";
  return absl::StrCat("differs from ", kernel.expected_digest.substr(0, kDigestDigits), ": ",
                      kernel.why_other_code.empty() ? "not what was measured" : kernel.why_other_code);
}

}  // namespace

std::string KernelTable(const std::vector<ModelKernel>& kernels) {
  if (kernels.empty()) return "";
  std::vector<std::vector<std::string>> rows = {{"kernels", "problem", "from", "code", "measured", "schedule"}};
  for (const ModelKernel& kernel : kernels) {
    rows.push_back({kernel.module, OrDash(kernel.problem), OrDash(kernel.source),
                    kernel.code_digest.substr(0, kDigestDigits), MeasuredText(kernel), OrDash(kernel.schedule)});
  }
  return Aligned(rows);
}

std::string StageTimesText(const std::vector<StageTime>& times) {
  std::string text = "time      ";
  double total = 0;
  for (const StageTime& time : times) {
    absl::StrAppend(&text, absl::StrFormat("%s %.1f ms, ", time.stage, time.ms));
    total += time.ms;
  }
  return absl::StrCat(text, absl::StrFormat("total %.1f ms", total));
}

}  // namespace mmtune
