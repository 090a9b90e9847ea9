// The life of a candidate: proposed, answered by the log or queued, measured, or given up.
#include <algorithm>

#include "absl/strings/str_cat.h"
#include "proto/base/log.h"
#include "proto/base/seconds.h"
#include "proto/base/status.h"
#include "proto/wire/convert.h"
#include "server/device_choice.h"
#include "server/job_runner.h"
#include "server/storage_status.h"

namespace mmtune {
namespace {

/// Proposals handled in one go; a job that is answered by the log continues in the next batch.
constexpr int kProposalsPerPump = 256;
/// So many times the workers failed a job before it fails.
constexpr int kMaxUnmeasuredInARow = 5;
/// What a record says of who measured it when nobody had to.
constexpr char kServerWorker[] = "server";

/// No proof could be made of it, or none was wanted, then or now.
bool ProvenAsWanted(const ProofReport& proof, const JobSpec& spec) {
  return Proven(proof) || spec.no_proof || (!proof.reason.empty() && proof.reason != kProofTurnedOff);
}

/// What is suspect, was timed on a device in doubt, less precisely than is asked for now, or without the proof that is
/// asked for now, is measured again.
bool Answers(const Measurement& measurement, const TuningJob& job) {
  if (measurement.outcome != Outcome::kOk) return measurement.outcome != Outcome::kSuspect;
  const JobSpec& spec = job.spec();
  const Conditions& conditions = measurement.conditions;
  return ProvenAsWanted(measurement.proof, spec) && conditions.health.finding.empty() &&
         conditions.SufficeFor(
             spec.precision > 0 ? spec.precision : kDefaultPrecision,
             spec.measure_seconds > 0 ? spec.measure_seconds : DefaultBudgetSeconds(job.target()->device.kind));
}

}  // namespace

Duration StartToClose(const JobSpec& spec, DeviceKind kind) {
  // Checks and repeats come to some fifty runs, of a schedule that may be very slow for the device; a comparison to ten
  // times as many, in eight processes that each have the budget.
  const double runs = spec.rival ? 500 : 50, budgets = spec.rival ? 20 : 2;
  const double slow_flops_per_second = kind == DeviceKind::kSimt ? 1e8 : 1e11;
  double seconds = 300 + runs * spec.problem.Flops() / slow_flops_per_second + budgets * spec.measure_seconds;
  seconds = std::min(seconds, 7.0 * 24 * 3600);
  return FromSeconds(seconds);
}

absl::Status JobRunner::Refill(int64_t job_id, int want) {
  Entry* entry = FindEntry(job_id);
  if (entry == nullptr || entry->job->state() != JobState::kRunning) return absl::OkStatus();
  return Pump(*entry, want);
}

absl::Status JobRunner::Pump(Entry& entry, int want) {
  TuningJob& job = *entry.job;
  RETURN_IF_ERROR(WithdrawIfOutOfTime(entry));
  entry.pump_again = false;
  int budget = kProposalsPerPump;
  while (true) {
    const int missing = want - static_cast<int>(deps_.leases.Queued(job.id()));
    if (missing <= 0) break;
    std::vector<Schedule> proposals = job.Propose(std::min(missing, budget));
    if (proposals.empty()) break;
    for (const Schedule& schedule : proposals) RETURN_IF_ERROR(Place(entry, schedule));
    budget -= static_cast<int>(proposals.size());
    if (budget <= 0) {
      entry.pump_again = true;
      break;
    }
  }
  return EndIfDone(entry);
}

absl::Status JobRunner::Place(Entry& entry, const Schedule& schedule) {
  TuningJob& job = *entry.job;
  ASSIGN_OR_RETURN(int64_t id, FromStorage(deps_.log.InsertCandidate(job.id(), schedule)));
  if (auto own = entry.own_records.find(schedule.Digest()); own != entry.own_records.end()) {
    TuningRecord record = std::move(own->second);
    entry.own_records.erase(own);
    entry.schedules.erase(id);
    Observe(entry, record, /*from_log=*/false);
    return absl::OkStatus();
  }
  if (deps_.leases.Holds(id)) {  // leased before a restart, and still live
    entry.schedules[id] = schedule;
    job.AddOutstanding(id, schedule);
    return absl::OkStatus();
  }
  ASSIGN_OR_RETURN(std::optional<TuningRecord> known, FindInLog(entry, schedule));
  if (known) {
    entry.heard = true;
    RETURN_IF_ERROR(FromStorage(deps_.log.SetCandidateState(id, CandidateState::kDone)));
    Observe(entry, *known, /*from_log=*/true);
    return absl::OkStatus();
  }
  if (absl::Status valid = ValidateSchedule(entry, schedule); !valid.ok()) {
    return Reject(entry, id, schedule, ToStd(valid.message()));
  }
  entry.schedules[id] = schedule;
  job.AddOutstanding(id, schedule);
  LeaseCandidate candidate;
  candidate.id = id;
  candidate.job_id = job.id();
  candidate.start_to_close = StartToClose(job.spec(), job.target()->device.kind);
  if (entry.resumed) RETURN_IF_ERROR(FromStorage(deps_.log.SetCandidateState(id, CandidateState::kQueued)));
  deps_.leases.Add(candidate);
  return absl::OkStatus();
}

absl::StatusOr<std::optional<TuningRecord>> JobRunner::FindInLog(const Entry& entry, const Schedule& schedule) {
  const TuningJob& job = *entry.job;
  if (job.spec().remeasure || job.spec().rival) return std::optional<TuningRecord>();
  ASSIGN_OR_RETURN(std::optional<TuningRecord> found,
                   FromStorage(deps_.log.Find(job.spec().problem, schedule, job.target()->device,
                                              job.target()->toolchain, job.spec().regime)));
  if (found && !Answers(found->measurement, job)) found.reset();
  return found;
}

absl::Status JobRunner::ValidateSchedule(const Entry& entry, const Schedule& schedule) const {
  const TuningJob& job = *entry.job;
  for (const KernelFamily* family : deps_.families) {
    if (family->name() != schedule.family) continue;
    return family->Validate(job.spec().problem, schedule, job.target()->device);
  }
  return InvalidArgument(absl::StrCat("unknown kernel family '", schedule.family, "'"));
}

absl::Status JobRunner::Reject(Entry& entry, int64_t candidate_id, const Schedule& schedule, std::string_view why) {
  AttemptRow attempt;
  attempt.candidate_id = candidate_id;
  return StoreVerdict(entry, attempt, schedule, Outcome::kRejected, why);
}

absl::Status JobRunner::StoreVerdict(Entry& entry, const AttemptRow& blank, const Schedule& schedule, Outcome outcome,
                                     std::string_view why) {
  const TuningJob& job = *entry.job;
  AttemptRow attempt = blank;
  attempt.token = deps_.new_token();
  attempt.worker = kServerWorker;
  TuningRecord record;
  record.uuid = deps_.new_token();
  record.job_uuid = job.uuid();
  record.problem = job.spec().problem;
  record.schedule = schedule;
  if (job.target()) {
    record.device = job.target()->device;
    record.toolchain = job.target()->toolchain;
    if (attempt.device_uuid.empty()) attempt.device_uuid = record.device.uuid;
  }
  record.measurement.outcome = outcome;
  record.measurement.message = why;
  record.worker = kServerWorker;
  record.attempt = attempt.number;
  record.unix_millis = deps_.clock.UnixMillis();
  RETURN_IF_ERROR(FromStorage(deps_.log.InsertAttempt(attempt)));
  ASSIGN_OR_RETURN(InsertedRecord inserted, FromStorage(deps_.log.InsertRecord(attempt.token, record)));
  RETURN_IF_ERROR(FromStorage(deps_.log.EndAttempt(attempt.token, AttemptState::kReported, "")));
  RETURN_IF_ERROR(FromStorage(deps_.log.SetCandidateState(attempt.candidate_id, CandidateState::kDone)));
  record.id = inserted.id;
  record.canonical = inserted.canonical;
  Observe(entry, record, /*from_log=*/false);
  return absl::OkStatus();
}

void JobRunner::Observe(Entry& entry, const TuningRecord& record, bool from_log) {
  TuningJob& job = *entry.job;
  job.Observe(record, from_log);
  v1::JobEvent event = job.ToEvent();
  *event.mutable_record() = ToWire(record);
  event.set_from_log(from_log);
  HoldEvent(entry, std::move(event));
}

absl::Status JobRunner::OnMeasured(const LiveLease& lease, const TuningRecord& record) {
  Entry* entry = FindEntry(lease.job_id);
  if (entry == nullptr) return absl::OkStatus();
  TuningJob& job = *entry->job;
  entry->heard = true;
  if (job.Outstanding(lease.candidate_id) == nullptr) {
    // Leased before a restart and not proposed again yet: it will be answered from here.
    if (entry->required_class.empty()) entry->required_class = record.device.ClassKey();
    entry->own_records[record.schedule.Digest()] = record;
    return absl::OkStatus();
  }
  job.Settle(lease.candidate_id);
  entry->schedules.erase(lease.candidate_id);
  Observe(*entry, record, /*from_log=*/false);
  return Pump(*entry, 1);
}

absl::Status JobRunner::Convict(const LiveLease& lease, Outcome outcome, std::string_view why) {
  Entry* entry = FindEntry(lease.job_id);
  if (entry == nullptr) return absl::OkStatus();
  if (entry->job->Outstanding(lease.candidate_id) == nullptr) return GiveUp(lease, why);
  const Schedule schedule = entry->schedules.at(lease.candidate_id);
  entry->job->Settle(lease.candidate_id);
  entry->schedules.erase(lease.candidate_id);
  AttemptRow attempt;
  attempt.candidate_id = lease.candidate_id;
  attempt.number = lease.attempt + 1;
  attempt.device_uuid = lease.device_uuid;
  RETURN_IF_ERROR(StoreVerdict(*entry, attempt, schedule, outcome, why));
  return Pump(*entry, 1);
}

absl::Status JobRunner::GiveUp(const LiveLease& lease, std::string_view why) {
  LogWarning("candidate given up", {{"candidate", lease.candidate_id}, {"why", why}});
  RETURN_IF_ERROR(FromStorage(deps_.log.SetCandidateState(lease.candidate_id, CandidateState::kDone)));
  Entry* entry = FindEntry(lease.job_id);
  if (entry == nullptr || entry->job->Outstanding(lease.candidate_id) == nullptr) return absl::OkStatus();
  TuningJob& job = *entry->job;
  job.Settle(lease.candidate_id);
  job.ObserveUnmeasured(entry->schedules.at(lease.candidate_id));
  entry->schedules.erase(lease.candidate_id);
  v1::JobEvent event = job.ToEvent();
  event.set_message(absl::StrCat("not measured: ", ToAbsl(why)));
  HoldEvent(*entry, std::move(event));
  if (job.unmeasured_in_a_row() >= kMaxUnmeasuredInARow) {
    return EndJob(*entry, JobState::kFailed,
                  absl::StrCat(kMaxUnmeasuredInARow, " candidates in a row could not be measured; ", ToAbsl(why)));
  }
  return Pump(*entry, 1);
}

absl::Status JobRunner::WithdrawIfOutOfTime(Entry& entry) {
  TuningJob& job = *entry.job;
  if (!job.OutOfTime()) return absl::OkStatus();
  for (int64_t id : deps_.leases.DropQueued(job.id())) {
    job.Withdraw(id);
    entry.schedules.erase(id);
  }
  return absl::OkStatus();
}

absl::Status JobRunner::EndIfDone(Entry& entry) {
  TuningJob& job = *entry.job;
  if (job.state() != JobState::kRunning || job.HasOutstanding() || !job.ProposingDone()) return absl::OkStatus();
  return EndJob(entry, JobState::kDone, "");
}

std::vector<int64_t> JobRunner::JobsServedBy(const RegisteredDevice& device) const {
  std::vector<std::pair<int64_t, int64_t>> found;  // live leases, id
  for (const auto& [id, entry] : entries_) {
    const TuningJob& job = *entry.job;
    if (job.state() != JobState::kRunning || !DeviceServes(device, job.spec(), *job.target())) continue;
    if (device.toolchain != job.target()->toolchain) continue;
    found.emplace_back(deps_.leases.Live(id), id);
  }
  std::sort(found.begin(), found.end());
  std::vector<int64_t> ids;
  for (const auto& [live, id] : found) ids.push_back(id);
  return ids;
}

bool JobRunner::OthersServe(int64_t job_id, std::string_view worker) const {
  const Entry* entry = FindEntry(job_id);
  if (entry == nullptr || !entry->job->target()) return false;
  const JobTarget& target = *entry->job->target();
  for (const RegisteredWorker* other : deps_.workers.Serving()) {
    if (other->id == worker) continue;
    for (const RegisteredDevice& device : other->devices) {
      if (DeviceServes(device, entry->job->spec(), target) && device.toolchain == target.toolchain) return true;
    }
  }
  return false;
}

v1::Lease JobRunner::LeaseMessage(const LiveLease& lease, Duration ttl) const {
  const Entry& entry = entries_.at(lease.job_id);
  const TuningJob& job = *entry.job;
  v1::Lease message;
  message.set_token(lease.token);
  message.set_job_uuid(job.uuid());
  message.set_candidate_id(lease.candidate_id);
  message.set_attempt(lease.attempt);
  *message.mutable_problem() = ToWire(job.spec().problem);
  *message.mutable_schedule() = ToWire(entry.schedules.at(lease.candidate_id));
  message.set_arch(job.target() ? job.target()->device.arch : job.spec().device.arch);
  message.set_ttl_seconds(Seconds(ttl));
  message.set_start_to_close_seconds(Seconds(lease.closes - lease.granted));
  message.set_measure_seconds(job.spec().measure_seconds);
  message.set_incumbent_ns(job.best_ns());
  message.set_no_proof(job.spec().no_proof);
  message.set_regime(std::string(RegimeName(job.spec().regime)));
  message.set_precision(job.spec().precision);
  message.set_no_baseline(job.spec().no_baseline);
  message.set_remeasure(job.spec().remeasure || job.spec().rival);
  if (job.spec().rival) *message.mutable_rival() = ToWire(*job.spec().rival);
  return message;
}

const JobTarget* JobRunner::Target(int64_t job_id) const {
  const Entry* entry = FindEntry(job_id);
  return entry != nullptr && entry->job->target() ? &*entry->job->target() : nullptr;
}

absl::StatusOr<CandidatePlace> JobRunner::Locate(int64_t candidate_id) {
  for (const auto& [id, entry] : entries_) {
    auto at = entry.schedules.find(candidate_id);
    if (at == entry.schedules.end()) continue;
    const JobSpec& spec = entry.job->spec();
    return CandidatePlace{entry.job->uuid(), spec.problem, at->second, spec.device.arch};
  }
  // A late report.
  ASSIGN_OR_RETURN(std::optional<CandidateRow> candidate, FromStorage(deps_.log.FindCandidate(candidate_id)));
  if (candidate) {
    ASSIGN_OR_RETURN(std::vector<JobRow> jobs, FromStorage(deps_.log.Jobs()));
    for (const JobRow& job : jobs) {
      if (job.id != candidate->job_id) continue;
      v1::JobSpec spec;
      spec.ParseFromString(job.spec);
      return CandidatePlace{job.uuid, job.problem, std::move(candidate->schedule), spec.device().arch()};
    }
  }
  return NotFound(absl::StrCat("no candidate ", candidate_id));
}

}  // namespace mmtune
