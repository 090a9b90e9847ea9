// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One tuning job: the checked request (JobSpec), the search that was prepared for it (JobPlan), its progress
// (TuningJob), and the class of devices that measures for it (DeviceBinding).
//
// Nothing here knows the tuning log's writer, nor candidates (the schedules that a search proposes) and their leases to
// workers: job_scheduler.h connects jobs with those. All classes belong to the log writer's thread unless a comment
// says otherwise.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "db/tuning_log.h"
#include "kernels/families/common/summation.h"
#include "mmtune/v1/tuning.pb.h"
#include "proto/base/clock.h"
#include "proto/base/digest.h"
#include "proto/base/log.h"
#include "proto/types/device_info.h"
#include "proto/types/kernel_family.h"
#include "proto/types/matmul_problem.h"
#include "proto/types/measure_options.h"
#include "proto/types/schedule.h"
#include "proto/types/scheduling_policy.h"
#include "search/cost_model/prior_observations.h"
#include "search/space/restricted_family.h"
#include "search/space/search_space.h"
#include "search/strategies/matmul_scheduler.h"
#include "search/strategies/stop_condition.h"
#include "search/strategies/strategy.h"
#include "server/coordinator/event_feed.h"

namespace mmtune {

class WorkerRegistry;
struct RegisteredDevice;
struct RegisteredWorker;

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

/// Converts a state of the log into the enum of the protocol.
v1::JobState ToWire(JobState state);
/// Returns the name of the state, such as "running", or "unknown" for a value from a newer program.
std::string_view JobStateName(v1::JobState state);
/// True if a job in this state has ended; false for a value from a newer program.
bool IsFinal(v1::JobState state);

/// The most jobs of a model that count as one job of their client.
inline constexpr int64_t kMostModelParts = 256;

/// Set for a job that searches for one problem of a model: its part in the model (v1::ModelShare).
struct ModelPart {
  std::string id;                   ///< Identifies the model: the same for all its jobs.
  double calls = 1;                 ///< The number of times that the model computes the problem.
  double time_ns = 1;               ///< The estimated time of the problem in the model now.
  std::optional<Schedule> present;  ///< The schedule that the model uses now; it is measured first.
  int64_t trials = 0;               ///< The limit on the trials of all jobs of the model; 0 means no limit.
  int64_t parts = 0;                ///< The number of jobs of the model; 0 if it is not known.
};

/// A job's request after all its fields were checked.
struct JobSpec {
  MatmulProblem problem;
  DeviceSelector device;
  SchedulingPolicy policy;
  std::string strategy;
  uint64_t seed = 0;
  StopLimits limits;
  std::vector<Schedule> schedules;            ///< If not empty, exactly these are measured, without a search.
  bool remeasure = false;                     ///< Measures candidates even if the log has their results.
  bool cold_start = false;                    ///< The search gets no prior observations (prior_observations.h).
  bool no_skip = false;                       ///< Also measures schedules whose lower bound shows that they cannot win.
  bool no_compile_ahead = false;              ///< Compiles only schedules that are then measured.
  MeasureOptions measure;                     ///< The requested options; TuningJob::measure() adds defaults.
  std::optional<Schedule> reference;          ///< If set, each of `schedules` is timed side by side with it.
  std::vector<const KernelFamily*> families;  ///< The families to search; never empty.
  std::vector<FamilyPart> only;               ///< The part of each family to search; empty: all.
  Numerics numerics;                          ///< Restricts the search by the order of additions.
  std::optional<ModelPart> model;             ///< Set if the job shares its trials with others of a model.
};

/// Checks a request. Returns InvalidArgument with the wrong field and its valid values. `known` holds all kernel
/// families; a job that names none searches those that are searched by default for its problem.
absl::StatusOr<JobSpec> ParseJobSpec(const v1::JobSpec& message, const std::vector<const KernelFamily*>& known);

/// Returns how the job's candidates are measured. Returns InvalidArgument with the wrong field.
absl::StatusOr<MeasureOptions> MeasureOf(const v1::JobSpec& message);
/// True if the job verifies schedules before it times them, or if the message cannot be read.
bool WantsVerification(const v1::JobSpec& message);

/// Clears every field that limits the search: trials, seconds, and the conditions that end it early.
void ClearLimits(v1::JobSpec& message);

/// The search of a job on its device.
struct JobPlan {
  std::vector<std::unique_ptr<KernelFamily>> restricted;  ///< Owns the families of `space` if only parts are searched.
  std::unique_ptr<SearchSpace> space;                     ///< Null if the job names its schedules.
  std::unique_ptr<Strategy> strategy;                     ///< Chooses the schedules; it refers to `space`.
  SpaceSize space_size;  ///< Exact if the strategy needs that, otherwise estimated; 0 without a space.
  /// The number of prior observations (prior_observations.h) that were read from the log.
  size_t prior_observations = 0;
  std::string log_error;  ///< The reason why the log could not be read; empty if there was no error.
};

/// The arguments of MakeJobPlan.
struct JobPlanRequest {
  JobSpec spec;
  DeviceInfo device;
  Toolchain toolchain;
  std::vector<Schedule> initial;  ///< Proposed before all others: the proposals of the same job before a restart.
  int lanes = 1;                  ///< The number of devices that measure for the job.
  int compile_lanes = 0;          ///< The most schedules compiled at once for each of `lanes`; 0: none ahead.
  /// The time at which the job was submitted, in Unix milliseconds. Only older records become prior observations (times
  /// from which the search learns), so that they are the same after a restart.
  int64_t created_unix_millis = 0;
  ReaderFactory open_log;  ///< Opens the log for prior observations; null if there are to be none.
};

/// Prepares the search of a job. Counting a space and reading the log may take minutes, so it must not run on the log
/// writer's thread; it may run on any other. A log that cannot be read is reported in JobPlan::log_error. Returns
/// InvalidArgument if no schedule is valid on the device, or if the search is to end at a percentage of a peak
/// throughput that is not known.
absl::StatusOr<JobPlan> MakeJobPlan(JobPlanRequest request);

/// The problem, device and toolchain for whose search prior observations are read.
struct WarmStartTarget {
  MatmulProblem problem;
  DeviceInfo device;
  Toolchain toolchain;
  TimesFilter times;  ///< Selects the times that may be used, such as those of the device's kind.
};

/// Reads the prior observations for a search from the log.
///
/// All times of one problem on one class of devices are a source. Sources are read in the order of their similarity:
/// the target's own problem on other devices, then other problems on the target's class of devices, then problems with
/// the target's types, then problems of similar size. Reading ends after kMostSources sources, after
/// kMaxPriorObservations observations, or after kMostRead times. Of each source at most kMostOfSource schedules are
/// read, fast and slow ones; for each schedule its newest record counts. Sources with fewer than kFewestOfSource usable
/// times are left out. So are times of the target's own problem, class and toolchain: the log answers these when they
/// are proposed, and a repeated job thus proposes the same schedules.
///
/// Observations made with the target's toolchain have weight 1; those of other toolchains have 1/2, 1/3 and so on, the
/// last used first. The same records always give the same result, which is empty if there are too few. Returns the
/// errors of the log.
absl::StatusOr<std::vector<PriorObservation>> ReadPriorObservations(TuningLogReader& log, const WarmStartTarget& target,
                                                                    const SearchSpace& space);

inline constexpr size_t kMostOfSource = 512;
inline constexpr size_t kMaxPriorObservations = 2048;
inline constexpr size_t kFewestOfSource = 8;
inline constexpr size_t kMostSources = 512;
/// The most times that are read; it limits how long a job's start takes if few of the log's schedules are in its space.
inline constexpr size_t kMostRead = 2 * kMaxPriorObservations;

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
  void set_toolchain(const Toolchain& toolchain) { target_->toolchain = toolchain; }

