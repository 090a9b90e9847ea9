// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/coordinator/job_table.h"

#include <algorithm>
#include <cmath>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "proto/base/status.h"

namespace mmtune {
namespace {

constexpr size_t kFinishedKept = 64;
/// The number of finished jobs that keep all their events for late watchers. Older ones keep only the last event.
constexpr size_t kMaxFinishedFeeds = 4;

int64_t FirstSeq(const Clock& clock) { return std::max<int64_t>(1, clock.UnixMillis() << 20); }

}  // namespace

ActiveJob& JobTable::Add(JobRow row, v1::JobSpec message, JobSpec spec) {
  const int64_t id = row.id;
  ids_[row.uuid] = id;
  feeds_.Open(row.uuid, FirstSeq(clock_));
  return jobs_.try_emplace(id, std::move(row), std::move(message), std::move(spec), workers_, clock_).first->second;
}

bool JobTable::full() const { return jobs_.size() >= kMaxUnfinished + kFinishedKept; }

absl::Status JobTable::CheckQuota(const ClientQuota& quota, const v1::JobSpec& message, const JobSpec& spec) const {
  const int64_t trials = spec.schedules.empty() ? spec.limits.trials : static_cast<int64_t>(spec.schedules.size());
  if (quota.trials > 0 && (trials == 0 || trials > quota.trials)) {
    return ResourceExhausted(absl::StrCat(
        "the job asks for ", trials == 0 ? "an unlimited number of" : absl::StrCat(trials),
        " trials, but this server allows ", quota.trials, " for each job (--max-trials-per-job): ask for fewer"));
  }
  if (quota.jobs == 0) return absl::OkStatus();
  int64_t unfinished = 0;
  int64_t of_model = 0;               // Other jobs of this job's model.
  std::set<std::string_view> models;  // Each counts once.
  for (const auto& [id, active] : jobs_) {
    const TuningJob& job = active.job;
    if (IsFinal(job.state()) || job.owner() != message.owner()) continue;
    if (const auto& of = job.spec().model) {
      const bool is_own = spec.model && spec.model->id == of->id;
      of_model += is_own;
      if (is_own || !models.insert(of->id).second) continue;
    }
    ++unfinished;
  }
  // The first job of a model is charged for it.
  unfinished += of_model / kMostModelParts;
  if (of_model > 0 && of_model < kMostModelParts) return absl::OkStatus();
  if (unfinished < quota.jobs) return absl::OkStatus();
  const std::string who = message.owner().empty() ? "clients without a certificate have" : message.owner() + " has";
  return ResourceExhausted(absl::StrCat(who, " ", unfinished, " unfinished jobs, but this server allows ", quota.jobs,
                                        " for each client (--max-jobs-per-client): wait, or cancel some (tune jobs)"));
}

ActiveJob* JobTable::Find(int64_t id) {
  auto at = jobs_.find(id);
  return at == jobs_.end() ? nullptr : &at->second;
}

ActiveJob* JobTable::Find(std::string_view uuid) {
  auto at = ids_.find(uuid);
  return at == ids_.end() ? nullptr : Find(at->second);
}

const TuningJob* JobTable::FindJob(int64_t id) const {
  const ActiveJob* active = Find(id);
  return active == nullptr ? nullptr : &active->job;
}

bool JobTable::OthersServe(int64_t job_id, const std::vector<std::string>& trust_domains,
                           std::string_view worker) const {
  const ActiveJob* active = Find(job_id);
  return active != nullptr && active->binding.HasOtherWorker(trust_domains, worker);
}

void JobTable::Retire(int64_t id) {
  finished_.emplace_back(id, jobs_.at(id).job.uuid());
  if (finished_.size() > kMaxFinishedFeeds) {
    auto feed = feeds_.Find(finished_[finished_.size() - 1 - kMaxFinishedFeeds].second);
    if (feed != nullptr) feed->Shorten();
  }
  if (finished_.size() <= kFinishedKept) return;
  const auto [old_id, old_uuid] = finished_.front();
  finished_.pop_front();
  jobs_.erase(old_id);
  ids_.erase(old_uuid);
  feeds_.Drop(old_uuid);
}

JobTable::Finished JobTable::Reset() {
  ids_.clear();
  return {std::exchange(jobs_, {}), std::exchange(finished_, {})};
}

void JobTable::KeepFinished(Finished before, const std::set<std::string>& ended) {
  for (const auto& [id, uuid] : before.order) {
    if (!before.jobs.contains(id) || !ended.contains(uuid) || jobs_.contains(id)) continue;
    jobs_.insert(before.jobs.extract(id));
    ids_[uuid] = id;
    finished_.emplace_back(id, uuid);
  }
  feeds_.KeepIf([this](const std::string& uuid) { return ids_.contains(uuid); });
}

bool ModelJobs::BelongToSameModel(const TuningJob& a, const TuningJob& b) {
  return a.spec().model && b.spec().model && a.spec().model->id == b.spec().model->id && a.owner() == b.owner();
}

std::vector<const TuningJob*> ModelJobs::Similar(const JobTable& jobs, const TuningJob& job) {
  std::vector<const TuningJob*> similar;
  if (!job.target()) return similar;
  for (const auto& [id, active] : jobs.all()) {
    const std::optional<JobTarget>& target = active.job.target();
    if (id == job.id() || !target || !BelongToSameModel(active.job, job)) continue;
    const MeasureOptions &ours = job.spec().measure, &theirs = active.job.spec().measure;
    if (target->class_key == job.target()->class_key && target->toolchain == job.target()->toolchain &&
        ours.regime == theirs.regime && ours.verification == theirs.verification) {
      similar.push_back(&active.job);
    }
  }
  return similar;
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
