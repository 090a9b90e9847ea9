// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What searches want compiled before they choose (Strategy::ToCompile), and which workers are at it. In memory alone:
// what is lost is asked for again, or done without.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "proto/base/clock.h"
#include "proto/types/schedule.h"
#include "server/coordinator/candidate_ledger.h"

namespace mmtune {

struct CompileTask {
  std::string token;
  int64_t job_id = 0;
  Schedule schedule;
  TimePoint asked;
  std::vector<std::string> given_to;  ///< All workers that got it, in turn.
  // Of whom has it.
  std::string worker;  ///< Empty: nobody.
  std::string request_id;
  TimePoint given;
};

/// Not thread-safe. Pointers are valid until the next change.
class CompileTasks {
 public:
  /// A search waits no longer for one task.
  static constexpr Duration kPatience = std::chrono::seconds(60);
  /// After so long a task is given to another worker, too.
  static constexpr Duration kSilence = std::chrono::seconds(20);
  /// And no more often than this.
  static constexpr size_t kMostTimes = 3;

  /// `clock` must outlive it.
  CompileTasks(const Clock& clock, TokenSource new_token) : clock_(clock), new_token_(std::move(new_token)) {}

  void Ask(int64_t job_id, Schedule schedule);
  /// At most `most` tasks of the job, for this request of a worker.
  std::vector<const CompileTask*> Give(int64_t job_id, std::string_view worker, std::string_view request_id, int most);
  /// What this request was given before and has not been done.
  std::vector<const CompileTask*> Repeat(std::string_view worker, std::string_view request_id) const;
  /// How many the worker has.
  int HeldBy(std::string_view worker) const;

  /// It is done, and forgotten; nullopt where it was before, or the worker never got it.
  std::optional<CompileTask> Take(std::string_view token, std::string_view worker);
  /// The worker does not do it: somebody may. Forgets and returns the task where it has been tried often enough.
  std::optional<CompileTask> Return(std::string_view token, std::string_view worker);
  /// The worker has none any more.
  void ForgetWorker(std::string_view worker);
  /// Forgets and returns the tasks whose time is over.
  std::vector<CompileTask> Overdue();
  /// When Overdue() will next have something.
  std::optional<TimePoint> NextDeadline() const;

  void DropJob(int64_t job_id) { jobs_.erase(job_id); }
  void Clear() { jobs_.clear(); }

 private:
  using Tasks = std::vector<CompileTask>;  ///< In the order in which they were asked for.

  /// Null where the worker never got it.
  CompileTask* Find(std::string_view token, std::string_view worker);
  CompileTask Extract(const CompileTask& task);

  const Clock& clock_;
  const TokenSource new_token_;
  std::map<int64_t, Tasks> jobs_;
};

}  // namespace mmtune
