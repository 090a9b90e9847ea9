// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The state and the progress of one tuning job: a search for the fastest schedule of a matmul problem. The file begins
// with functions for the states of jobs in the protocol (v1).
//
// A job waits until it has a device. Then a plan is made for it (JobPlan): its search space, and the strategy that
// proposes schedules of the space. Proposed schedules are measured, and their results observed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/functional/function_ref.h"
#include "db/tuning_log.h"
#include "mmtune/v1/tuning.pb.h"
#include "proto/base/clock.h"
#include "proto/base/digest.h"
#include "proto/base/log.h"
#include "proto/types/device_info.h"
#include "proto/types/measure_options.h"
#include "proto/types/schedule.h"
#include "search/space/search_space.h"
#include "search/strategies/matmul_scheduler.h"
#include "search/strategies/stop_condition.h"
#include "search/strategies/strategy.h"
#include "server/coordinator/event_feed.h"
#include "server/coordinator/job_plan.h"
#include "server/coordinator/job_spec.h"

namespace mmtune {

/// Converts a state of the log into the enum of the protocol.
v1::JobState ToWire(JobState state);
/// Returns the name of the state, such as "running", or "unknown" for a value from a newer program.
std::string_view JobStateName(v1::JobState state);
/// True if a job in this state has ended; false for a value from a newer program.
bool IsFinal(v1::JobState state);

/// The class of devices, and the toolchain, with which a job measures.
struct JobTarget {
  DeviceInfo device;  ///< A device of the class, with the architecture for which the job asked.
  Toolchain toolchain;
  std::string class_key;  ///< DeviceInfo::ClassKey() of `device`.
};

/// The state and the progress of one job. Not thread-safe.
class TuningJob {
 public:
  /// `clock` must outlive the job.
  TuningJob(JobRow row, v1::JobSpec message, JobSpec spec, const Clock& clock);

  int64_t id() const { return row_.id; }
  const std::string& uuid() const { return row_.uuid; }
  const std::string& trace_id() const { return message_.trace_id(); }
  /// Returns the ids that are added to log lines about the job.
  LogSubject Subject() const { return {"", uuid(), trace_id(), 0}; }
  int64_t created_unix_millis() const { return row_.created_unix_millis; }
  const JobSpec& spec() const { return spec_; }
  JobState state() const { return row_.state; }
  const std::string& message() const { return row_.message; }
  /// Sets the state. A final state also frees the search space and the strategy.
  void SetState(JobState state, std::string message);
  void set_message(std::string message) { row_.message = std::move(message); }

  const std::optional<JobTarget>& target() const { return target_; }
  /// Returns how candidates are measured: as requested, plus the defaults of its device once it has one.
  MeasureOptions measure() const { return target_ ? spec_.measure.For(target_->device.kind) : spec_.measure; }
  void SetTarget(JobTarget target) { target_ = std::move(target); }
  /// Sets the toolchain of the job, which must have a target. Other jobs no longer learn from times of this job that
  /// were measured with another one.
  void set_toolchain(const Toolchain& toolchain) {
    if (!(target_->toolchain == toolchain)) timed_.clear();
    target_->toolchain = toolchain;
  }

  /// Sets the number of the plan that is being made on another thread. A plan that arrives with another number is
  /// outdated, and dropped.
  void set_plan_number(int64_t number) { plan_number_ = number; }
  int64_t plan_number() const { return plan_number_; }
  /// Starts the search, and the job's time limit.
  void Start(JobPlan plan);
  bool started() const { return plan_.strategy != nullptr; }
  /// Returns the job to the state before it had a device, with no progress.
  void StartOver();

  /// True if the schedule is in the job's search space, and so valid on its device.
  bool SearchesFor(const Schedule& schedule) const { return plan_.space != nullptr && plan_.space->Contains(schedule); }
  /// Returns SearchSpace::PredictCompiled(), or nullopt if the job has no search space or has ended.
  std::optional<PredictedTime> PredictCompiled(const Schedule& schedule, const CodeFacts& facts) const {
    return plan_.space != nullptr ? plan_.space->PredictCompiled(schedule, facts) : std::nullopt;
  }
  /// Returns at most `n` schedules to measure next, within the job's limits, and counts them as proposed. `n` must be
  /// positive.
  std::vector<Schedule> Propose(int n);
  /// Returns the schedules that the search wants compiled before it chooses among them. Each is returned once.
  std::vector<Schedule> ToCompile();
  /// Passes the compiler's result for a schedule of ToCompile() to the search.
  void TakeCompiled(const CompiledFacts& facts);
  /// True if Propose() will return nothing until something more is observed or compiled.
  bool ProposingDone() const;
  /// Returns one line that says why the search has ended. Empty if it has not, or if the job names its schedules.
  std::string StopReason() const;
  /// Ends the search: nothing more is proposed, and the reason is StopReason().
  void EndSearch(std::string reason) { end_reason_ = std::move(reason); }
  /// Returns the progress in the form that MatmulScheduler takes, which divides the trials of a model among its
  /// matmuls. `running` is the number of trials that are being measured. The job must be part of a model.
  MatmulProgress ToMatmulProgress(int64_t running) const;
  /// True if the job's time limit has passed.
  bool OutOfTime() const;
  /// True if a limit was reached that also cancels proposals that no worker has yet.
  bool ReachedHardLimit() const;
  /// Returns when the job's time limit ends; nullopt if it has none or was not started.
  std::optional<TimePoint> TimeLimit() const;

