// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "worker/measure/baseline.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "proto/base/status.h"
#include "worker/common/sample_statistics.h"
#include "worker/measure/kernel_timer.h"

namespace mmtune {
namespace {

Baseline None(std::string_view reason) {
  Baseline none;
  none.reason = reason;
  return none;
}

}  // namespace

std::string BaselineSeries::Key(const MatmulProblem& problem, const TimeOptions& options) {
  return absl::StrCat(problem.CanonicalJson(), " ", ToAbsl(RegimeName(options.measure.regime)));
}

bool BaselineSeries::Due(const MatmulProblem& problem, const TimeOptions& options) const {
  if (!options.measure.baseline || device_->info().kind != DeviceKind::kCuda) return false;
  auto at = series_.find(Key(problem, options));
  if (at == series_.end()) return true;
  return at->second.baseline.reason.empty() && at->second.since + 1 >= kEvery;
}

Baseline BaselineSeries::Next(const MatmulProblem& problem, const RoundingChecker* checker,
                              const TimeOptions& options) {
  if (device_->info().kind != DeviceKind::kCuda) return None("no baseline for the SIMT device");
  if (!options.measure.baseline) return None("not asked for");
  const bool due = Due(problem, options);
  Series& series = series_[Key(problem, options)];
  ++series.since;
  if (!due) return series.baseline;
  absl::Status status = VendorBlas::Covers(problem);
  if (status.ok() && checker == nullptr) status = InvalidArgument("the result of a k of 2^23 or more is not checked");
  if (status.ok()) status = Open();
  if (status.ok()) status = TimeOnce(problem, *checker, options, series);
  if (!status.ok()) series.baseline = None(ToStd(status.message()));
  return series.baseline;
}

absl::Status BaselineSeries::Open() {
  if (!opened_) {
    opened_ = true;
    absl::StatusOr<std::unique_ptr<VendorBlas>> blas = VendorBlas::Open(libraries_, device_->info().driver);
    open_status_ = blas.status();
    if (blas.ok()) blas_ = *std::move(blas);
  }
  return open_status_;
}

absl::Status BaselineSeries::TimeOnce(const MatmulProblem& problem, const RoundingChecker& checker, TimeOptions options,
                                      Series& series) {
  auto bind = [this, problem](const PlanMemories& memories) -> absl::StatusOr<EnqueueRun> {
    return [this, problem, memories](StreamHandle stream) { return blas_->Enqueue(problem, memories, stream); };
  };
  ASSIGN_OR_RETURN(std::unique_ptr<KernelTimer> timer,
                   KernelTimer::Create(device_, {bind}, problem, checker.operands()));
  if (series.samples_ns.empty()) {
    ASSIGN_OR_RETURN(const CheckReport report, CheckRounding(*timer, checker));
    if (!report.passed) return Internal(absl::StrCat(blas_->name(), " gives a wrong result: ", report.detail));
  }
  options.incumbent_ns = 0;
  ASSIGN_OR_RETURN(const TimedRun run, timer->Time(options));
  if (series.samples_ns.empty()) series.first_ns = run.timing.median_ns;
  series.since = 0;
  series.samples_ns.insert(series.samples_ns.end(), run.timing.samples_ns.begin(), run.timing.samples_ns.end());
  const MedianInterval median = MedianOf(series.samples_ns);
  series.baseline.name = blas_->name();
  series.baseline.median_ns = median.median;
  series.baseline.low_ns = median.low;
  series.baseline.high_ns = median.high;
  series.baseline.drift = run.timing.median_ns / series.first_ns - 1;
  return absl::OkStatus();
}

}  // namespace mmtune
