// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Schedules that searches want compiled before they choose (Strategy::ToCompile): tasks for workers. In memory only:
// a task that is lost is asked for again, or the search does without it. Compile results in the log are not used: they
// say less, and a repeated job is to choose as the first one did.
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

struct CompileTask {
  std::string token;
  int64_t job_id = 0;
  Schedule schedule;
  TimePoint asked;
  std::vector<std::string> given_to;  ///< All workers that got it, in order.
  // The worker that has it now.
  std::string worker;  ///< Empty: nobody.
  std::string request_id;
  TimePoint given;
};

/// The tasks, and which workers have them. Not thread-safe. Pointers are valid until the next change.
class CompileQueue {
 public:
  /// A search waits this long for one task.
  static constexpr Duration kTaskTimeout = std::chrono::seconds(60);
  /// After this time a task is given to another worker, too.
  static constexpr Duration kWorkerTimeout = std::chrono::seconds(20);
  static constexpr size_t kMaxAssignments = 3;

  /// `clock` must outlive it.
  CompileQueue(const Clock& clock, TokenSource new_token) : clock_(clock), new_token_(std::move(new_token)) {}

  void Enqueue(int64_t job_id, Schedule schedule);
  /// Gives at most `most` tasks of the job to this request of a worker.
  std::vector<const CompileTask*> Assign(int64_t job_id, std::string_view worker, std::string_view request_id,
                                         int most);
  /// Returns the unfinished tasks that this request was given before.
  std::vector<const CompileTask*> AssignedTo(std::string_view worker, std::string_view request_id) const;
  /// Returns the number of tasks that the worker has.
  int HeldBy(std::string_view worker) const;

  /// Removes a task that was done. Returns nullopt if it was done before, or the worker never got it.
  std::optional<CompileTask> Complete(std::string_view token, std::string_view worker);
  /// Leaves a task that the worker does not do to others. Removes and returns one that was assigned often enough.
  std::optional<CompileTask> Return(std::string_view token, std::string_view worker);
  /// Takes all tasks away from the worker.
  void ForgetWorker(std::string_view worker);
  /// Removes and returns the tasks that are older than kTaskTimeout.
  std::vector<CompileTask> TakeOverdue();
  /// Returns when TakeOverdue() will next return something.
  std::optional<TimePoint> NextDeadline() const;

  void DropJob(int64_t job_id) { jobs_.erase(job_id); }
  void Clear() { jobs_.clear(); }

 private:
  using Tasks = std::vector<CompileTask>;  ///< In the order in which they were asked for.

  /// Returns null if the worker never got the task.
  CompileTask* Find(std::string_view token, std::string_view worker);
  CompileTask Extract(const CompileTask& task);

  const Clock& clock_;
  const TokenSource new_token_;
  std::map<int64_t, Tasks> jobs_;
};

/// Passes tasks from the searches of jobs to workers, and results back. Not thread-safe.
class CompileDispatcher {
 public:
  /// `clock` and `jobs` must outlive it.
  CompileDispatcher(const Clock& clock, JobTable& jobs, TokenSource new_token)
      : jobs_(jobs), queue_(clock, std::move(new_token)) {}

  /// Makes tasks of the schedules that the job's search wants compiled.
  void Ask(ActiveJob& active);

  /// Gives the worker tasks of the jobs that this device may compile for, highest priority first, then oldest, until it
  /// has `most`.
  std::vector<v1::CompileTask> Assign(const RegisteredWorker& worker, const RegisteredDevice& device,
                                      std::string_view request_id, int most);
  /// Returns the unfinished tasks that this request was given before.
  std::vector<v1::CompileTask> AssignedTo(std::string_view worker, std::string_view request_id) const;
  /// Takes all tasks away from a worker that registers again.
  void ForgetWorker(std::string_view worker) { queue_.ForgetWorker(worker); }

  /// Passes the result of a task to its search. A result that makes no sense, or is not `believed`, leaves the task to
  /// another worker. Returns the job whose search was told; null: none.
  ActiveJob* HandleReport(std::string_view worker, const v1::CompileReport& report, bool believed);
  /// Tells searches about the tasks that nobody did in time. Returns the jobs of these searches.
  std::set<int64_t> EndWaits();
  /// Returns when EndWaits() will next have something to do.
  std::optional<TimePoint> NextDeadline() const { return queue_.NextDeadline(); }

  /// Forgets the tasks of a job whose search is over.
  void DropJob(int64_t job_id) { queue_.DropJob(job_id); }
  void Clear() { queue_.Clear(); }

 private:
  std::vector<v1::CompileTask> Messages(const std::vector<const CompileTask*>& tasks) const;

  JobTable& jobs_;
  CompileQueue queue_;
};

}  // namespace mmtune
