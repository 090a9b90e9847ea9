// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "worker/measure/rounding_tier.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "absl/hash/hash.h"
#include "absl/strings/string_view.h"
#include "proto/base/status.h"
#include "worker/measure/guarded_buffers.h"

namespace mmtune {
namespace {

constexpr int64_t kPanelElements = int64_t{1} << 15;  // of whole rows; stays in the cache

struct JudgedRun {
  CheckReport report;
  size_t hash = 0;  ///< Of the bits of C.
};

/// C is read back once, in panels.
absl::StatusOr<JudgedRun> RunOnce(KernelTimer& timer, const RoundingChecker& checker) {
  RETURN_IF_ERROR(timer.WarmUpOnce());
  const MatmulProblem& problem = checker.problem();
  const int64_t rows = problem.batch * problem.m;
  const int64_t panel = std::clamp<int64_t>(kPanelElements / problem.n, 1, rows);
  std::vector<float> c(static_cast<size_t>(panel * problem.n));
  RoundingChecker::Judgement judgement(checker);
  JudgedRun run;
  for (int64_t row = 0; row < rows; row += panel) {
    const int64_t count = std::min(panel, rows - row);
    RETURN_IF_ERROR(timer.buffers().Download(row * problem.n, count * problem.n, c.data()));
    judgement.AddRows(c.data(), count);
    const absl::string_view bytes(reinterpret_cast<const char*>(c.data()),
                                  static_cast<size_t>(count * problem.n) * sizeof(float));
    run.hash = absl::HashOf(run.hash, bytes);
  }
  run.report = judgement.Report();
  return run;
}

}  // namespace

absl::StatusOr<CheckReport> CheckRounding(KernelTimer& timer, const RoundingChecker& checker) {
  ASSIGN_OR_RETURN(const JudgedRun first, RunOnce(timer, checker));
  if (!first.report.passed) return first.report;
  ASSIGN_OR_RETURN(JudgedRun second, RunOnce(timer, checker));
  CheckReport report = std::move(second.report);
  report.deterministic = second.hash == first.hash;
  ASSIGN_OR_RETURN(std::string damage, timer.Damage());
  if (!damage.empty()) {
    report.passed = false;
    report.detail = damage;
  }
  return report;
}

}  // namespace mmtune
