// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The jobs in memory (JobTable), and a view of those that belong to one model (ModelJobs).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "mmtune/v1/tuning.pb.h"
#include "proto/base/clock.h"
#include "proto/types/measurement.h"
#include "proto/types/schedule.h"
#include "search/strategies/matmul_scheduler.h"
#include "server/coordinator/device_binding.h"
#include "server/coordinator/event_feed.h"
#include "server/coordinator/job.h"
#include "server/coordinator/lease_table.h"
#include "server/coordinator/worker_registry.h"

namespace mmtune {

/// The result of compiling a schedule for a search that has not chosen to measure it yet.
struct CompiledAhead {
  Schedule schedule;
  std::string worker;  ///< The worker that compiled it.
  CodeFacts code;
  PhaseTimes phases;
  std::string code_digest;
  std::string failure;  ///< The compiler's error; empty if the schedule compiles.
};

/// A job in memory, with the class of devices that serves it, and the other state that is kept between calls.
struct ActiveJob {
  ActiveJob(JobRow row, v1::JobSpec message, JobSpec spec, const WorkerRegistry& workers, const Clock& clock)
      : job(std::move(row), std::move(message), std::move(spec), clock),
        binding(job, workers, clock),
        waits_since(clock.Now()) {}

  TuningJob job;
  DeviceBinding binding;
  /// The schedules that the job proposed before a restart, or before it left a class of devices. Its next plan proposes
  /// them first.
  std::vector<Schedule> proposed_before;
  /// The job's records from before a restart, by digest of the schedule, until their schedules are proposed again.
  std::unordered_map<std::string, TuningRecord> own_records;
  std::map<std::string, CompiledAhead> compiled_ahead;  ///< By digest of the schedule.
  TimePoint waits_since;                                ///< The time at which it began to wait for a device.
  /// Its position among the jobs that share leases (fair_scheduler.h); nullopt before it has one.
  std::optional<int64_t> position;
  bool queue_incomplete = false;  ///< FillQueue() reached its limit for one call, and has more to propose.
  bool parts_known = false;       ///< No further job of its model is awaited (ModelJobs).
  int64_t ended_trials = 0;       ///< Trials of jobs of its model that had ended before a restart.
};

/// The limits for each client. A client is identified by the name in its certificate; all clients without a certificate
/// count as one. A limit of 0 means that there is none.
struct ClientQuota {
  int64_t jobs = 0;        ///< The most unfinished jobs; further ones are refused.
  int64_t candidates = 0;  ///< The most leases that all jobs of a client hold at once; further candidates wait.
  int64_t trials = 0;      ///< The most trials of one job; a job that asks for more, or for no limit, is refused.

  /// Returns how many more leases, at most `most`, a client may get that holds `live` leases.
  int LeasesLeft(int64_t live, int most) const {
    return candidates == 0 ? most : static_cast<int>(std::clamp<int64_t>(candidates - live, 0, most));
  }
};

inline constexpr ClientQuota kDefaultQuota = {.jobs = 256};

/// The jobs in memory: all unfinished jobs, and those that have ended last, whose events can still be read. Not
/// thread-safe. Pointers to a job are valid until it is dropped, which only Retire and Reset do.
class JobTable {
 public:
  using Jobs = std::map<int64_t, ActiveJob>;  ///< By id.
  /// The jobs that have ended and are still kept.
  struct Finished {
    Jobs jobs;
    std::deque<std::pair<int64_t, std::string>> order;  ///< Id and uuid, the first that ended first.
  };

  /// The feeds, the registry and the clock must outlive the table.
  JobTable(JobFeeds& feeds, const WorkerRegistry& workers, const Clock& clock)
      : feeds_(feeds), workers_(workers), clock_(clock) {}

  /// Adds a job and opens its event feed.
  ActiveJob& Add(JobRow row, v1::JobSpec message, JobSpec spec);
  /// True if the table has room for no further job: it keeps at most kMaxUnfinished jobs besides those that have ended
  /// last.
  bool full() const;
  static constexpr size_t kMaxUnfinished = 1024;
  /// Returns ResourceExhausted if the client may not submit this job: it has too many unfinished jobs, or the job asks
  /// for too many trials. The jobs of a model (up to kMostModelParts) count as one.
  absl::Status CheckQuota(const ClientQuota& quota, const v1::JobSpec& message, const JobSpec& spec) const;

