// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/coordinator/candidate_runner.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "proto/base/clock.h"
#include "proto/base/status.h"
#include "proto/types/kernel_family.h"
#include "server/coordinator/storage_status.h"
#include "server/coordinator/work_requests.h"

namespace mmtune {
namespace {

/// Proposals handled in one call; a job that is answered by the log continues in the next batch.
constexpr int kProposalsPerPump = 256;
/// The worker in a record that no worker had to measure.
constexpr char kServerWorker[] = "server";

/// Whether it was proven, needs no proof now, or could not be proven when that was tried.
bool ProvenAsWanted(const VerificationReport& proof, const JobSpec& spec) {
  return IsVerified(proof) || !spec.measure.proof || (!proof.reason.empty() && proof.reason != kVerificationTurnedOff);
}

/// Whether a measurement of the log answers for a candidate of this job. What is suspect, or was timed on a device in
/// doubt, less precisely than is asked for now, or without the proof that is asked for now, is measured again.
bool Answers(const Measurement& measurement, const TuningJob& job) {
  if (measurement.outcome == Outcome::kSuspect) return false;
  if (measurement.outcome != Outcome::kOk) return true;
  const JobSpec& spec = job.spec();
  const Conditions& conditions = measurement.conditions;
  return ProvenAsWanted(measurement.proof, spec) && conditions.health.finding.empty() &&
         conditions.SufficeFor(job.measure());
}

/// Whether the job that blamed this candidate for lost leases got an ok result for it all the same: too late to count
/// there, but what it was blamed for is not so.
absl::StatusOr<bool> IsRefuted(TuningLog& log, const TuningRecord& verdict) {
  if (verdict.worker != kServerWorker || verdict.measurement.outcome == Outcome::kRejected) return false;
  RecordFilter filter;
  filter.problem = verdict.problem;
  filter.schedule_digest = verdict.schedule.Digest();
  filter.job_uuid = verdict.job_uuid;
  filter.outcome = Outcome::kOk;
  filter.include_non_canonical = true;
  ASSIGN_OR_RETURN(const std::vector<TuningRecord> found, FromStorage(log.Query(filter, /*after_id=*/0, /*limit=*/1)));
  return !found.empty();
}

/// What the record of a schedule says that was compiled and not chosen. It has no least time (low_ns), as no bound
/// decided.
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
  const KernelResources& real = compiled.code.resources;
  measurement.message = "not chosen: compiled";
  if (real.registers >= 0) measurement.message = absl::StrCat("not chosen: ", real.registers, " registers");
  if (real.spill_bytes > 0) absl::StrAppend(&measurement.message, ", ", real.spill_bytes, " bytes spilled");
  if (const std::optional<PredictedTime> time = job.PredictCompiled(compiled.schedule, compiled.code)) {
    absl::StrAppend(&measurement.message, absl::StrFormat("; predicted: %.4g ms", 1e3 * time->total));
  }
  return measurement;
}

}  // namespace

Duration StartToClose(const JobSpec& spec, DeviceKind kind) {
  // Waiting for the device, compiling and proving: up to 4 minutes of CPU time, for which a loaded host needs several
  // times as long.
  constexpr double kComputingSeconds = 1800;
  // Checks and repeats amount to some fifty runs of a schedule that may be very slow for the device; a comparison to
  // ten times as many, in eight processes that each have the budget.
  const double runs = spec.rival ? 500 : 50, budgets = spec.rival ? 20 : 2;
  const double slow_flops_per_second = kind == DeviceKind::kSimt ? 1e8 : 1e11;
  double seconds = kComputingSeconds + runs * spec.problem.Flops() / slow_flops_per_second +
                   budgets * spec.measure.For(kind).budget_seconds;
  seconds = std::min(seconds, 7.0 * 24 * 3600);
  return FromSeconds(seconds);
}

absl::Status CandidateRunner::Pump(ActiveJob& active, int want) {
  TuningJob& job = active.job;
  if (job.WantsNoMore()) job.Withdraw(deps_.ledger.DropQueued(job.id()).size());
  active.pump_again = false;
  int budget = kProposalsPerPump;
  while (true) {
    const int missing = want - static_cast<int>(deps_.ledger.Queued(job.id()));
    if (missing <= 0) break;
    std::vector<Schedule> proposals = job.Propose(std::min(missing, budget));
    if (proposals.empty()) break;
    for (const Schedule& schedule : proposals) RETURN_IF_ERROR(Place(active, schedule));
    budget -= static_cast<int>(proposals.size());
    if (budget <= 0) {
      active.pump_again = true;
      break;
    }
  }
  deps_.compiles.Ask(active);
  return absl::OkStatus();
}

