// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/coordinator/model_jobs.h"

#include <algorithm>
#include <cmath>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace mmtune {

bool ModelJobs::BelongToSameModel(const TuningJob& a, const TuningJob& b) {
  return a.spec().model && b.spec().model && a.spec().model->id == b.spec().model->id && a.owner() == b.owner();
}

ModelJobs::ModelJobs(const JobTable& jobs, const LeaseTable& leases, const TuningJob& job) {
  double ratios = 0;  // the sum of log(measured / estimated)
  size_t measured = 0;
  for (const auto& [id, active] : jobs.all()) {
    if (!BelongToSameModel(active.job, job)) continue;
    ids_.push_back(id);
    MatmulProgress& matmul = matmuls_.emplace_back(active.job.ToMatmulProgress(leases.Live(id)));
    // The last proposals of an exhausted search still wait for a lease.
    if (leases.Queued(id) > 0) matmul.exhausted = false;
    limit_ = std::max(limit_, active.job.spec().model->trials);
    parts_ = std::max(parts_, active.job.spec().model->parts);
    parts_known_ |= active.parts_known;
    ended_trials_ = std::max(ended_trials_, active.ended_trials);
    waits_ |= active.job.state() == JobState::kWaiting;
    plans_ |= active.job.state() == JobState::kWaiting && active.job.target().has_value();
    if (active.job.best_ns() <= 0) continue;
    ratios += std::log(active.job.best_ns() / active.job.spec().model->time_ns);
    ++measured;
  }
  if (measured == 0) return;
  // The estimates may be those of another machine, so that they compare with one another and not with times.
  const double scale = std::exp(ratios / static_cast<double>(measured));
  for (size_t i = 0; i < ids_.size(); ++i) {
    if (jobs.FindJob(ids_[i])->best_ns() <= 0) matmuls_[i].time_ns *= scale;
  }
}

int64_t ModelJobs::Done() const {
  int64_t done = ended_trials_;
  for (const MatmulProgress& matmul : matmuls_) done += matmul.trials;
  return done;
}

std::vector<int64_t> ModelJobs::Order() const {
  if (!PartsKnown()) return {};
  int64_t begun = Done();
  for (const MatmulProgress& matmul : matmuls_) begun += matmul.running;
  if (plans_ || (limit_ > 0 && begun >= limit_)) return {};
  std::vector<int64_t> order;
  for (size_t i : MatmulScheduler(matmuls_).Order()) order.push_back(ids_[i]);
  return order;
}

std::string ModelJobs::EndReason() const {
  if (!PartsKnown()) return "";
  if (limit_ > 0 && Done() >= limit_) return absl::StrCat(limit_, " trials of the model");
  if (waits_ || !MatmulScheduler(matmuls_).Converged()) return "";
  return absl::StrFormat("further trials are expected to save less than %g %% of the model's time",
                         100 * MatmulScheduler::kLeastGain);
}

}  // namespace mmtune
