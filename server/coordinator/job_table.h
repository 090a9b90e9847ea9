// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The jobs in memory, and the class of devices that each is bound to: the unfinished jobs, and the newest of those that
// have ended, whose events can still be read.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "proto/base/clock.h"
#include "server/coordinator/event_feed.h"
#include "server/coordinator/job.h"
#include "server/coordinator/job_spec.h"
#include "server/coordinator/worker_registry.h"

namespace mmtune {

struct DeviceChoice {
  std::optional<JobTarget> target;
  std::string waits_for;   ///< When there is no target and no failure: "no worker with a CUDA device …".
  bool unmatched = false;  ///< It waits because the job selects no serving worker.
  /// No registered device will ever do: each is older than the arch, or has too little memory for the operands.
  absl::Status failure;
};

/// Restricts the class of devices that a job may be bound to, by class key.
struct ClassRule {
  std::string required;  ///< The class of a resumed job's records; empty: any.
  std::string avoided;   ///< Empty: none.
};

/// Chooses from the devices that serve (WorkerRegistry::Serves). Selector auto takes the first CUDA device and falls to
/// the SIMT device when there is none.
DeviceChoice ChooseDevice(const JobSpec& spec, const ClassRule& rule, const WorkerRegistry& workers);

/// True if `device` of `worker` may measure for a job: labels, selector, arch and class agree, and its memory holds the
/// operands, however much others of its class have.
bool DeviceServes(const RegisteredWorker& worker, const RegisteredDevice& device, const JobSpec& spec,
                  const JobTarget& target);

/// The class of devices that serves a job: chosen, observed, and left if nothing ever comes from it. Not thread-safe.
class DeviceBinding {
 public:
  /// All are used, not owned, and must outlive it.
  DeviceBinding(TuningJob& job, const WorkerRegistry& workers, const Clock& clock)
      : job_(job), workers_(workers), clock_(clock) {}

  /// Restricts the job to this class of devices, because it has records of it.
  void Require(std::string class_key) { required_ = std::move(class_key); }
  /// Returns the class that the job is restricted to; empty: none.
  const std::string& required() const { return required_; }

  /// Chooses a device for a job that has none. A class that was left is chosen again only if there is no other.
  DeviceChoice Choose() const;
  /// Notes that the job starts on the device chosen.
  void Start() { served_at_ = clock_.Now(); }
  /// Notes that a device of its class, or the log, gave the job a result.
  void NoteResult() { has_result_ = true; }
  /// Notes that a lease of the job was lost with its worker.
  void NoteLoss(std::string_view worker);

  /// True if the worker's device may measure for the job: labels, class and toolchain agree.
  bool Takes(const RegisteredWorker& worker, const RegisteredDevice& device) const;
  /// Returns the number of devices of serving workers that may measure for the job, at least 1. It must have a target.
  int Lanes() const;
  /// Returns the number of candidates that compile at once for each of these devices.
  int CompileLanes() const;
  /// True if a serving worker that is neither `worker` nor of one of these trust domains could measure for the job.
  bool ServedBesides(const std::vector<std::string>& trust_domains, std::string_view worker = "") const;
  /// Checks whether a worker serves the job. When the last one with its toolchain is gone, the job continues with
  /// another toolchain on the same class of devices. Returns true if the answer has changed: the job's message says
  /// how.
  bool Watch();
  /// True if the job should start over on another class of devices: there is one, nothing ever came from its own class,
  /// and for the registry's silence only workers that lost its leases have served it.
  bool ShouldLeave();
  /// Makes the job start over without a device, and avoid this class.
  void Leave();

 private:
  /// Returns the number of the worker's devices that may measure for the job.
  int DevicesOf(const RegisteredWorker& worker) const;
  bool AdoptToolchain();
  /// Names a worker that would serve the job if it were not held; empty: there is none.
  std::string HeldWorker() const;
  /// True if a worker of the job's class serves that has asked for work and lost none of the job's leases. If none with
  /// the job's toolchain does, the job continues with another toolchain.
  bool ServedReliably();

