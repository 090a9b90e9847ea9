// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/coordinator/job_plan.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "proto/base/log.h"
#include "proto/base/plain_text.h"
#include "proto/base/status.h"
#include "proto/types/device_info.h"
#include "server/coordinator/log_experience.h"

namespace mmtune {
namespace {

absl::StatusOr<std::vector<PriorObservation>> Learn(const JobPlanRequest& request, const SearchSpace& space) {
  ASSIGN_OR_RETURN(const std::unique_ptr<TuningLogReader> log, request.open_log());
  const MeasureOptions& measure = request.spec.measure;
  TimesFilter times;
  times.kind = request.device.kind;
  times.regime = measure.regime;
  times.proven_only = measure.proof;
  times.before_unix_millis = request.created_unix_millis;
  return ReadExperiences(*log, {request.spec.problem, request.device, request.toolchain, times}, space);
}

}  // namespace

absl::StatusOr<JobPlan> MakeJobPlan(JobPlanRequest request) {
  const JobSpec& spec = request.spec;
  if (spec.limits.bound_percent > 0 && PeakGflops(request.device, spec.problem.dtype, spec.problem.math) <= 0) {
    return InvalidArgument(absl::StrCat("no percent of the device's peak can end a search on ",
                                        PlainText(request.device.name), ", whose peak for ", spec.problem.Text(),
                                        " is not known: leave out --until-bound"));
  }
  JobPlan plan;
  if (!spec.schedules.empty()) {
    plan.strategy = CreateListStrategy(spec.schedules);
    return plan;
  }
  std::vector<const KernelFamily*> families = spec.families;
  for (size_t i = 0; i < spec.only.size(); ++i) {
    ASSIGN_OR_RETURN(plan.restricted.emplace_back(),
                     RestrictedFamily::Create(*families[i], spec.only[i], spec.problem, request.device));
    families[i] = plan.restricted.back().get();
  }
  ASSIGN_OR_RETURN(plan.space, SearchSpace::Create(spec.problem, request.device, families));
  // These two need the number, and later there is no other thread to count on.
  const bool counts = spec.strategy == kExhaustive || spec.strategy == "random";
  plan.space_size = counts ? SpaceSize{plan.space->Count(), false} : plan.space->Size();
  StrategyOptions options;
  options.seed = spec.seed;
  options.initial = std::move(request.initial);
  options.lanes = request.lanes;
  options.compile_lanes = request.compile_lanes;
  if (request.open_log && !spec.cold_start && UsesPriorObservations(spec.strategy)) {
    absl::StatusOr<std::vector<PriorObservation>> learnt = Learn(request, *plan.space);
    if (learnt.ok()) {
      options.prior_observations = *std::move(learnt);
      plan.experiences = options.prior_observations.size();
    } else {
      plan.log_error = std::string(learnt.status().message());
      LogWarning("nothing_learnt", {{"problem", spec.problem.Text()}, {"why", plan.log_error}});
    }
  }
  ASSIGN_OR_RETURN(plan.strategy, CreateStrategy(spec.strategy, *plan.space, options));
  return plan;
}

}  // namespace mmtune