  /// Sets the number of the plan that is being made. A plan that arrives with another number is outdated.
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
  /// Returns the progress in the form that MatmulScheduler takes.
  /// `running` is the number of trials that are being measured. The job must be part of a model.
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
  std::optional<double> baseline_percent_, bound_percent_;     ///< See SearchState.
};

/// Returns the ids that are added to log lines about a candidate and, if `lease` is not empty, its lease. `job` is null
/// if the job is not in memory.
inline LogSubject SubjectOf(const TuningJob* job, int64_t candidate_id, std::string_view lease = "") {
  LogSubject subject = job == nullptr ? LogSubject() : job->Subject();
  subject.lease = lease.substr(0, kLeaseDigits);
  subject.candidate = candidate_id;
  return subject;
}

/// The device that measures for a job, if there is one. Either `target` is set, or `failure` is an error, or the job
/// waits.
struct DeviceChoice {
  std::optional<JobTarget> target;
  std::string waits_for;  ///< The message of a job that waits, such as "no worker with a CUDA device is at work: ...".
  bool unmatched =
      false;  ///< True if the job waits because no serving worker has the labels or devices that it selects.
  /// The reason why no registered device can ever measure for the job: its architecture is too old, or its memory is
  /// too small for the operands.
  absl::Status failure;
};

