// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The jobs in memory: the unfinished ones, and the newest of those that have ended, whose events can still be read.
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

#include "proto/base/clock.h"
#include "server/coordinator/device_binding.h"
#include "server/coordinator/job_feed.h"
#include "server/coordinator/tuning_job.h"
#include "server/coordinator/worker_registry.h"

namespace mmtune {

/// What compiling a schedule told that has not been chosen yet.
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
  /// What it proposed before a restart, or before it left a class of devices: its next plan proposes that first.
  std::vector<Schedule> proposed_before;
  /// Measured by this job before a restart and not yet proposed again, by digest of the schedule.
  std::unordered_map<std::string, TuningRecord> own_records;
  std::map<std::string, CompiledAhead> compiled_ahead;  ///< By digest of the schedule.
  TimePoint waits_since;            ///< While it waits for a device: since it came, was taken up or left another one.
  std::optional<int64_t> position;  ///< Among the jobs that wait for leases: lease_turns.h.
  bool pump_again = false;          ///< There was more to propose than one call of Pump takes.
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

  /// Also opens the job's feed.
  ActiveJob& Add(JobRow row, v1::JobSpec message, JobSpec spec);
  /// Whether there are too many unfinished jobs for another one.
  bool full() const;
  /// How many unfinished jobs there may be.
  static constexpr size_t kMaxUnfinished = 1024;

  /// Null when the job is not in memory.
  ActiveJob* Find(int64_t id);
  const ActiveJob* Find(int64_t id) const { return const_cast<JobTable*>(this)->Find(id); }
  ActiveJob* Find(std::string_view uuid);
  const ActiveJob* Find(std::string_view uuid) const { return const_cast<JobTable*>(this)->Find(uuid); }
  /// By id.
  Jobs& all() { return jobs_; }
  const Jobs& all() const { return jobs_; }

  /// The job has ended: it is kept until enough others have.
  void Retire(int64_t id);

  /// Forgets all jobs and returns those that had ended.
  Finished Reset();
  /// Takes back the jobs of a Reset whose uuid is in `ended`; the end of the others was undone.
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
