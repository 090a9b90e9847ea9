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

/// A strategy with some schedules before those of another.
class FirstThenRest final : public Strategy {
 public:
  FirstThenRest(std::vector<Schedule> first, std::unique_ptr<Strategy> rest)
      : first_(CreateListStrategy(first)), rest_(std::move(rest)) {}

  std::string_view name() const override { return rest_->name(); }
  std::vector<Schedule> Propose(int n) override {
    std::vector<Schedule> proposals = first_->Propose(n);
    return proposals.empty() ? rest_->Propose(n) : proposals;
  }
  void Observe(const std::vector<Observation>& observations) override { rest_->Observe(observations); }
  std::vector<Schedule> ToCompile() override { return rest_->ToCompile(); }
  void Compiled(const std::vector<CompiledFacts>& facts) override { rest_->Compiled(facts); }
  bool Exhausted() const override { return first_->Exhausted() && rest_->Exhausted(); }
  std::optional<double> ExpectedGain() const override { return rest_->ExpectedGain(); }

 private:
  const std::unique_ptr<Strategy> first_, rest_;
};

}  // namespace

absl::StatusOr<std::vector<Schedule>> FirstOfModel(const JobPlanRequest& request) {
  std::vector<Schedule> first = request.initial;
  if (request.spec.model->present) first.insert(first.begin(), *request.spec.model->present);
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

std::unique_ptr<Strategy> PrependSchedules(std::vector<Schedule> first, std::unique_ptr<Strategy> rest) {
  return std::make_unique<FirstThenRest>(std::move(first), std::move(rest));
}

}  // namespace mmtune
