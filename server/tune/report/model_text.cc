// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/tune/report/model_text.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "nlohmann/json.hpp"
#include "proto/base/json_tree.h"
#include "proto/base/plain_text.h"
#include "proto/base/status.h"
#include "proto/types/field_json.h"
#include "server/tune/report/format.h"

namespace mmtune {
namespace {

constexpr int kMaxDepth = 4;

/// The sums over all rows.
struct Totals {
  explicit Totals(const std::vector<MatmulResult>& matmuls) {
    for (const MatmulResult& row : matmuls) {
      flops += row.Calls() * row.matmul.problem.Flops();
      before_ns += row.BeforeNs();
      after_ns += row.AfterNs();
      trials += row.trials;
      estimated |= !row.before_measured;
    }
  }

  double flops = 0, before_ns = 0, after_ns = 0;
  int64_t trials = 0;
  bool estimated = false;  ///< True if one of the times before is an estimate.
};

std::string Percent(double part, double whole) { return whole > 0 ? absl::StrFormat("%.1f", 100 * part / whole) : "-"; }

std::string BeforeText(double ns, bool measured) { return absl::StrCat(measured ? "" : "~", TimeText(ns)); }

/// Returns "-23 %", or "+4 %".
std::string ChangeText(double before_ns, double after_ns) {
  return before_ns > 0 ? absl::StrFormat("%+.0f %%", 100 * (after_ns / before_ns - 1)) : "-";
}

std::string ProblemCell(const ModelMatmul& matmul) {
  return absl::StrCat(matmul.problem.Text(), matmul.layout.empty() ? "" : " (in place)");
}

/// Returns the calls: "12", or "0.03" of a bucket.
std::string CallsText(const MatmulResult& row) {
  return row.rows ? absl::StrFormat("%.2g", row.Calls()) : Grouped(row.matmul.calls.value_or(1));
}

std::string RowsText(const RowRange& rows) {
  return rows.from == rows.to ? absl::StrCat(rows.to) : absl::StrCat(rows.from, "-", rows.to);
}

}  // namespace

std::string DispatchText(const std::vector<DispatchTable>& tables, const TableStyle& style) {
  std::string text;
  for (const DispatchTable& dispatch : tables) {
    Table table({{"M"}, {"best"}, {"used"}, {"regret [%]"}, {"schedule", Align::kLeft, 2}});
    for (const DispatchBucket& bucket : dispatch.buckets) {
      table.AddRow({RowsText(bucket.rows), TimeText(bucket.best_ns), TimeText(bucket.used_ns),
                    absl::StrFormat("%.1f", 100 * bucket.Regret()), bucket.schedule.Text()});
    }
    const std::string heading = absl::StrFormat("dispatch  %s: %d kernel%s, regret %.1f %% in the mean, %.1f %% at p90",
                                                dispatch.problem, dispatch.kernels, dispatch.kernels == 1 ? "" : "s",
                                                100 * dispatch.mean_regret, 100 * dispatch.p90_regret);
    absl::StrAppend(&text, "\n", AsLines(heading + "\n", style), table.Text(style));
  }
  return text.empty() ? text : text + AroundTables("\n", style);
}

std::string MatmulsText(const std::vector<MatmulResult>& matmuls, const TableStyle& style) {
  Table table(
      {{"problem", Align::kLeft}, {"calls"}, {"FLOPs [%]"}, {"time now"}, {"time [%]"}, {"from", Align::kLeft}});
  const Totals totals(matmuls);
  for (const MatmulResult& row : matmuls) {
    table.AddRow(
        {ProblemCell(row.matmul), CallsText(row), Percent(row.Calls() * row.matmul.problem.Flops(), totals.flops),
         BeforeText(row.before_ns, row.before_measured), Percent(row.BeforeNs(), totals.before_ns), row.matmul.source});
  }
  return absl::StrCat(table.Text(style), "\n");
}

std::string ModelResultText(const std::vector<MatmulResult>& matmuls, const TableStyle& style) {
  Table table({{"problem", Align::kLeft},
               {"calls"},
               {"trials"},
               {"failed", Align::kRight, 2},
               {"before"},
               {"after"},
               {"change"},
               {"time [%]", Align::kRight, 3},
               {"schedule", Align::kLeft, 4}});
  const Totals totals(matmuls);
  for (const MatmulResult& row : matmuls) {
    table.AddRow({ProblemCell(row.matmul), CallsText(row), Grouped(row.trials), Grouped(row.failed),
                  BeforeText(row.before_ns, row.before_measured), TimeText(row.after_ns),
                  row.after_ns > 0 ? ChangeText(row.before_ns, row.after_ns) : "-",
                  Percent(row.AfterNs(), totals.after_ns), row.best ? row.best->Text() : "-"});
  }
  constexpr size_t kIndent = 10;
  LabelledLines lines(kIndent, style.width);
  lines.Add("matmuls",
            absl::StrCat(BeforeText(totals.before_ns, !totals.estimated), " before, ", TimeText(totals.after_ns),
                         " after (", ChangeText(totals.before_ns, totals.after_ns),
                         ") in one run of the model: the sum of calls x time"));
  if (totals.estimated) lines.Add("", "~ is an estimate: the schedule used before was not measured");
  return absl::StrCat(AroundTables("\n", style), table.Text(style), AroundTables("\n", style),
                      AsLines(lines.text(), style));
}

std::string ModelRunTimesText(const ModelRunTimes& times, const TableStyle& style) {
  return AsLines(absl::StrCat("model     ", TimeText(times.before_ns), " before, ", TimeText(times.after_ns),
                              " after (", ChangeText(times.before_ns, times.after_ns), ") for one call of @",
                              PlainText(times.function), ", transfers included: the median of ", times.calls,
                              times.calls == 1 ? " call" : " calls", " on this machine\n"),
                 style);
}

std::string ModelResultJson(const std::vector<MatmulResult>& matmuls, const std::vector<DispatchTable>& tables,
                            const std::optional<ModelRunTimes>& times, bool interrupted) {
  using Json = nlohmann::ordered_json;
  const Totals totals(matmuls);
  Json rows = Json::array();
  for (const MatmulResult& row : matmuls) {
    rows.push_back({{"problem", row.matmul.problem.Text()},
                    {"calls", row.rows ? Json(row.Calls()) : Json(row.matmul.calls.value_or(1))},
                    {"from", row.matmul.source},
                    {"trials", row.trials},
                    {"failed", row.failed},
                    {"before_ns", row.before_ns},
                    {"before_measured", row.before_measured},
                    {"after_ns", row.after_ns > 0 ? Json(row.after_ns) : Json(nullptr)},
                    {"schedule", row.best ? Json(row.best->Text()) : Json(nullptr)}});
  }
  Json dispatch = Json::array();
  for (const DispatchTable& table : tables) {
    Json buckets = Json::array();
    for (const DispatchBucket& bucket : table.buckets) {
      buckets.push_back({{"from", bucket.rows.from},
                         {"to", bucket.rows.to},
                         {"best_ns", bucket.best_ns},
                         {"used_ns", bucket.used_ns},
                         {"schedule", bucket.schedule.Text()}});
    }
    dispatch.push_back({{"problem", table.problem},
                        {"kernels", table.kernels},
                        {"mean_regret", table.mean_regret},
                        {"p90_regret", table.p90_regret},
                        {"buckets", std::move(buckets)}});
  }
  Json result = {{"matmuls", std::move(rows)},    {"dispatch", std::move(dispatch)}, {"trials", totals.trials},
                 {"before_ns", totals.before_ns}, {"after_ns", totals.after_ns},     {"interrupted", interrupted}};
  if (times) {
    result["run"] = {{"function", times->function},
                     {"calls", times->calls},
                     {"before_ns", times->before_ns},
                     {"after_ns", times->after_ns}};
  }
  return JsonText(result);
}

std::string ModelProgressText(const std::vector<MatmulResult>& matmuls, int64_t limit) {
  const Totals totals(matmuls);
  return absl::StrCat(Grouped(totals.trials), limit > 0 ? absl::StrCat(" of ", Grouped(limit)) : "",
                      " trials, matmuls ", BeforeText(totals.before_ns, !totals.estimated), " -> ",
                      TimeText(totals.after_ns), " (", ChangeText(totals.before_ns, totals.after_ns), ")");
}

ProgressCounts ModelProgress(const std::vector<MatmulResult>& matmuls, int64_t limit) {
  const Totals totals(matmuls);
  ProgressCounts counts{.done = totals.trials, .planned = limit, .failed = 0, .best_ns = totals.after_ns};
  for (const MatmulResult& row : matmuls) counts.failed += row.failed;
  return counts;
}

absl::Status ApplyCounts(std::string_view json, std::vector<ModelMatmul>& matmuls) {
  ASSIGN_OR_RETURN(const JsonTree tree, ParseStrictJson(json, kMaxDepth));
  const JsonValue root(tree);
  if (!root.is_object())
    return InvalidArgument(
        "the file must be a JSON object of problems and numbers of calls, such as {\"32x100x100\": 12}");
  for (const JsonValue member : root) {
    const std::string name(member.name());
    const auto of_name = std::find_if(matmuls.begin(), matmuls.end(),
                                      [&name](const ModelMatmul& matmul) { return matmul.Text() == name; });
    if (of_name == matmuls.end()) {
      return InvalidArgument(absl::StrCat("the model has no problem '", PlainText(name), "'"));
    }
    const std::optional<int64_t> calls = member.Int();
    if (!calls || *calls < 0) {
      return InvalidArgument(absl::StrCat("the calls of ", name, " are not a whole number of at least 0"));
    }
    of_name->calls = *calls;
  }
  return absl::OkStatus();
}

}  // namespace mmtune