  /// Withdraws this number of proposals, which will not be measured.
  void Withdraw(size_t proposals) { proposed_ -= static_cast<int64_t>(proposals); }

  /// Counts the result of a proposal, and passes it to the search. `from_log` is true for an earlier result that was
  /// found in the log.
  void Observe(const TuningRecord& record, bool from_log);
  /// Counts a proposal that could not be measured because its workers failed.
  void ObserveUnmeasured(const Schedule& schedule);

  /// True if the job has timed nothing: all its results came from the log. Skipped schedules are ignored, because their
  /// results are never reused.
  bool IsRepetition() const { return from_log_ > 0 && from_log_ + skipped_ == done_; }
  /// Counts a schedule that was compiled for the search and never chosen. It is not a trial.
  void ObserveUnchosen();

  /// Returns the number of proposals that could not be measured since the last one that could.
  int unmeasured_in_a_row() const { return unmeasured_in_a_row_; }

  /// Gives the search the times that other jobs of its model (ModelJobs) have measured, if there are at least an eighth
  /// more of them than when it was given times last. Also suggests to it the best schedules of the nearest problems.
  /// `others` must measure with the same toolchain on the same class of devices. Does nothing if the search does not
  /// learn from others, or before it has proposed what it must propose again (JobPlan::repeated).
  void LearnFrom(const std::vector<const TuningJob*>& others);

  /// Returns the best time in nanoseconds; 0 if there is none.
  double best_ns() const { return best_ns_; }
  /// True if schedules may be compiled before the search chooses among them. Never on the SIMT device, because
  /// compiling would disturb its timings. The job must have a target.
  bool MayCompileAhead() const;
  /// True if workers may skip schedules whose lower bound shows that they cannot win.
  bool MaySkip() const;
  /// Returns the lower bound, in nanoseconds, above which workers skip a schedule; 0 if they skip none.
  double skip_above_ns() const;
  /// Returns the best comparable time (Comparable() in result_validator.h), in nanoseconds, of the workers that satisfy
  /// the predicate; 0 if there is none.
  double BestOf(absl::FunctionRef<bool(const std::string& worker)> matches) const;
  /// Returns the name in the submitter's certificate; empty if there was no certificate.
  const std::string& owner() const { return message_.owner(); }
  /// Returns the job's progress, for clients.
  v1::JobProgress Progress() const;
  /// Returns the whole job, for clients.
  v1::Job ToWire() const;
  /// Returns an event with the job's state and progress, for clients.
  EventDraft ToEvent() const;

 private:
  /// Returns Progress() without the best schedule.
  v1::JobProgress Figures() const;
  SearchState State() const;
  double ElapsedSeconds() const;
  /// Returns the number of proposals that the job will make at most; 0 if it is not known.
  int64_t Planned() const;
  /// True if the limits or the strategy allow no more proposals.
  bool ProposalsExhausted() const;
  /// Returns the number of results that count as trials of the model, if the job is part of one. Of the skipped
  /// schedules, only those beyond a few for each measured one count.
  int64_t Trials() const;
  /// Returns the number of proposals that do not count against the limit on trials, because they were skipped or not
  /// chosen.
  int64_t Free() const;

  JobRow row_;
  const v1::JobSpec message_;
  const JobSpec spec_;
  const Clock& clock_;
  std::optional<JobTarget> target_;
  JobPlan plan_;
  int64_t plan_number_ = 0;
  bool stalled_ = false;  ///< True if the strategy proposed nothing when last asked, and has observed nothing since.

  std::optional<TimePoint> started_;
  std::optional<TimePoint> ended_;
  SpaceSize space_size_;
  int64_t prior_observations_ = 0;
  std::vector<TimedSchedule> timed_;  ///< If the job is part of a model: the times from which others may learn.
  size_t learned_ = 0;                ///< How many times the other jobs had when the search learned last.
  std::string log_error_;
  int64_t proposed_ = 0;
  int64_t done_ = 0;
  int64_t from_log_ = 0;
  int64_t skipped_ = 0;
  int64_t unchosen_ = 0;
  double trial_ms_ = 0;     ///< The time that all trials took to compile, verify and measure.
  std::string end_reason_;  ///< The reason given to EndSearch(); empty if it was not called.
  int64_t compiling_ = 0;   ///< The number of schedules of ToCompile() without a result.
  int unmeasured_in_a_row_ = 0;
  std::map<std::string, int64_t> outcomes_;
  double best_ns_ = 0;
  double best_gflops_ = 0;
  std::shared_ptr<const Schedule> best_;                       ///< Shared with events; null if there is none.
  std::map<std::string, double, std::less<>> best_by_worker_;  ///< In nanoseconds.
  std::optional<double> baseline_percent_, bound_percent_;     ///< The values for SearchState (stop_condition.h).
};

/// Returns the ids that are added to log lines about a candidate and, if `lease` is not empty, its lease. `job` is null
/// if the job is not in memory.
inline LogSubject SubjectOf(const TuningJob* job, int64_t candidate_id, std::string_view lease = "") {
  LogSubject subject = job == nullptr ? LogSubject() : job->Subject();
  subject.lease = lease.substr(0, kLeaseDigits);
  subject.candidate = candidate_id;
  return subject;
}

}  // namespace mmtune