  // These return null if the job is not in memory.
  ActiveJob* Find(int64_t id);
  const ActiveJob* Find(int64_t id) const { return const_cast<JobTable*>(this)->Find(id); }
  ActiveJob* Find(std::string_view uuid);
  const ActiveJob* Find(std::string_view uuid) const { return const_cast<JobTable*>(this)->Find(uuid); }
  const TuningJob* FindJob(int64_t id) const;
  /// Returns all jobs by id.
  Jobs& all() { return jobs_; }
  const Jobs& all() const { return jobs_; }

  /// True if another serving worker could measure for the job: one that is not `worker` and is in none of these trust
  /// domains. A trust domain is a group of workers that do not check one another: those with one certificate and host.
  /// False if the job is not in memory.
  bool OthersServe(int64_t job_id, const std::vector<std::string>& trust_domains, std::string_view worker = "") const;

  /// Notes that a job has ended. It is kept until a number of further jobs have ended; then it is dropped.
  void Retire(int64_t id);

  /// Drops all jobs, and returns those that had ended. Called before the jobs are read from the log: at the start, and
  /// again after a transaction of the log has failed.
  Finished Reset();
  /// Takes back the jobs that Reset returned and whose uuid is in `ended`. The end of the others was in the transaction
  /// that failed, so for the log they still run. Then drops the feeds of jobs that are not in the table: a submission
  /// that was undone, or a load that failed, has left them.
  void KeepFinished(Finished before, const std::set<std::string>& ended);

 private:
  JobFeeds& feeds_;
  const WorkerRegistry& workers_;
  const Clock& clock_;
  Jobs jobs_;
  std::map<std::string, int64_t, std::less<>> ids_;  ///< By uuid.
  std::deque<std::pair<int64_t, std::string>> finished_;
};

/// A snapshot of the progress of all jobs of a model: those of one owner whose requests have the same ModelPart::id
/// (job_spec.h). Each job searches for the schedule of one problem of the model. The object says which job gets the
/// next lease, and when all jobs end. MatmulScheduler orders them, one matmul for each job. The time of a matmul that
/// was not measured yet is estimated: it is the estimate in the job's request, scaled by the geometric mean of measured
/// time / estimate of the other matmuls. Not thread-safe.
class ModelJobs {
 public:
  /// Collects the jobs of the model that `job` is part of.
  ModelJobs(const JobTable& jobs, const LeaseTable& leases, const TuningJob& job);

  /// True if both jobs are part of one model.
  static bool BelongToSameModel(const TuningJob& a, const TuningJob& b);

  /// Returns the other jobs of the model of `job` from which it may learn: those that measure as it does, with its
  /// toolchain on its class of devices. Empty if `job` has no device yet.
  static std::vector<const TuningJob*> Similar(const JobTable& jobs, const TuningJob& job);

  /// Returns all jobs of the model, in the order of their ids.
  const std::vector<int64_t>& ids() const { return ids_; }
  /// True if no further job of the model is awaited, because ModelPart::parts jobs were submitted, or because
  /// ActiveJob::parts_known of one of them is true.
  bool PartsKnown() const { return parts_known_ || static_cast<int64_t>(ids_.size()) >= parts_; }
  /// Returns the jobs that have candidates or may propose more, the one that should get the next lease first. Empty
  ///
  /// - before PartsKnown();
  /// - once the trials that are done or being measured reach the model's limit;
  /// - while a search is being prepared: it may find results in the log, which count as trials of the model.
  std::vector<int64_t> Order() const;
  /// Returns why all jobs of the model should end; empty if they should not, or before PartsKnown().
  std::string EndReason() const;

 private:
  /// Returns the trials done by all jobs.
  int64_t Done() const;

  std::vector<int64_t> ids_;
  std::vector<MatmulProgress> matmuls_;  ///< One for each of ids_.
  int64_t limit_ = 0;                    ///< ModelPart::trials.
  int64_t parts_ = 0;                    ///< ModelPart::parts.
  bool parts_known_ = false;             ///< ActiveJob::parts_known of one of them.
  int64_t ended_trials_ = 0;             ///< ActiveJob::ended_trials.
  bool waits_ = false;                   ///< True if one of the searches has not begun.
  bool plans_ = false;                   ///< True if one of the searches is being prepared for a device.
};

}  // namespace mmtune