  TuningJob& job_;
  const WorkerRegistry& workers_;
  const Clock& clock_;
  std::string required_;
  bool served_ = true;  ///< The value that watchers were last told.
  // About its class; used until there is a result from it.
  bool has_result_ = false;
  TimePoint served_at_;            ///< When it was last served by a worker that has lost none of its leases.
  bool lost_lease_ = false;        ///< Since then.
  std::set<std::string> lost_by_;  ///< Workers.
  std::string left_;               ///< The class from which nothing came; empty: none.
};

/// The result of compiling a schedule that has not been chosen yet.
struct CompiledAhead {
  Schedule schedule;
  std::string worker;
  CodeFacts code;
  PhaseTimes phases;
  std::string code_digest;
  std::string failure;  ///< Why it does not compile; empty: it does.
};

/// A job in memory, with what it brought from before a restart and the devices that serve it.
struct ActiveJob {
  ActiveJob(JobRow row, v1::JobSpec message, JobSpec spec, const WorkerRegistry& workers, const Clock& clock)
      : job(std::move(row), std::move(message), std::move(spec), clock),
        binding(job, workers, clock),
        waits_since(clock.Now()) {}

  TuningJob job;
  DeviceBinding binding;
  /// The schedules that it proposed before a restart, or before it left a class of devices: its next plan proposes them
  /// first.
  std::vector<Schedule> proposed_before;
  /// Records of this job from before a restart whose schedules are not yet proposed again, by digest of the schedule.
  std::unordered_map<std::string, TuningRecord> own_records;
  std::map<std::string, CompiledAhead> compiled_ahead;  ///< By digest of the schedule.
  TimePoint waits_since;                                ///< When it began to wait for a device.
  std::optional<int64_t> position;  ///< Its position among the jobs that share leases (fair_scheduler.h).
  bool queue_incomplete = false;    ///< There is more to propose than one call of FillQueue takes.
};

/// Not thread-safe.
class JobTable {
 public:
  using Jobs = std::map<int64_t, ActiveJob>;
  struct Finished {
    Jobs jobs;
    std::deque<std::pair<int64_t, std::string>> order;  ///< Id and uuid, oldest first.
  };

  /// All are used, not owned, and must outlive the table.
  JobTable(JobFeeds& feeds, const WorkerRegistry& workers, const Clock& clock)
      : feeds_(feeds), workers_(workers), clock_(clock) {}

  /// Adds a job and opens its feed.
  ActiveJob& Add(JobRow row, v1::JobSpec message, JobSpec spec);
  /// True if there are too many unfinished jobs for another one.
  bool full() const;
  static constexpr size_t kMaxUnfinished = 1024;

  /// Returns null if the job is not in memory.
  ActiveJob* Find(int64_t id);
  const ActiveJob* Find(int64_t id) const { return const_cast<JobTable*>(this)->Find(id); }
  ActiveJob* Find(std::string_view uuid);
  const ActiveJob* Find(std::string_view uuid) const { return const_cast<JobTable*>(this)->Find(uuid); }
  const TuningJob* FindJob(int64_t id) const;
  /// Returns all jobs by id.
  Jobs& all() { return jobs_; }
  const Jobs& all() const { return jobs_; }

  /// True if a serving worker that is neither `worker` nor of one of these trust domains could measure for the job.
  bool OthersServe(int64_t job_id, const std::vector<std::string>& trust_domains, std::string_view worker = "") const;

  /// Keeps a job that has ended until enough others have.
  void Retire(int64_t id);

  /// Forgets all jobs and returns those that had ended.
  Finished Reset();
  /// Takes back the jobs of a Reset whose uuid is in `ended`; the others' end was undone.
  void KeepFinished(Finished before, const std::set<std::string>& ended);

 private:
  JobFeeds& feeds_;
  const WorkerRegistry& workers_;
  const Clock& clock_;
  Jobs jobs_;
  std::map<std::string, int64_t, std::less<>> ids_;  ///< By uuid.
  std::deque<std::pair<int64_t, std::string>> finished_;
};

}  // namespace mmtune
