// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/coordinator/candidate_runner.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "proto/base/clock.h"
#include "proto/base/status.h"
#include "proto/types/kernel_family.h"
#include "server/coordinator/job_table.h"
#include "server/coordinator/log_writer.h"
#include "server/coordinator/worker_registry.h"

namespace mmtune {
namespace {

/// The most proposals in one call. A job whose proposals the log answers continues in the next batch.
constexpr int kMaxProposalsPerCall = 256;
/// The worker in records that the server itself made.
constexpr char kServerWorker[] = "server";

/// True if the kernel was verified, the job does not want that, or verification was tried and not possible.
bool VerifiedAsWanted(const VerificationReport& verification, const JobSpec& spec) {
  return IsVerified(verification) || !spec.measure.verification ||
         (!verification.reason.empty() && verification.reason != kVerificationTurnedOff);
}

/// True if the job can reuse this measurement of the log. It cannot reuse suspect ones, nor times of an unhealthy
/// device, times that are less precise than it wants, or times without the verification that it wants.
bool Answers(const Measurement& measurement, const TuningJob& job) {
  if (measurement.outcome == Outcome::kSuspect) return false;
  if (measurement.outcome != Outcome::kOk) return true;
  const JobSpec& spec = job.spec();
  const Conditions& conditions = measurement.conditions;
  return VerifiedAsWanted(measurement.verification, spec) && conditions.health.finding.empty() &&
         conditions.SufficeFor(job.measure());
}

/// True if this record says that a candidate crashed or timed out, but a worker later reported an ok result for it.
/// That was too late for the job of the record, but shows that the record is wrong.
absl::StatusOr<bool> IsRefuted(TuningLogReader& log, const TuningRecord& loss) {
  if (loss.worker != kServerWorker || loss.measurement.outcome == Outcome::kRejected) return false;
  RecordFilter filter;
  filter.problem = loss.problem;
  filter.schedule_digest = loss.schedule.Digest();
  filter.job_uuid = loss.job_uuid;
  filter.outcome = Outcome::kOk;
  filter.include_non_canonical = true;
  ASSIGN_OR_RETURN(const std::vector<TuningRecord> found, FromStorage(log.Query(filter, /*after_id=*/0, /*limit=*/1)));
  return !found.empty();
}

/// Returns the measurement for the record of a schedule that was compiled and not chosen. Its lower bound (low_ns) is
/// 0, because the schedule was not skipped for its lower bound.
Measurement Unchosen(const CompiledAhead& compiled, const TuningJob& job) {
  Measurement measurement;
  measurement.outcome = Outcome::kSkipped;
  measurement.resources = compiled.code.resources;
  measurement.phases = compiled.phases;
  measurement.code_digest = compiled.code_digest;
  if (!compiled.failure.empty()) {
    measurement.message = LogText(absl::StrCat("not chosen: it does not compile: ", compiled.failure));
    return measurement;
  }
  const KernelResources& resources = compiled.code.resources;
  measurement.message = "not chosen: compiled";
  if (resources.registers >= 0) measurement.message = absl::StrCat("not chosen: ", resources.registers, " registers");
  if (resources.spill_bytes > 0) absl::StrAppend(&measurement.message, ", ", resources.spill_bytes, " bytes spilled");
  if (const std::optional<PredictedTime> time = job.PredictCompiled(compiled.schedule, compiled.code)) {
    absl::StrAppend(&measurement.message, absl::StrFormat("; predicted: %.4g ms", 1e3 * time->total));
  }
  return measurement;
}

}  // namespace

Duration StartToClose(const JobSpec& spec, DeviceKind kind) {
  // Waiting for the device, compiling and verifying: up to 4 minutes of CPU time, for which a loaded host needs several
  // times as long.
  constexpr double kComputingSeconds = 1800;
  // Checks and repeats are some fifty runs of a schedule that may be very slow on the device. A comparison is ten times
  // as many, in eight processes that each have the budget.
  const double runs = spec.reference ? 500 : 50, budgets = spec.reference ? 20 : 2;
  const double slow_flops_per_second = kind == DeviceKind::kSimt ? 1e8 : 1e11;
  double seconds = kComputingSeconds + runs * spec.problem.Flops() / slow_flops_per_second +
                   budgets * spec.measure.For(kind).budget_seconds;
  seconds = std::min(seconds, 7.0 * 24 * 3600);
  return FromSeconds(seconds);
}

absl::Status CandidateRunner::FillQueue(ActiveJob& active, int want) {
  TuningJob& job = active.job;
  if (job.ReachedHardLimit()) job.Withdraw(state_.leases.DropQueued(job.id()).size());
  active.queue_incomplete = false;
  int budget = kMaxProposalsPerCall;
  while (true) {
    const int missing = want - static_cast<int>(state_.leases.Queued(job.id()));
    if (missing <= 0) break;
    if (job.spec().model) job.LearnFrom(ModelJobs::Similar(state_.jobs, job));
    std::vector<Schedule> proposals = job.Propose(std::min(missing, budget));
    if (proposals.empty()) break;
    for (const Schedule& schedule : proposals) RETURN_IF_ERROR(Place(active, schedule));
    budget -= static_cast<int>(proposals.size());
    if (budget <= 0) {
      active.queue_incomplete = true;
      break;
    }
  }
  state_.compiles.Ask(active);
  return absl::OkStatus();
}

absl::Status CandidateRunner::Place(ActiveJob& active, const Schedule& schedule) {
  TuningJob& job = active.job;
  active.compiled_ahead.erase(schedule.Digest());
  PendingCandidate candidate;
  ASSIGN_OR_RETURN(candidate.id, state_.leases.AddCandidate(job.id(), schedule));
  if (auto own = active.own_records.empty() ? active.own_records.end() : active.own_records.find(schedule.Digest());
      own != active.own_records.end()) {
    auto record = std::make_shared<const TuningRecord>(std::move(own->second));
    active.own_records.erase(own);
    Observe(active, std::move(record), /*from_log=*/false);
    return absl::OkStatus();
  }
  if (state_.leases.Find(candidate.id) != nullptr) {  // leased before a restart, and still live
    state_.leases.MarkAwaited(candidate.id);
    return absl::OkStatus();
  }
  ASSIGN_OR_RETURN(std::optional<TuningRecord> known, FindInLog(job, schedule));
  if (known) {
    active.binding.NoteResult();
    RETURN_IF_ERROR(state_.leases.CompleteFromLog(candidate.id));
    Observe(active, std::make_shared<const TuningRecord>(*std::move(known)), /*from_log=*/true);
    return absl::OkStatus();
  }
  if (absl::Status valid = ValidateSchedule(job, schedule); !valid.ok()) {
    AttemptRow own;
    own.candidate_id = candidate.id;
    return StoreOutcome(active, std::move(own), schedule, Outcome::kRejected, ToStd(valid.message()));
  }
  candidate.job_id = job.id();
  candidate.schedule = schedule;
  candidate.start_to_close = StartToClose(job.spec(), job.target()->device.kind);
  candidate.awaited = true;
  return state_.leases.Enqueue(candidate);
}

absl::StatusOr<std::optional<TuningRecord>> CandidateRunner::FindInLog(const TuningJob& job, const Schedule& schedule) {
  if (job.spec().remeasure || job.spec().reference) return std::optional<TuningRecord>();
  ASSIGN_OR_RETURN(std::optional<TuningRecord> found,
                   FromStorage(state_.log.reader().Find(job.spec().problem, schedule, job.target()->device,
                                                        job.target()->toolchain, job.spec().measure.regime)));
  if (!found || !Answers(found->measurement, job)) return std::optional<TuningRecord>();
  ASSIGN_OR_RETURN(const bool refuted, IsRefuted(state_.log.reader(), *found));
  if (refuted) found.reset();
  return found;
}

absl::Status CandidateRunner::ValidateSchedule(const TuningJob& job, const Schedule& schedule) const {
  if (job.SearchesFor(schedule)) return absl::OkStatus();  // no need to build the rules of its family
  for (const KernelFamily* family : state_.families) {
    if (family->name() != schedule.family) continue;
    return family->Validate(job.spec().problem, schedule, job.target()->device);
  }
  return InvalidArgument(absl::StrCat("unknown kernel family '", schedule.family, "'"));
}

absl::Status CandidateRunner::StoreOutcome(ActiveJob& active, AttemptRow own, const Schedule& schedule, Outcome outcome,
                                           std::string_view why) {
  Measurement measurement;
  measurement.outcome = outcome;
  measurement.message = why;
  own.worker = kServerWorker;
  ASSIGN_OR_RETURN(auto record, Store(active, std::move(own), schedule, std::move(measurement)));
  Observe(active, std::move(record), /*from_log=*/false);
  return absl::OkStatus();
}

absl::StatusOr<std::shared_ptr<const TuningRecord>> CandidateRunner::Store(ActiveJob& active, AttemptRow own,
                                                                           const Schedule& schedule,
                                                                           Measurement measurement) {
  const TuningJob& job = active.job;
  own.token = state_.new_token();
  TuningRecord record;
  record.uuid = state_.new_token();
  record.job_uuid = job.uuid();
  record.problem = job.spec().problem;
  record.schedule = schedule;
  if (job.target()) {
    record.device = job.target()->device;
    record.toolchain = job.target()->toolchain;
    if (own.device_uuid.empty()) own.device_uuid = record.device.uuid;
  }
  record.measurement = std::move(measurement);
  record.worker = own.worker;
  record.attempt = own.number;
  record.unix_millis = state_.clock.UnixMillis();
  RETURN_IF_ERROR(state_.leases.CompleteWithoutLease(own));
  ASSIGN_OR_RETURN(InsertedRecord inserted, state_.log.InsertRecord(own.token, record));
  record.id = inserted.id;
  record.canonical = inserted.canonical;
  return std::make_shared<const TuningRecord>(std::move(record));
}

void CandidateRunner::Observe(ActiveJob& active, std::shared_ptr<const TuningRecord> record, bool from_log) {
  active.job.Observe(*record, from_log);
  Announce(active, std::move(record), from_log);
}

void CandidateRunner::Announce(ActiveJob& active, std::shared_ptr<const TuningRecord> record, bool from_log) {
  EventDraft event = active.job.ToEvent();
  event.record = std::move(record);
  event.message.set_from_log(from_log);
  state_.events.Hold(active.job.uuid(), std::move(event));
}

void CandidateRunner::Measured(ActiveJob& active, const PendingCandidate& candidate,
                               std::shared_ptr<const TuningRecord> record) {
  active.binding.NoteResult();
  if (candidate.awaited) return Observe(active, std::move(record), /*from_log=*/false);
  // Leased before a restart, and not proposed again yet. Its proposal will be answered from own_records.
  if (active.binding.required().empty()) active.binding.Require(record->device.ClassKey());
  active.own_records[record->schedule.Digest()] = *record;
}

absl::Status CandidateRunner::RecordLoss(ActiveJob& active, const LostLease& lost, Outcome outcome,
                                         std::string_view why) {
  AttemptRow own;
  own.candidate_id = lost.candidate.id;
  own.number = lost.lease.attempt + 1;
  own.device_uuid = lost.lease.device_uuid;
  return StoreOutcome(active, std::move(own), lost.candidate.schedule, outcome, why);
}

void CandidateRunner::GiveUp(ActiveJob& active, const PendingCandidate& candidate, std::string_view why) {
  active.job.ObserveUnmeasured(candidate.schedule);
  EventDraft event = active.job.ToEvent();
  event.message.set_message(absl::StrCat("not measured: ", ToAbsl(why)));
  state_.events.Hold(active.job.uuid(), std::move(event));
}

absl::Status CandidateRunner::RecordUnchosen(ActiveJob& active) {
  TuningJob& job = active.job;
  const std::map<std::string, CompiledAhead> unchosen = std::exchange(active.compiled_ahead, {});
  // The log has these records from the first run of a repeated job.
  if (!job.target() || job.IsRepetition()) return absl::OkStatus();
  for (const auto& [digest, compiled] : unchosen) {
    AttemptRow own;
    ASSIGN_OR_RETURN(own.candidate_id, state_.leases.AddCandidate(job.id(), compiled.schedule));
    own.worker = compiled.worker;
    ASSIGN_OR_RETURN(auto record, Store(active, std::move(own), compiled.schedule, Unchosen(compiled, job)));
    job.ObserveUnchosen();
    Announce(active, std::move(record), /*from_log=*/false);
  }
  return absl::OkStatus();
}

}  // namespace mmtune
