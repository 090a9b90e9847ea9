// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/coordinator/model_plan.h"

#include <optional>
#include <set>
#include <string>
#include <utility>

#include "proto/base/status.h"

namespace mmtune {
namespace {

constexpr int kPage = 512;
/// The most schedules that are read; a search does not use more.
constexpr size_t kMostFirst = 4096;

/// A strategy with one schedule before those of another.
class PresentFirst final : public Strategy {
 public:
  PresentFirst(Schedule present, std::unique_ptr<Strategy> rest)
      : present_(std::move(present)), rest_(std::move(rest)) {}

  std::string_view name() const override { return rest_->name(); }
  std::vector<Schedule> Propose(int n) override {
    if (present_) return {*std::exchange(present_, std::nullopt)};
    return rest_->Propose(n);
  }
  void Observe(const std::vector<Observation>& observations) override { rest_->Observe(observations); }
  std::vector<Schedule> ToCompile() override { return rest_->ToCompile(); }
  void Compiled(const std::vector<CompiledFacts>& facts) override { rest_->Compiled(facts); }
  bool Exhausted() const override { return !present_ && rest_->Exhausted(); }
  std::optional<double> ExpectedGain() const override { return rest_->ExpectedGain(); }

 private:
  std::optional<Schedule> present_;  ///< Until it is proposed.
  const std::unique_ptr<Strategy> rest_;
};

}  // namespace

absl::StatusOr<std::vector<Schedule>> FirstOfModel(const JobPlanRequest& request) {
  std::vector<Schedule> first = request.initial;
  if (!request.open_log || request.spec.remeasure) return first;
  std::set<std::string> present;
  for (const Schedule& schedule : first) present.insert(schedule.Digest());
  ASSIGN_OR_RETURN(const std::unique_ptr<TuningLogReader> log, request.open_log());
  RecordFilter filter;
  filter.problem = request.spec.problem;
  const std::string class_key = request.device.ClassKey();
  for (int64_t after = 0; first.size() < kMostFirst;) {
    ASSIGN_OR_RETURN(const std::vector<TuningRecord> page, log->Query(filter, after, kPage));
    for (const TuningRecord& record : page) {
      after = record.id;
      const Outcome outcome = record.measurement.outcome;
      if (outcome == Outcome::kSkipped || outcome == Outcome::kSuspect) continue;
      if (record.unix_millis >= request.created_unix_millis || !(record.toolchain == request.toolchain)) continue;
      if (record.device.ClassKey() != class_key || !present.insert(record.schedule.Digest()).second) continue;
      first.push_back(record.schedule);
    }
    if (page.size() < kPage) break;
  }
  return first;
}

std::unique_ptr<Strategy> WithPresentFirst(const Schedule& present, std::unique_ptr<Strategy> rest) {
  return std::make_unique<PresentFirst>(present, std::move(rest));
}

}  // namespace mmtune
