// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/tune/report/baseline_text.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "server/tune/report/format.h"

namespace mmtune {
namespace {

/// The latest record with a baseline; null: none has.
const TuningRecord* LatestWithBaseline(const std::vector<TuningRecord>& records) {
  const TuningRecord* latest = nullptr;
  for (const TuningRecord& record : records) {
    if (!PercentOfBaseline(record)) continue;
    if (latest == nullptr || record.unix_millis > latest->unix_millis) latest = &record;
  }
  return latest;
}

std::string ReasonOf(const std::vector<TuningRecord>& records) {
  for (const TuningRecord& record : records) {
    if (const std::string& reason = record.measurement.conditions.baseline.reason; !reason.empty()) return reason;
  }
  return "the records have none";
}

double BaselineGflops(const TuningRecord& record) {
  return record.problem.Flops() / record.measurement.conditions.baseline.median_ns;
}

std::string SpeedText(double gflops) {
  if (gflops >= 1000) return absl::StrCat(Fixed(gflops / 1000, 1), " TFLOPS");
  return absl::StrCat(Fixed(gflops, DecimalsFor(gflops)), " GFLOPS");
}

}  // namespace

std::string BaselineText(const std::vector<TuningRecord>& records) {
  const TuningRecord* record = LatestWithBaseline(records);
  if (record == nullptr) return absl::StrCat("none (", PlainText(ReasonOf(records)), ")");
  const Baseline& baseline = record->measurement.conditions.baseline;
  return absl::StrCat(PlainText(baseline.name), ": ", SpeedText(BaselineGflops(*record)),
                      absl::StrFormat(", drift %+.1f %%", 100 * baseline.drift));
}

nlohmann::ordered_json BaselineJson(const std::vector<TuningRecord>& records) {
  const TuningRecord* record = LatestWithBaseline(records);
  if (record == nullptr) return {{"reason", ReasonOf(records)}};
  const Baseline& baseline = record->measurement.conditions.baseline;
  return {{"library", baseline.name},    {"median_ns", baseline.median_ns},   {"low_ns", baseline.low_ns},
          {"high_ns", baseline.high_ns}, {"gflops", BaselineGflops(*record)}, {"drift", baseline.drift}};
}

}  // namespace mmtune
