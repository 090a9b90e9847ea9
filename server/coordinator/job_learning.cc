// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "search/cost_model/prior_observations.h"
#include "server/coordinator/job.h"
#include "server/coordinator/job_plan.h"

namespace mmtune {
namespace {

/// The most jobs from which one learns, the nearest first, and the most times of all of them together. More would only
/// take time, as the features of each schedule are computed: the model is made of as many.
constexpr size_t kMostTeachers = 16, kMostTimes = 128;
/// The winners of this number of nearest problems are suggested, once their jobs have this number of times.
constexpr size_t kNeighbours = 2, kTimesOfWinner = 8;

}  // namespace

void TuningJob::LearnFrom(const std::vector<const TuningJob*>& others) {
  if (!started() || plan_.space == nullptr || spec_.cold_start || !UsesPriorObservations(spec_.strategy)) return;
  // A job first proposes again what it proposed before a restart. A search that proposes nothing more need not learn.
  if (proposed_ < plan_.repeated || stalled_ || ProposalsExhausted()) return;
  std::vector<std::pair<std::pair<bool, double>, const TuningJob*>> nearest;
  for (const TuningJob* other : others) {
    const MatmulProblem& problem = other->spec_.problem;
    if (other->timed_.empty()) continue;
    nearest.push_back({{!SameTypes(spec_.problem, problem), SizeDistance(spec_.problem, problem)}, other});
  }
  std::ranges::stable_sort(nearest, {}, [](const auto& of) { return of.first; });
  nearest.resize(std::min(nearest.size(), kMostTeachers));
  size_t times = 0;
  for (const auto& [distance, other] : nearest) times += other->timed_.size();
  // The model of them is made anew when they are an eighth more.
  if (times >= std::max(kMinLearned, learned_ + learned_ / 8 + 1)) {
    learned_ = times;
    std::vector<PriorObservation> observations;
    for (size_t i = 0; i < nearest.size(); ++i) {
      const TuningJob& other = *nearest[i].second;
      for (std::optional<PriorObservation>& found :
           ObservationsFrom(*plan_.space, other.spec_.problem, other.target_->device,
                            EvenlySpaced(other.timed_, kMostTimes / nearest.size()))) {
        if (!found) continue;
        found->source = i;
        observations.push_back(*std::move(found));
      }
    }
    plan_.strategy->Learn(observations);
  }
  // A search keeps its last suggestion, so that of the nearest problem is made last.
  for (size_t i = std::min(nearest.size(), kNeighbours); i-- > 0;) {
    const TuningJob& other = *nearest[i].second;
    if (other.best_ && other.timed_.size() >= kTimesOfWinner) plan_.strategy->Suggest(*other.best_);
  }
}

}  // namespace mmtune
