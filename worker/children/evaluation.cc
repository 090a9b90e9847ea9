// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "worker/children/evaluation.h"

#include <algorithm>
#include <utility>

#include "google/protobuf/io/coded_stream.h"
#include "google/protobuf/io/zero_copy_stream_impl_lite.h"
#include "proto/base/digest.h"
#include "proto/wire/deterministic_bytes.h"
#include "worker/children/child.h"

namespace mmtune {
namespace {

constexpr size_t kMaxAttempts = 3;
/// A lease that is handed back this long before it closes is not one that was lost.
constexpr Duration kHandBack = std::chrono::seconds(10);
/// Part of the timing key: changes with the way in which samples are taken.
constexpr char kMethod[] = "batches between events, 1";

bool IsOfDevice(const FailedAttempt& attempt) { return attempt.provenance == Provenance::kInfrastructure; }

absl::StatusOr<TimingGate::Pass> Enter(TimingGate* gate, const Evaluation& evaluation,
                                       TimingGate::Pass (TimingGate::*enter)(absl::FunctionRef<bool()>)) {
  const Candidate& candidate = evaluation.candidate;
  const StopToken& stop = *evaluation.stop;
  const auto give_up = [&] { return stop.unless_measuring() || Clock::Real().Now() >= HandBackAt(candidate); };
  TimingGate::Pass pass;
  if (gate != nullptr) pass = (gate->*enter)(give_up);
  if (!pass.held_by().empty()) return DeviceBusy(pass.held_by(), gate->longest_wait());
  if (pass.given_up() || stop.now() || Clock::Real().Now() >= candidate.close) {
    return absl::CancelledError("stopped, or the lease ended, before the device was free");
  }
  return pass;
}

}  // namespace

void Evaluation::Fail(Outcome outcome, std::string message) {
  measurement.outcome = outcome;
  measurement.message = OneLine(message);
  if (outcome != Outcome::kRejected) {
    measurement.conditions.failed_attempts.push_back({outcome, measurement.message, Provenance::kCandidate});
  }
  done(std::move(measurement));
}

void EvaluationQueue::Push(EvaluationPtr evaluation) {
  absl::MutexLock lock(&mutex_);
  if (closed_) return;
  auto place = queue_.end();
  if (!evaluation->candidate.compile_only) {
    place = std::find_if(queue_.begin(), queue_.end(),
                         [](const EvaluationPtr& queued) { return queued->candidate.compile_only; });
  }
  queue_.insert(place, std::move(evaluation));
}

EvaluationPtr EvaluationQueue::Pop() {
  absl::MutexLock lock(&mutex_);
  auto may_return = [this]() ABSL_NO_THREAD_SAFETY_ANALYSIS { return closed_ || !queue_.empty(); };
  mutex_.Await(absl::Condition(&may_return));
  if (queue_.empty()) return nullptr;
  EvaluationPtr next = std::move(queue_.front());
  queue_.pop_front();
  return next;
}

void EvaluationQueue::Close() {
  absl::MutexLock lock(&mutex_);
  closed_ = true;
}

void FailedAttempts::Add(FailedAttempt attempt) {
  attempt.message = OneLine(attempt.message);
  attempts_.push_back(std::move(attempt));
}

bool FailedAttempts::Settled() const {
  if (attempts_.size() >= kMaxAttempts) return true;
  if (attempts_.size() < 2) return false;
  const FailedAttempt& before = attempts_[attempts_.size() - 2];
  return before.outcome == last().outcome && IsOfDevice(before) == IsOfDevice(last());
}

std::vector<FailedAttempt> FailedAttempts::Attributed(Outcome outcome) const {
  std::vector<FailedAttempt> judged = attempts_;
  for (FailedAttempt& attempt : judged) {
    if (attempt.outcome == outcome && !IsOfDevice(attempt)) attempt.provenance = Provenance::kCandidate;
  }
  return judged;
}

Duration WithinLease(Duration limit, const Candidate& candidate) {
  if (candidate.close == TimePoint::max()) return limit;
  return std::clamp(candidate.close - Clock::Real().Now(), Duration::zero(), limit);
}

TimePoint HandBackAt(const Candidate& candidate) {
  return candidate.close == TimePoint::max() ? candidate.close : candidate.close - kHandBack;
}

bool IsWorkerFailure(const absl::Status& status) { return absl::IsCancelled(status) || absl::IsUnavailable(status); }

absl::StatusOr<TimingGate::Pass> EnterShared(TimingGate* gate, const Evaluation& evaluation) {
  if (evaluation.stop->unless_measuring())
    return absl::CancelledError("the evaluation was stopped before its kernel ran on the device");
  return Enter(gate, evaluation, &TimingGate::EnterShared);
}

absl::StatusOr<TimingGate::Pass> EnterTiming(TimingGate* gate, const Evaluation& evaluation) {
  return Enter(gate, evaluation, &TimingGate::EnterTiming);
}

std::string TimingKey(const Candidate& candidate, const worker::CompiledKernel& kernel) {
  std::string bytes;
  {
    google::protobuf::io::StringOutputStream stream(&bytes);
    google::protobuf::io::CodedOutputStream coded(&stream);
    const auto add = [&coded](const std::string& text) {
      coded.WriteVarint64(text.size());
      coded.WriteString(text);
    };
    add(kMethod);
    add(kernel.code_digest());
    add(candidate.problem.CanonicalJson());
    add(candidate.target.uuid);
    add(candidate.target.name);
    add(candidate.target.driver);
    add(candidate.target.arch);
    add(std::string(RegimeName(candidate.measure.regime)));
    coded.WriteVarint64(static_cast<uint64_t>(kernel.workspace_bytes()));
    for (const worker::PlanStep& step : kernel.steps()) add(DeterministicBytes(step));
  }
  return Sha256Hex(bytes);
}

}  // namespace mmtune
