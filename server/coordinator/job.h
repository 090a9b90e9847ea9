// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One tuning job: its request, the device it got, its plan (search space, strategy and prior observations), and what it
// has proposed and seen. It knows nothing of candidates, leases or the log's writer; see job_scheduler.h for those.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "db/tuning_log.h"
#include "mmtune/v1/tuning.pb.h"
#include "proto/base/clock.h"
#include "proto/base/digest.h"
#include "proto/base/log.h"
#include "search/cost_model/prior_observations.h"
#include "search/space/search_space.h"
#include "search/strategies/strategy.h"
#include "server/coordinator/event_feed.h"
#include "server/coordinator/job_spec.h"

namespace mmtune {

/// The search of a job on its device.
struct JobPlan {
  std::vector<std::unique_ptr<KernelFamily>> restricted;  ///< The families of `space`, if only parts are searched.
  std::unique_ptr<SearchSpace> space;                     ///< Null if the job names its schedules.
  std::unique_ptr<Strategy> strategy;
  SpaceSize space_size;           ///< SearchSpace::Size(), or Count() if the strategy needs it; 0 without a space.
  size_t prior_observations = 0;  ///< The number of prior observations from the log.
  std::string log_error;          ///< Why the log could not be read; empty: it could, or was not to be.
};

struct JobPlanRequest {
  JobSpec spec;
  DeviceInfo device;
  Toolchain toolchain;
  std::vector<Schedule> initial;  ///< Proposed before anything else: by the job before a restart.
  int lanes = 1;                  ///< The number of devices that measure for the job.
  int compile_lanes = 0;          ///< See StrategyOptions::compile_lanes.
  /// When the job was submitted, in Unix milliseconds: only older records are prior observations, so that they are the
  /// same after a restart.
  int64_t created_unix_millis = 0;
  ReaderFactory open_log;  ///< Null: there are no prior observations.
};

/// Makes the plan. Counting a space and reading the log may take long: not to be called on the log writer's thread. A
/// log that cannot be read is no error. InvalidArgument if nothing is valid on the device, or if a fraction of its peak
/// is to end the search and its peak is not known.
absl::StatusOr<JobPlan> MakeJobPlan(JobPlanRequest request);

/// The job for whose search prior observations are read.
struct WarmStartTarget {
  MatmulProblem problem;
  DeviceInfo device;
  Toolchain toolchain;
  TimesFilter times;  ///< For the kind of the device.
};

/// Reads the prior observations for a search. A source is a problem on a class of devices; the nearest come first: this
/// problem elsewhere, then this class of devices, these types, these sizes. At most kMostOfSource schedules of each are
/// read, fast and slow ones, of at most kMostSources sources, until there are kMaxPriorObservations or kMostRead times
/// were read. A source with fewer than kFewestOfSource is left out, and so are times of the target's own toolchain,
/// problem and class: they answer for themselves once they are proposed, so that a repeated job proposes the same. The
/// newest record of a schedule counts. The weight of the target's toolchain is 1, of others 1/2, 1/3, ... by their last
/// use.
///
/// The same records give the same result. It is empty if there are too few. Returns the errors of the log.
absl::StatusOr<std::vector<PriorObservation>> ReadPriorObservations(TuningLogReader& log, const WarmStartTarget& target,
                                                                    const SearchSpace& space);

inline constexpr size_t kMostOfSource = 512;
inline constexpr size_t kMaxPriorObservations = 2048;
inline constexpr size_t kFewestOfSource = 8;
inline constexpr size_t kMostSources = 512;
/// Bounds the cost of a job's start if the space has few of the log's schedules.
inline constexpr size_t kMostRead = 2 * kMaxPriorObservations;

/// The class of devices and the toolchain a job measures with.
struct JobTarget {
  DeviceInfo device;  ///< The arch asked for applied (TargetFor).
  Toolchain toolchain;
  std::string class_key;
};

/// The state of one job. Not thread-safe.
class TuningJob {
 public:
  /// `clock` must outlive the job.
  TuningJob(JobRow row, v1::JobSpec message, JobSpec spec, const Clock& clock);

  int64_t id() const { return row_.id; }
  const std::string& uuid() const { return row_.uuid; }
  const std::string& trace_id() const { return message_.trace_id(); }
  /// Returns the subject of log lines about the job.
  LogSubject Subject() const { return {"", uuid(), trace_id(), 0}; }
  int64_t created_unix_millis() const { return row_.created_unix_millis; }
  const JobSpec& spec() const { return spec_; }
  JobState state() const { return row_.state; }
  const std::string& message() const { return row_.message; }
  /// Sets the state. A final one also frees the space and the strategy.
  void SetState(JobState state, std::string message);
  void set_message(std::string message) { row_.message = std::move(message); }

  const std::optional<JobTarget>& target() const { return target_; }
  /// Returns how candidates are measured: as requested, with the defaults of its device once it has one.
  MeasureOptions measure() const { return target_ ? spec_.measure.For(target_->device.kind) : spec_.measure; }
  void SetTarget(JobTarget target) { target_ = std::move(target); }
  void set_toolchain(const Toolchain& toolchain) { target_->toolchain = toolchain; }