/// Restricts the classes of devices among which ChooseDevice chooses. Both are class keys; empty means no restriction.
struct DeviceClassFilter {
  std::string required;  ///< The only allowed class: that of the records that a resumed job has already.
  std::string avoided;   ///< A class that is not allowed.
};

/// Chooses the first suitable device of the workers that serve (WorkerRegistry::Serves). A job that selects no kind of
/// device gets a CUDA device, or the SIMT device if there is none.
DeviceChoice ChooseDevice(const JobSpec& spec, const DeviceClassFilter& rule, const WorkerRegistry& workers);

/// True if a worker's device may measure for a job with this target: it has the labels, kind, architecture and class
/// that the job wants, and enough memory for the operands. The toolchain may differ.
bool DeviceServes(const RegisteredWorker& worker, const RegisteredDevice& device, const JobSpec& spec,
                  const JobTarget& target);

/// Binds a job to a class of devices: chooses the class, observes whether workers with such devices serve the job, and
/// leaves the class if no result ever comes from it. Not thread-safe.
class DeviceBinding {
 public:
  /// The job, the registry and the clock must outlive the binding.
  DeviceBinding(TuningJob& job, const WorkerRegistry& workers, const Clock& clock)
      : job_(job), workers_(workers), clock_(clock) {}

  /// Restricts the job to a class of devices, because it has records of that class.
  void Require(std::string class_key) { required_ = std::move(class_key); }
  /// Returns the class to which the job is restricted; empty if it is not.
  const std::string& required() const { return required_; }

  /// Chooses a device for a job that has none. A class that the job left is chosen again only if there is no other.
  DeviceChoice Choose() const;
  /// Notes that the job starts to measure on the chosen device.
  void Start() { served_at_ = clock_.Now(); }
  /// Notes that the job got a result for its class of devices, by measuring or from the log.
  void NoteResult() { has_result_ = true; }
  /// Notes that a lease of the job expired because its worker was silent.
  void NoteLoss(std::string_view worker);

  // The next four need a job with a target.
  /// True if the worker's device may measure for the job: labels, class and toolchain agree.
  bool Takes(const RegisteredWorker& worker, const RegisteredDevice& device) const;
  /// Returns the number of devices of serving workers that may measure for the job, at least 1.
  int Lanes() const;
  /// Returns how many candidates can be compiled at once for each of these devices.
  int CompileLanes() const;
  /// Updates whether a worker serves the job. If the last worker with its toolchain is gone, the job continues with
  /// another toolchain on the same class of devices. Returns true if the job's message was changed.
  bool Watch();
  /// True if another serving worker could measure for the job: one that is not `worker` and is in none of these trust
  /// domains (result_validator.h).
  bool HasOtherWorker(const std::vector<std::string>& trust_domains, std::string_view worker = "") const;
  /// True if the job should start over on another class of devices: another class is available, no result came from its
  /// own, and for WorkerRegistry::silence() only workers that lost its leases have served it.
  bool ShouldLeave();
  /// Makes the job start over without a device, and avoid its present class.
  void Leave();

 private:
  /// Returns how many devices of the worker may measure for the job.
  int DevicesOf(const RegisteredWorker& worker) const;
  /// Sets the job's toolchain to that of a serving device of its class. Returns false if there is none.
  bool AdoptToolchain();
  /// Describes a worker that would serve the job if it were not held; empty if there is none.
  std::string HeldWorker() const;
  /// True if there is a serving worker with the job's class of devices that has asked for work and has lost none of the
  /// job's leases. If no such worker has the job's toolchain, the job continues with the toolchain of one of them.
  bool HasReliableWorker();

  TuningJob& job_;
  const WorkerRegistry& workers_;
  const Clock& clock_;
  std::string required_;
  bool served_ = true;  ///< True if a worker served the job at the last Watch().
  // The next four are used until there is a result from the job's class.
  bool has_result_ = false;
  TimePoint served_at_;            ///< The last time at which HasReliableWorker() was true.
  bool lost_lease_ = false;        ///< True if a lease was lost since then.
  std::set<std::string> lost_by_;  ///< The workers that lost them.
  std::string left_;               ///< The class that the job left; empty if there is none.
};

}  // namespace mmtune
