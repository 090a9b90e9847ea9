// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "worker/agent/lease_loop.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "proto/base/clock.h"
#include "proto/base/digest.h"
#include "proto/base/log.h"
#include "proto/base/status.h"
#include "proto/wire/convert.h"
#include "worker/agent/device_selection.h"
#include "worker/children/child.h"
#include "worker/children/timing_gate.h"

namespace mmtune {
namespace {

constexpr Duration kPollWait = std::chrono::seconds(20);
// How much longer than its wait the answer to a poll may take.
constexpr Duration kPollSlack = std::chrono::seconds(10);
// The most that a server gives out in one answer.
constexpr int kMaxLeases = 64;
constexpr Duration kCollectLimit = std::chrono::seconds(2);

LogSubject SubjectOf(const v1::Lease& lease) {
  return {lease.token().substr(0, kLeaseDigits), lease.job_uuid(), lease.trace_id(), lease.candidate_id()};
}

LogSubject SubjectOf(const v1::CompileTask& task) {
  return {task.token().substr(0, kLeaseDigits), task.job_uuid(), task.trace_id()};
}

bool IsEmpty(const v1::LeaseResponse& response) {
  return response.leases().empty() && response.compiles().empty() && !response.drain();
}

}  // namespace

bool LeaseBook::Add(const std::string& token, size_t device, std::shared_ptr<StopToken> stop) {
  absl::MutexLock lock(&mutex_);
  if (closed_) return false;
  return entries_.emplace(token, Entry{device, std::move(stop)}).second;
}

bool LeaseBook::IsWanted(const std::string& token) const {
  absl::MutexLock lock(&mutex_);
  const auto it = entries_.find(token);
  return it != entries_.end() && !it->second.cancelled;
}

void LeaseBook::Remove(const std::string& token) {
  absl::MutexLock lock(&mutex_);
  entries_.erase(token);
}

std::vector<std::string> LeaseBook::Tokens() const {
  absl::MutexLock lock(&mutex_);
  std::vector<std::string> tokens;
  for (const auto& [token, entry] : entries_) {
    if (!entry.cancelled) tokens.push_back(token);
  }
  return tokens;
}

int LeaseBook::CountLocked(size_t device) const {
  return static_cast<int>(std::count_if(entries_.begin(), entries_.end(),
                                        [device](const auto& held) { return held.second.device == device; }));
}

int LeaseBook::WaitForRoom(size_t device, int most) const {
  absl::MutexLock lock(&mutex_);
  auto may_return = [&]() ABSL_NO_THREAD_SAFETY_ANALYSIS { return closed_ || CountLocked(device) < most; };
  mutex_.Await(absl::Condition(&may_return));
  return closed_ ? 0 : most - CountLocked(device);
}

void LeaseBook::Cancel(const std::vector<std::string>& tokens) {
  absl::MutexLock lock(&mutex_);
  for (const std::string& token : tokens) {
    auto it = entries_.find(token);
    if (it == entries_.end()) continue;
    it->second.cancelled = true;
    it->second.stop->Raise(StopToken::Level::kNow);
  }
}

void LeaseBook::Close(StopToken::Level level) {
  absl::MutexLock lock(&mutex_);
  closed_ = true;
  for (auto& [token, entry] : entries_) entry.stop->Raise(level);
}

bool LeaseBook::WaitEmpty(Duration limit) const {
  absl::MutexLock lock(&mutex_);
  auto empty = [this]() ABSL_NO_THREAD_SAFETY_ANALYSIS { return entries_.empty(); };
  return mutex_.AwaitWithTimeout(absl::Condition(&empty), absl::FromChrono(limit));
}

LeaseLoop::LeaseLoop(LeaseLoopParts parts) : parts_(std::move(parts)) {
  thread_ = std::thread([this] { Run(); });
}

LeaseLoop::~LeaseLoop() {
  stop_.Raise();
  thread_.join();
}

void LeaseLoop::Stop() { parts_.server->CancelCalls(stop_); }

absl::Status LeaseLoop::Poll(v1::LeaseRequest& request, v1::LeaseResponse* response) const {
  request.set_wait_seconds(Seconds(kPollWait));
  return parts_.server->Call(&v1::WorkQueue::Stub::Lease, "Lease", request, response, kPollWait + kPollSlack, &stop_);
}

absl::Status LeaseLoop::Collect(v1::LeaseRequest& request, v1::LeaseResponse* response) const {
  request.set_wait_seconds(0);
  return parts_.server->Call(&v1::WorkQueue::Stub::Lease, "Lease", request, response, kCollectLimit);
}

void LeaseLoop::Run() {
  Backoff backoff;
  while (!stop_.raised()) {
    if (own_failures_.load() > 0 && stop_.Sleep(backoff.Next())) return;
    const int room = parts_.book->WaitForRoom(parts_.device_index, parts_.evaluator->Lookahead());
    if (room == 0) return;

    v1::LeaseRequest request;
    request.set_worker_id(parts_.worker_id);
    request.set_request_id(RandomToken());
    request.set_device_uuid(parts_.device.info.uuid);
    request.set_max_leases(std::min(room, kMaxLeases));
    request.set_max_compiles(parts_.evaluator->CompileLanes(parts_.device_index));
    v1::LeaseResponse response;
    absl::Status status;
    const bool asked = parts_.reporter->Ask(request, stop_, &response);
    if (!asked || IsEmpty(response)) status = Poll(request, &response);
    while (IsTransient(status) && !stop_.Sleep(backoff.Next())) status = Poll(request, &response);
    if (stop_.raised() && !status.ok()) {
      // The cancelled poll may have been granted leases: ask again with its id, and give them back at once.
      status = Collect(request, &response);
    }
    if (status.ok()) {
      if (own_failures_.load() == 0) backoff.Reset();
      for (const v1::Lease& lease : response.leases()) StartLease(lease);
      for (const v1::CompileTask& task : response.compiles()) StartTask(task);
      if (response.drain()) parts_.on_drain();
    } else if (!stop_.raised() && !absl::IsCancelled(status)) {
      parts_.on_refused(status);
      stop_.Sleep(backoff.Next());
    }
  }
}

absl::StatusOr<Candidate> LeaseLoop::ToCandidate(const v1::MatmulProblem& problem, const v1::Schedule& schedule,
                                                 const std::string& arch) const {
  Candidate candidate;
  ASSIGN_OR_RETURN(candidate.problem, FromWire(problem));
  ASSIGN_OR_RETURN(candidate.schedule, FromWire(schedule));
  ASSIGN_OR_RETURN(candidate.target, TargetOn(parts_.device, arch));
  const int64_t memory = candidate.target.memory_bytes;
  if (memory > 0 && candidate.problem.OperandBytes() > memory) {
    return InvalidArgument(absl::StrCat("the operands take ", candidate.problem.OperandBytes(),
                                        " bytes, but the device has only ", memory));
  }
  candidate.device = parts_.device_index;
  candidate.assemble = RunsCubin(parts_.device.native_arch, candidate.target.arch);
  return candidate;
}

absl::StatusOr<Candidate> LeaseLoop::ToCandidate(const v1::Lease& lease) const {
  ASSIGN_OR_RETURN(Candidate candidate, ToCandidate(lease.problem(), lease.schedule(), lease.arch()));
  ASSIGN_OR_RETURN(const MeasureOptions measure, FromWire(lease.measure()));
  candidate.measure = measure.For(candidate.target.kind);
  candidate.incumbent_ns = lease.incumbent_ns();
  // Of code for an older architecture the rates are not this device's: nothing is known of what it takes at least.
  if (candidate.target.arch == parts_.device.info.arch) candidate.skip_above_ns = lease.skip_above_ns();
  candidate.remeasure = lease.remeasure();
  candidate.find_measured = [this](const std::string& timing_key) { return FindMeasured(timing_key); };
  if (lease.has_reference()) {
    ASSIGN_OR_RETURN(candidate.reference, FromWire(lease.reference()));
  }
  if (lease.start_to_close_seconds() > 0) {
    candidate.close = Clock::Real().Now() + FromSeconds(std::min(lease.start_to_close_seconds(), 1e6));
  }
  candidate.subject = SubjectOf(lease);
  return candidate;
}

absl::StatusOr<std::optional<Measurement>> LeaseLoop::FindMeasured(const std::string& timing_key) const {
  v1::FindMeasuredRequest request;
  request.set_worker_id(parts_.worker_id);
  request.set_timing_key(timing_key);
  v1::FindMeasuredResponse response;
  RETURN_IF_ERROR(
      parts_.server->Call(&v1::WorkQueue::Stub::FindMeasured, "FindMeasured", request, &response, kCollectLimit));
  std::optional<Measurement> found;
  if (response.has_measurement()) {
    ASSIGN_OR_RETURN(found, FromWire(response.measurement()));
  }
  return found;
}

void LeaseLoop::StartLease(const v1::Lease& lease) {
  auto stop = std::make_shared<StopToken>();
  if (!parts_.book->Add(lease.token(), parts_.device_index, stop)) return Release(lease);
  absl::StatusOr<Candidate> candidate = ToCandidate(lease);
  if (!candidate.ok()) {
    Measurement rejected;
    rejected.outcome = Outcome::kRejected;
    rejected.message = OneLine(ToStd(candidate.status().message()));
    return Ended(lease.token(), SubjectOf(lease), parts_.device.info, std::move(rejected));
  }
  parts_.evaluator->Start(
      *candidate, stop,
      [this, token = lease.token(), subject = candidate->subject, target = candidate->target](
          absl::StatusOr<Measurement> result) { Ended(token, subject, target, std::move(result)); });
}

v1::CandidateReport LeaseLoop::NewReport(const std::string& token, const DeviceInfo& target) const {
  v1::CandidateReport report;
  report.set_token(token);
  *report.mutable_device() = ToWire(target);
  *report.mutable_toolchain() = ToWire(parts_.device.toolchain);
  return report;
}

void LeaseLoop::Release(const v1::Lease& lease) {
  const std::vector<std::string> held = parts_.book->Tokens();
  if (std::find(held.begin(), held.end(), lease.token()) != held.end()) return;  // a repeated answer
  v1::CandidateReport report = NewReport(lease.token(), parts_.device.info);
  report.set_released(true);
  parts_.reporter->Add(std::move(report));
}

void LeaseLoop::Ended(const std::string& token, const LogSubject& subject, const DeviceInfo& target,
                      absl::StatusOr<Measurement> result) {
  v1::CandidateReport report = NewReport(token, target);
  if (result.ok()) {
    own_failures_ = 0;
    *report.mutable_measurement() = ToWire(*result);
    Log(LogLevel::kInfo, "measured", subject,
        {{"outcome", OutcomeName(result->outcome)}, {"median_ns", result->timing.median_ns}});
  } else {
    NoteFailure(result.status(), subject);
    if (absl::IsCancelled(result.status()) || IsDeviceBusy(result.status())) {
      report.set_released(true);
    } else {
      report.set_infrastructure_error(OneLine(ToStd(result.status().message())));
    }
  }
  // Reported before it is removed: a heartbeat in between still names the token, and with the last one removed the
  // agent may end, and this loop and the reporter with it.
  if (!absl::IsCancelled(result.status()) || parts_.book->IsWanted(token)) parts_.reporter->Add(std::move(report));
  parts_.book->Remove(token);
}

void LeaseLoop::NoteFailure(const absl::Status& failure, const LogSubject& subject) {
  if (absl::IsCancelled(failure)) return;
  if (IsDeviceBusy(failure)) {
    if (parts_.on_busy) parts_.on_busy(failure);
    return;
  }
  ++own_failures_;
  Log(LogLevel::kError, "worker_failed", subject, {{"error", ToStd(failure.message())}});
}

void LeaseLoop::StartTask(const v1::CompileTask& task) {
  auto stop = std::make_shared<StopToken>();
  const LogSubject subject = SubjectOf(task);
  if (!parts_.tasks->Add(task.token(), parts_.device_index, stop)) {
    if (parts_.tasks->IsWanted(task.token())) return;  // a repeated answer
    return TaskEnded(task.token(), subject, absl::CancelledError("the worker takes no more compile tasks"));
  }
  absl::StatusOr<Candidate> candidate = ToCandidate(task.problem(), task.schedule(), task.arch());
  if (!candidate.ok()) {  // as a lease for it would be
    Measurement rejected;
    rejected.outcome = Outcome::kRejected;
    rejected.message = OneLine(ToStd(candidate.status().message()));
    return TaskEnded(task.token(), subject, rejected);
  }
  candidate->compile_only = true;
  candidate->subject = subject;
  auto predicted_peak_fraction = std::make_shared<double>(0);  // told before the end
  candidate->take_predicted_peak_fraction = [predicted_peak_fraction](double share) {
    *predicted_peak_fraction = share;
  };
  parts_.evaluator->Start(
      *std::move(candidate), stop,
      [this, token = task.token(), subject, predicted_peak_fraction](const absl::StatusOr<Measurement>& result) {
        TaskEnded(token, subject, result, *predicted_peak_fraction);
      });
}

void LeaseLoop::TaskEnded(const std::string& token, const LogSubject& subject,
                          const absl::StatusOr<Measurement>& result, double predicted_peak_fraction) {
  v1::CompileReport report;
  report.set_token(token);
  if (!result.ok()) {
    NoteFailure(result.status(), subject);
    report.set_released(true);
  } else {
    // It says nothing of the device, so that own failures go on to count.
    Log(LogLevel::kDebug, "compiled_ahead", subject,
        {{"outcome", OutcomeName(result->outcome)}, {"predicted_peak_fraction", predicted_peak_fraction}});
    if (result->outcome == Outcome::kOk) {
      v1::CompileFacts& facts = *report.mutable_facts();
      *facts.mutable_resources() = ToWire(result->resources);
      *facts.mutable_phases() = ToWire(result->phases);
      facts.set_code_digest(result->code_digest);
      facts.set_predicted_peak_fraction(predicted_peak_fraction);
    } else {
      report.set_compile_failed(result->message);
    }
  }
  parts_.compile_reporter->Add(std::move(report));
  parts_.tasks->Remove(token);  // last: then the agent may end, and this loop and the reporter with it
}

}  // namespace mmtune
