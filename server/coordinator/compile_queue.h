// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compile tasks for workers. A search may want schedules compiled before it chooses which of them to measure
// (Strategy::ToCompile); each such schedule becomes a task. Workers get tasks in answer to their Lease calls, by which
// they ask for work (proto/mmtune/v1/work_queue.proto).
//
// Tasks are kept in memory only. If one is lost, the search requests it again or continues without its result. Compile
// results of earlier jobs in the log are not used, so that a repeated job chooses as the first one did.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "mmtune/v1/work_queue.pb.h"
#include "proto/base/clock.h"
#include "proto/types/schedule.h"
#include "server/coordinator/lease_table.h"
#include "server/coordinator/worker_registry.h"

namespace mmtune {

struct ActiveJob;
class JobTable;

/// A schedule to compile, and the workers that were to compile it.
struct CompileTask {
  std::string token;  ///< Identifies the task in reports.
  int64_t job_id = 0;
  Schedule schedule;
  TimePoint asked;                    ///< The time at which the search requested it.
  std::vector<std::string> given_to;  ///< All workers to which it was assigned, in order.
  // The last assignment.
  std::string worker;      ///< The worker that has the task; empty if none has.
  std::string request_id;  ///< The id of that worker's Lease call.
  TimePoint given;         ///< The time at which the worker got it.
};

/// The tasks, and the workers that have them. Not thread-safe. Pointers are valid until the next change.
class CompileQueue {
 public:
  /// A search waits for a task for this time.
  static constexpr Duration kTaskTimeout = std::chrono::seconds(60);
  /// A task that its worker has had for this time may be assigned to another worker.
  static constexpr Duration kWorkerTimeout = std::chrono::seconds(20);
  /// A task is assigned to at most this number of workers.
  static constexpr size_t kMaxAssignments = 3;

  /// `clock` must outlive the queue.
  CompileQueue(const Clock& clock, TokenSource new_token) : clock_(clock), new_token_(std::move(new_token)) {}

  /// Adds a task.
  void Enqueue(int64_t job_id, Schedule schedule);
  /// Assigns at most `most` tasks of the job to this Lease call of a worker, oldest first.
  std::vector<const CompileTask*> Assign(int64_t job_id, std::string_view worker, std::string_view request_id,
                                         int most);
  /// Returns the unfinished tasks that were assigned to an earlier call with the same request id.
  std::vector<const CompileTask*> AssignedTo(std::string_view worker, std::string_view request_id) const;
  /// Returns the number of tasks that the worker has.
  int HeldBy(std::string_view worker) const;

  /// Removes and returns a task that the worker has done. Returns nullopt if the task is no longer in the queue, or was
  /// never assigned to the worker.
  std::optional<CompileTask> Complete(std::string_view token, std::string_view worker);
  /// Makes a task that the worker has not done available to other workers, and returns nullopt. If kMaxAssignments
  /// workers had it, removes and returns it instead. Does nothing if the worker does not have the task.
  std::optional<CompileTask> Return(std::string_view token, std::string_view worker);
  /// Makes all tasks of the worker available to others.
  void ForgetWorker(std::string_view worker);
  /// Removes and returns the tasks that were requested kTaskTimeout ago or earlier.
  std::vector<CompileTask> TakeOverdue();
  /// Returns when TakeOverdue() will next return something; nullopt if there are no tasks.
  std::optional<TimePoint> NextDeadline() const;

  /// Removes the tasks of a job.
  void DropJob(int64_t job_id) { jobs_.erase(job_id); }
  void Clear() { jobs_.clear(); }

 private:
  using Tasks = std::vector<CompileTask>;  ///< Oldest first.

  /// Returns null if the task is not in the queue, or was never assigned to the worker.
  CompileTask* Find(std::string_view token, std::string_view worker);
  CompileTask Extract(const CompileTask& task);

  const Clock& clock_;
  const TokenSource new_token_;
  std::map<int64_t, Tasks> jobs_;
};

/// Passes tasks from the searches of jobs to workers, and their results back. Not thread-safe.
class CompileDispatcher {
 public:
  /// `clock` and `jobs` must outlive the dispatcher.
  CompileDispatcher(const Clock& clock, JobTable& jobs, TokenSource new_token)
      : jobs_(jobs), queue_(clock, std::move(new_token)) {}

  /// Adds a task for each schedule that the job's search wants compiled.
  void Ask(ActiveJob& active);

  /// Assigns tasks to the worker until it has `most`. The tasks are of jobs that may measure on this device; jobs of
  /// the highest priority come first, and of these the oldest.
  std::vector<v1::CompileTask> Assign(const RegisteredWorker& worker, const RegisteredDevice& device,
                                      std::string_view request_id, int most);
  /// Returns the unfinished tasks that were assigned to an earlier call with the same request id.
  std::vector<v1::CompileTask> AssignedTo(std::string_view worker, std::string_view request_id) const;
  /// Makes the tasks of a worker that registers again available to others.
  void ForgetWorker(std::string_view worker) { queue_.ForgetWorker(worker); }

  /// Passes the result of a task to its search, and returns the search's job. Returns null if the task is left to
  /// another worker, because the worker handed it back, the result is invalid, or `believed` is false (the worker is
  /// quarantined: its results do not count).
  ActiveJob* HandleReport(std::string_view worker, const v1::CompileReport& report, bool believed);
  /// Tells searches which tasks were not done in time. Returns the ids of these searches' jobs.
  std::set<int64_t> EndWaits();
  /// Returns when EndWaits() will next have something to do; nullopt if there are no tasks.
  std::optional<TimePoint> NextDeadline() const { return queue_.NextDeadline(); }

  /// Removes the tasks of a job whose search is over.
  void DropJob(int64_t job_id) { queue_.DropJob(job_id); }
  void Clear() { queue_.Clear(); }

 private:
  std::vector<v1::CompileTask> Messages(const std::vector<const CompileTask*>& tasks) const;

  JobTable& jobs_;
  CompileQueue queue_;
};

}  // namespace mmtune