absl::Status CandidateRunner::Place(ActiveJob& active, const Schedule& schedule) {
  TuningJob& job = active.job;
  active.compiled_ahead.erase(schedule.Digest());
  HeldCandidate candidate;
  ASSIGN_OR_RETURN(candidate.id, deps_.ledger.Enter(job.id(), schedule));
  if (auto own = active.own_records.empty() ? active.own_records.end() : active.own_records.find(schedule.Digest());
      own != active.own_records.end()) {
    auto record = std::make_shared<const TuningRecord>(std::move(own->second));
    active.own_records.erase(own);
    Observe(active, std::move(record), /*from_log=*/false);
    return absl::OkStatus();
  }
  if (deps_.ledger.Find(candidate.id) != nullptr) {  // leased before a restart, and still live
    deps_.ledger.Await(candidate.id);
    return absl::OkStatus();
  }
  ASSIGN_OR_RETURN(std::optional<TuningRecord> known, FindInLog(job, schedule));
  if (known) {
    active.binding.Hear();
    RETURN_IF_ERROR(deps_.ledger.Settle(candidate.id));
    Observe(active, std::make_shared<const TuningRecord>(*std::move(known)), /*from_log=*/true);
    return absl::OkStatus();
  }
  if (absl::Status valid = ValidateSchedule(job, schedule); !valid.ok()) {
    AttemptRow own;
    own.candidate_id = candidate.id;
    return StoreVerdict(active, std::move(own), schedule, Outcome::kRejected, ToStd(valid.message()));
  }
  candidate.job_id = job.id();
  candidate.schedule = schedule;
  candidate.start_to_close = StartToClose(job.spec(), job.target()->device.kind);
  candidate.awaited = true;
  return deps_.ledger.Queue(candidate);
}

absl::StatusOr<std::optional<TuningRecord>> CandidateRunner::FindInLog(const TuningJob& job, const Schedule& schedule) {
  if (job.spec().remeasure || job.spec().rival) return std::optional<TuningRecord>();
  ASSIGN_OR_RETURN(std::optional<TuningRecord> found,
                   FromStorage(deps_.log.Find(job.spec().problem, schedule, job.target()->device,
                                              job.target()->toolchain, job.spec().measure.regime)));
  if (!found || !Answers(found->measurement, job)) return std::optional<TuningRecord>();
  ASSIGN_OR_RETURN(const bool refuted, IsRefuted(deps_.log, *found));
  if (refuted) found.reset();
  return found;
}

absl::Status CandidateRunner::ValidateSchedule(const TuningJob& job, const Schedule& schedule) const {
  if (job.SearchesFor(schedule)) return absl::OkStatus();  // rules are not built anew for it
  for (const KernelFamily* family : deps_.families) {
    if (family->name() != schedule.family) continue;
    return family->Validate(job.spec().problem, schedule, job.target()->device);
  }
  return InvalidArgument(absl::StrCat("unknown kernel family '", schedule.family, "'"));
}

absl::Status CandidateRunner::StoreVerdict(ActiveJob& active, AttemptRow own, const Schedule& schedule, Outcome outcome,
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
  own.token = deps_.new_token();
  TuningRecord record;
  record.uuid = deps_.new_token();
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
  record.unix_millis = deps_.clock.UnixMillis();
  RETURN_IF_ERROR(deps_.ledger.Judge(own));
  ASSIGN_OR_RETURN(InsertedRecord inserted, FromStorage(deps_.log.InsertRecord(own.token, record)));
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
  deps_.events.Hold(active.job.uuid(), std::move(event));
}

void CandidateRunner::Measured(ActiveJob& active, const HeldCandidate& candidate,
                               std::shared_ptr<const TuningRecord> record) {
  active.binding.Hear();
  if (candidate.awaited) return Observe(active, std::move(record), /*from_log=*/false);
  // Leased before a restart and not proposed again yet: when it is, own_records will answer.
  if (active.binding.required().empty()) active.binding.Require(record->device.ClassKey());
  active.own_records[record->schedule.Digest()] = *record;
}

absl::Status CandidateRunner::Convict(ActiveJob& active, const LostLease& lost, Outcome outcome, std::string_view why) {
  AttemptRow own;
  own.candidate_id = lost.candidate.id;
  own.number = lost.lease.attempt + 1;
  own.device_uuid = lost.lease.device_uuid;
  return StoreVerdict(active, std::move(own), lost.candidate.schedule, outcome, why);
}

void CandidateRunner::GiveUp(ActiveJob& active, const HeldCandidate& candidate, std::string_view why) {
  active.job.ObserveUnmeasured(candidate.schedule);
  EventDraft event = active.job.ToEvent();
  event.message.set_message(absl::StrCat("not measured: ", ToAbsl(why)));
  deps_.events.Hold(active.job.uuid(), std::move(event));
}

absl::Status CandidateRunner::RecordUnchosen(ActiveJob& active) {
  TuningJob& job = active.job;
  const std::map<std::string, CompiledAhead> unchosen = std::exchange(active.compiled_ahead, {});
  // Those of a repetition have theirs from the first time; where that had none, they matter to nobody.
  if (!job.target() || job.IsRepetition()) return absl::OkStatus();
  for (const auto& [digest, compiled] : unchosen) {
    AttemptRow own;
    ASSIGN_OR_RETURN(own.candidate_id, deps_.ledger.Enter(job.id(), compiled.schedule));
    own.worker = compiled.worker;
    ASSIGN_OR_RETURN(auto record, Store(active, std::move(own), compiled.schedule, Unchosen(compiled, job)));
    job.ObserveUnchosen();
    Announce(active, std::move(record), /*from_log=*/false);
  }
  return absl::OkStatus();
}

}  // namespace mmtune