  /// Sets the number of the plan that was asked for; a plan that arrives with another number is stale.
  void set_plan_number(int64_t number) { plan_number_ = number; }
  int64_t plan_number() const { return plan_number_; }
  /// Starts the job, and the clock of its time limit.
  void Start(JobPlan plan);
  bool started() const { return plan_.strategy != nullptr; }
  /// Resets the job to the time before it had a device.
  void StartOver();

  /// True if its search space contains the schedule, which is then valid on its device.
  bool SearchesFor(const Schedule& schedule) const { return plan_.space != nullptr && plan_.space->Contains(schedule); }
  /// Calls SearchSpace::PredictCompiled() if the search goes on.
  std::optional<PredictedTime> PredictCompiled(const Schedule& schedule, const CodeFacts& facts) const {
    return plan_.space != nullptr ? plan_.space->PredictCompiled(schedule, facts) : std::nullopt;
  }
  /// Proposes at most `n` (1 or more) schedules within the limits, and counts them as proposed.
  std::vector<Schedule> Propose(int n);
  /// Returns the schedules that its search waits for to be compiled, each once.
  std::vector<Schedule> ToCompile();
  /// Passes the compiler's result for one of these schedules to the search.
  void TakeCompiled(const CompiledFacts& facts);
  /// True if nothing more will be proposed until something is observed or compiled.
  bool ProposingDone() const;
  /// Says in a line why the search proposes no more; empty for a job that names its schedules, or one that waits.
  std::string StopReason() const;
  /// True if its time limit has passed.
  bool OutOfTime() const;
  /// True if proposals that are not leased yet are no longer wanted.
  bool WantsNoMore() const;
  std::optional<TimePoint> TimeLimit() const;

  /// Withdraws proposals that will not be measured.
  void Withdraw(size_t proposals) { proposed_ -= static_cast<int64_t>(proposals); }

  /// Counts a proposal that was measured, or answered by the log, and passes its result to the search.
  void Observe(const TuningRecord& record, bool from_log);
  /// Counts a proposal that could not be measured because workers failed.
  void ObserveUnmeasured(const Schedule& schedule);

  /// True if the job has measured nothing: the log answered all its proposals but those that were skipped, which the
  /// log never answers.
  bool IsRepetition() const { return from_log_ > 0 && from_log_ + skipped_ == done_; }
  /// Counts a schedule that was compiled and not chosen, which is no trial.
  void ObserveUnchosen();

  /// Returns how many proposals could not be measured since the last one that was.
  int unmeasured_in_a_row() const { return unmeasured_in_a_row_; }

  double best_ns() const { return best_ns_; }
  /// True if its search may have schedules compiled before it chooses among them. Not on the SIMT device, where nothing
  /// compiles while a kernel is timed. It must have a target.
  bool MayCompileAhead() const;
  /// True if its workers may skip schedules that cannot win.
  bool MaySkip() const;
  /// Returns the lower bound above which a schedule is not worth measuring; 0: all are.
  double skip_above_ns() const;
  /// Returns the best comparable time (result_validator.h) of the workers that satisfy the predicate; 0: none.
  double BestOf(absl::FunctionRef<bool(const std::string& worker)> matches) const;
  /// Returns the name in the certificate of its submitter, or empty.
  const std::string& owner() const { return message_.owner(); }
  v1::JobProgress Progress() const;
  v1::Job ToWire() const;
  EventDraft ToEvent() const;

 private:
  /// Returns Progress() without the best schedule.
  v1::JobProgress Figures() const;
  SearchState State() const;
  double ElapsedSeconds() const;
  int64_t Planned() const;
  /// True if the limits or the strategy allow no more proposals.
  bool NothingLeft() const;
  /// Returns the number of candidates that were skipped or not chosen, and do not count as trials.
  int64_t Free() const;

  JobRow row_;
  const v1::JobSpec message_;
  const JobSpec spec_;
  const Clock& clock_;
  std::optional<JobTarget> target_;
  JobPlan plan_;
  int64_t plan_number_ = 0;
  bool stalled_ = false;  ///< The strategy had nothing to propose and has not observed anything since.

  std::optional<TimePoint> started_;
  std::optional<TimePoint> ended_;
  SpaceSize space_size_;
  int64_t prior_observations_ = 0;
  std::string log_error_;
  int64_t proposed_ = 0;
  int64_t done_ = 0;
  int64_t from_log_ = 0;
  int64_t skipped_ = 0;
  int64_t unchosen_ = 0;
  int64_t compiling_ = 0;  ///< Schedules that its search waits for to be compiled.
  int unmeasured_in_a_row_ = 0;
  std::map<std::string, int64_t> outcomes_;
  double best_ns_ = 0;
  double best_gflops_ = 0;
  std::shared_ptr<const Schedule> best_;                       ///< Null: none. Earlier events share it.
  std::map<std::string, double, std::less<>> best_by_worker_;  ///< In nanoseconds.
  std::optional<double> baseline_percent_, bound_percent_;     ///< See SearchState.
};

/// Returns the subject of log lines about a candidate, and a lease, of `job`, which is null if it is not in memory.
inline LogSubject SubjectOf(const TuningJob* job, int64_t candidate_id, std::string_view lease = "") {
  LogSubject subject = job == nullptr ? LogSubject() : job->Subject();
  subject.lease = lease.substr(0, kLeaseDigits);
  subject.candidate = candidate_id;
  return subject;
}

}  // namespace mmtune
