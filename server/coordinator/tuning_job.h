// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One tuning job: what it asked for, the device it got, what it has proposed and seen. Knows nothing of candidates,
// leases or the log; see job_runner.h for those.
#pragma once

#include <cstdint>
#include <functional>
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
#include "proto/base/log.h"
#include "proto/base/digest.h"
#include "server/coordinator/event_draft.h"
#include "server/coordinator/job_plan.h"
#include "server/coordinator/job_spec.h"

namespace mmtune {

/// The class of devices and the toolchain a job measures with.
struct JobTarget {
  DeviceInfo device;  ///< The arch asked for applied (TargetFor).
  Toolchain toolchain;
  std::string class_key;
};

/// Not thread-safe.
class TuningJob {
 public:
  /// `clock` must outlive the job.
  TuningJob(JobRow row, v1::JobSpec message, JobSpec spec, const Clock& clock);

  int64_t id() const { return row_.id; }
  const std::string& uuid() const { return row_.uuid; }
  const std::string& trace_id() const { return message_.trace_id(); }
  /// Of log lines about it.
  LogSubject Subject() const { return {"", uuid(), trace_id(), 0}; }
  int64_t created_unix_millis() const { return row_.created_unix_millis; }
  const JobSpec& spec() const { return spec_; }
  JobState state() const { return row_.state; }
  const std::string& message() const { return row_.message; }
  /// A final state also frees the space and the strategy.
  void SetState(JobState state, std::string message);
  void set_message(std::string message) { row_.message = std::move(message); }

  const std::optional<JobTarget>& target() const { return target_; }
  /// How candidates are measured, with the defaults of its device; before it has one, as asked for.
  MeasureOptions measure() const { return target_ ? spec_.measure.For(target_->device.kind) : spec_.measure; }
  void SetTarget(JobTarget target) { target_ = std::move(target); }
  void set_toolchain(const Toolchain& toolchain) { target_->toolchain = toolchain; }

  /// The number of the plan that was asked for; one that arrives with another number is stale.
  void set_plan_number(int64_t number) { plan_number_ = number; }
  int64_t plan_number() const { return plan_number_; }
  /// The job starts: its clock runs from here.
  void Start(JobPlan plan);
  bool started() const { return plan_.strategy != nullptr; }
  /// Goes back to the time before it had a device: nothing is proposed or counted.
  void StartOver();

  /// Whether its search chooses from schedules of which this is one: then it is valid on its device.
  bool SearchesFor(const Schedule& schedule) const { return plan_.space != nullptr && plan_.space->Contains(schedule); }
  /// SearchSpace::PredictCompiled, of a search that goes on.
  std::optional<PredictedTime> PredictCompiled(const Schedule& schedule, const CodeFacts& facts) const {
    return plan_.space != nullptr ? plan_.space->PredictCompiled(schedule, facts) : std::nullopt;
  }
  /// At most `n` (1 or more) schedules, within the limits; counted as proposed.
  std::vector<Schedule> Propose(int n);
  /// What its search waits for, that has not been asked for yet: schedules to compile.
  std::vector<Schedule> ToCompile();
  /// Of one of them.
  void TakeCompiled(const CompiledFacts& facts);
  /// Nothing more will be proposed, unless something is observed, or compiled, first.
  bool ProposingDone() const;
  /// In a line, why a search proposes no more; empty for a job that names its schedules, or one that waits.
  std::string StopReason() const;
  /// Whether its seconds are over.
  bool OutOfTime() const;
  /// Whether what is proposed and not yet leased is no longer wanted.
  bool WantsNoMore() const;
  std::optional<TimePoint> TimeLimit() const;

  /// So many proposals are no longer wanted.
  void Withdraw(size_t proposals) { proposed_ -= static_cast<int64_t>(proposals); }

  /// A proposal was measured, or answered by the log.
  void Observe(const TuningRecord& record, bool from_log);
  /// A proposal could not be measured through no fault of its own.
  void ObserveUnmeasured(const Schedule& schedule);

  /// Whether it has measured nothing: the log answered all its proposals but those that were skipped, which it answers
  /// for none.
  bool IsRepetition() const { return from_log_ > 0 && from_log_ + skipped_ == done_; }
  /// What was compiled and not chosen has got its record: no trial.
  void ObserveUnchosen();

  /// How many could not be measured since the last one that was.
  int unmeasured_in_a_row() const { return unmeasured_in_a_row_; }

  double best_ns() const { return best_ns_; }
  /// Whether its search may have schedules compiled before it chooses among them. On the SIMT device no lane is idle:
  /// nothing compiles while a kernel is timed. It has a target.
  bool MayCompileAhead() const;
  /// Whether its workers may leave out what cannot win.
  bool MaySkip() const;
  /// What takes longer than this at least is not worth measuring; 0: everything is.
  double skip_above_ns() const;
  /// The best comparable time (result_trust.h) that such workers found; 0: none.
  double BestOf(absl::FunctionRef<bool(const std::string& worker)> is_such) const;
  /// Who submitted it: the name in a certificate, or empty.
  const std::string& owner() const { return message_.owner(); }
  v1::JobProgress Progress() const;
  v1::Job ToWire() const;
  EventDraft ToEvent() const;

 private:
  /// Progress() without the best schedule.
  v1::JobProgress Figures() const;
  SearchState State() const;
  double ElapsedSeconds() const;
  int64_t Planned() const;
  /// Whether the limits, or the strategy, have no room for more.
  bool NothingLeft() const;
  /// Candidates that were skipped, or not chosen, and count as no trials.
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
  int64_t experiences_ = 0;
  std::string log_error_;
  int64_t proposed_ = 0;
  int64_t done_ = 0;
  int64_t from_log_ = 0;
  int64_t skipped_ = 0;
  int64_t unchosen_ = 0;
  int64_t compiling_ = 0;  ///< So many schedules its search waits for to be compiled.
  int unmeasured_in_a_row_ = 0;
  std::map<std::string, int64_t> outcomes_;
  double best_ns_ = 0;
  double best_gflops_ = 0;
  std::shared_ptr<const Schedule> best_;                       ///< Null: none. Events of before share it.
  std::map<std::string, double, std::less<>> best_by_worker_;  ///< In nanoseconds.
  std::optional<double> baseline_percent_, bound_percent_;     ///< As in SearchState.
};

/// Of log lines about a candidate of `job`, which is null when it is not in memory, and one of its leases.
inline LogSubject SubjectOf(const TuningJob* job, int64_t candidate_id, std::string_view lease = "") {
  LogSubject subject = job == nullptr ? LogSubject() : job->Subject();
  subject.lease = lease.substr(0, kLeaseDigits);
  subject.candidate = candidate_id;
  return subject;
}

}  // namespace mmtune
