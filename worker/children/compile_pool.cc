// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "worker/children/compile_pool.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "kernels/families/common/registry.h"
#include "kernels/perf_model/runtime_lower_bound.h"
#include "kernels/perf_model/schedule_geometry.h"
#include "kernels/perf_model/time_model.h"
#include "proto/base/log.h"
#include "proto/base/status.h"
#include "proto/wire/convert.h"
#include "proto/wire/deterministic_bytes.h"
#include "worker/children/child.h"

namespace mmtune {

void CompiledKernelCache::Put(std::string key, Compilation compilation) {
  const size_t bytes = key.size() + compilation.kernel.ByteSizeLong();
  absl::MutexLock lock(&mutex_);
  TakeLocked(key);
  if (bytes > most_bytes_) return;
  entries_.push_back({std::move(key), std::move(compilation), bytes});
  bytes_ += bytes;
  while (entries_.size() > most_kernels_ || bytes_ > most_bytes_) {
    bytes_ -= entries_.front().bytes;
    entries_.pop_front();
  }
}

std::optional<Compilation> CompiledKernelCache::Take(const std::string& key) {
  absl::MutexLock lock(&mutex_);
  return TakeLocked(key);
}

std::optional<Compilation> CompiledKernelCache::TakeLocked(const std::string& key) {
  const auto entry =
      std::find_if(entries_.begin(), entries_.end(), [&key](const Entry& held) { return held.key == key; });
  if (entry == entries_.end()) return std::nullopt;
  std::optional<Compilation> compilation = std::move(entry->compilation);
  bytes_ -= entry->bytes;
  entries_.erase(entry);
  return compilation;
}

std::string CompilationKey(worker::CompileRequest request) {
  request.mutable_subject()->mutable_device()->clear_uuid();
  return DeterministicBytes(request);
}

namespace {

// What is compiled ahead waits for a lease: what the server has chosen from, and the memory that may take.
constexpr size_t kCachedKernels = 128;
constexpr size_t kCachedBytes = size_t{128} << 20;

worker::Subject SubjectOf(const Candidate& candidate, const Schedule& schedule) {
  worker::Subject subject;
  *subject.mutable_problem() = ToWire(candidate.problem);
  *subject.mutable_schedule() = ToWire(schedule);
  *subject.mutable_device() = ToWire(candidate.target);
  return subject;
}

worker::Request CompileRequest(const Candidate& candidate, const Schedule& schedule) {
  worker::Request request = RequestAbout(candidate);
  *request.mutable_compile()->mutable_subject() = SubjectOf(candidate, schedule);
  request.mutable_compile()->set_assemble(candidate.assemble);
  return request;
}

/// The outcome of a child that gave no reply.
Outcome LossOutcome(const worker::Request& request, const absl::Status& loss) {
  if (absl::IsDeadlineExceeded(loss)) return Outcome::kTimedOut;
  if (absl::IsAborted(loss) && request.has_compile()) return Outcome::kCompileFailed;
  return Outcome::kCrashed;
}

std::string LossMessage(const worker::Request& request, const absl::Status& loss) {
  return absl::StrCat(request.has_compile() ? "compiling: " : "verifying: ", loss.message());
}

/// Fills in the facts of the kernel of a candidate that is not measured.
void TakeFacts(Evaluation& evaluation) {
  Measurement& measurement = evaluation.measurement;
  measurement.code_digest = evaluation.kernel.code_digest();
  absl::StatusOr<KernelResources> resources = FromWire(evaluation.kernel.resources());
  absl::StatusOr<PhaseTimes> phases = FromWire(evaluation.kernel.phases());
  if (resources.ok()) measurement.resources = *resources;
  if (!phases.ok()) return;
  phases->verify_ms = measurement.phases.verify_ms;
  measurement.phases = *phases;
}

std::string Milliseconds(double ns) { return absl::StrFormat("%.4g ms", ns / 1e6); }

}  // namespace

CompilePool::CompilePool(int threads, ChildOptions options, Compiled compiled)
    : options_(std::move(options)), compiled_(std::move(compiled)), kernel_cache_(kCachedKernels, kCachedBytes) {
  for (int i = 0; i < threads; ++i) threads_.emplace_back([this] { Run(); });
}

CompilePool::~CompilePool() {
  queue_.Close();
  for (std::thread& thread : threads_) thread.join();
}

void CompilePool::Run() {
  Child child(options_.command);
  while (EvaluationPtr next = queue_.Pop()) Evaluate(child, std::move(next));
}

absl::StatusOr<worker::Reply> CompilePool::CallOnce(Child& child, const Evaluation& evaluation,
                                                    const worker::Request& request, worker::Reply::ReplyCase wanted) {
  const Candidate& candidate = evaluation.candidate;
  absl::StatusOr<worker::Reply> reply =
      child.Compute(request, request.has_model() ? options_.limits.model : options_.limits.compute,
                    HandBackAt(candidate), evaluation.stop.get());
  if (reply.ok() && reply->reply_case() != wanted && !reply->has_failure()) {
    child.Retire();
    reply = absl::DataLossError("the compile child sent an unexpected reply");
  }
  if (!reply.ok() && !IsWorkerFailure(reply.status())) {
    Log(LogLevel::kWarning, "compile_child_lost", candidate.subject, {{"error", ToStd(reply.status().message())}});
  }
  return reply;
}

absl::StatusOr<worker::Reply> CompilePool::Call(Child& child, const Evaluation& evaluation,
                                                const worker::Request& request, worker::Reply::ReplyCase wanted,
                                                std::vector<FailedAttempt>& failed) {
  const bool seasoned = child.answered() > 0;
  absl::StatusOr<worker::Reply> reply = CallOnce(child, evaluation, request, wanted);
  const absl::Status first = reply.status();
  if (!absl::IsAborted(first) && !absl::IsDataLoss(first)) return reply;
  reply = CallOnce(child, evaluation, request, wanted);
  FailedAttempts attempts;
  attempts.Add({LossOutcome(request, first), LossMessage(request, first),
                absl::IsDataLoss(first) ? Provenance::kWorker : FailedAttempts::UnlessRepeated(seasoned)});
  failed = attempts.Attributed(reply.ok() ? Outcome::kOk : LossOutcome(request, reply.status()));
  return reply;
}

std::optional<worker::Reply> CompilePool::CallOrEnd(Child& child, Evaluation& evaluation,
                                                    const worker::Request& request, worker::Reply::ReplyCase wanted) {
  std::vector<FailedAttempt> failed;
  absl::StatusOr<worker::Reply> reply = Call(child, evaluation, request, wanted, failed);
  std::vector<FailedAttempt>& all = evaluation.measurement.conditions.failed_attempts;
  all.insert(all.end(), failed.begin(), failed.end());
  if (reply.ok()) return *std::move(reply);
  if (IsWorkerFailure(reply.status())) {
    evaluation.done(reply.status());
  } else {
    evaluation.Fail(LossOutcome(request, reply.status()), LossMessage(request, reply.status()));
  }
  return std::nullopt;
}

void CompilePool::Evaluate(Child& child, EvaluationPtr evaluation) {
  absl::StatusOr<TimingGate::Pass> pass = EnterShared(options_.gate, *evaluation);
  if (!pass.ok()) return evaluation->done(pass.status());
  if (evaluation->candidate.compile_only) return CompileOnly(child, *evaluation);
  if (Skip(*evaluation) || !Compile(child, *evaluation) || Skip(*evaluation)) return;
  if (!Verify(child, *evaluation)) return;
  if (evaluation->candidate.reference) CompileReference(child, *evaluation);
  *pass = {};
  compiled_(std::move(evaluation));
}

bool CompilePool::Skip(Evaluation& evaluation) {
  const Candidate& candidate = evaluation.candidate;
  if (!(candidate.skip_above_ns > 0)) return false;
  if (!ValidateSchedule(candidate.problem, candidate.schedule, candidate.target).ok()) return false;
  const absl::StatusOr<ScheduleGeometry> geometry = DescribeSchedule(candidate.problem, candidate.schedule);
  if (!geometry.ok()) return false;  // The compiler says why.
  KernelResources real;
  if (evaluation.kernel.has_resources()) {
    const absl::StatusOr<KernelResources> resources = FromWire(evaluation.kernel.resources());
    if (!resources.ok()) return false;
    real = *resources;
  }
  const RuntimeLowerBound least = RuntimeLowerBoundOf(candidate.problem, *geometry, candidate.target, real);
  if (least.ns <= candidate.skip_above_ns) return false;
  if (evaluation.kernel.has_resources()) TakeFacts(evaluation);
  Measurement& measurement = evaluation.measurement;
  measurement.outcome = Outcome::kSkipped;
  const double predicted =
      1e9 * PredictTime(candidate.problem, WithCompiledResources(*geometry, real), candidate.target).total;
  measurement.message =
      absl::StrCat("takes at least ", Milliseconds(least.ns), " (predicted: ", Milliseconds(predicted),
                   "), more than the limit of ", Milliseconds(candidate.skip_above_ns), ": ", least.why);
  measurement.timing.low_ns = least.ns;
  evaluation.done(std::move(measurement));
  return true;
}

bool CompilePool::Compile(Child& child, Evaluation& evaluation) {
  const worker::Request request = CompileRequest(evaluation.candidate, evaluation.candidate.schedule);
  if (std::optional<Compilation> ready = kernel_cache_.Take(CompilationKey(request.compile()))) {
    evaluation.kernel = std::move(ready->kernel);
    evaluation.measurement.conditions.failed_attempts = std::move(ready->failed_attempts);
    evaluation.predicted_peak_fraction = ready->predicted_peak_fraction;
    return true;
  }
  std::optional<worker::Reply> reply = CallOrEnd(child, evaluation, request, worker::Reply::kKernel);
  if (!reply) return false;
  if (reply->has_failure()) {
    const absl::Status status = FromMessage(reply->failure());
    if (absl::IsUnavailable(status)) {  // no disk, no ptxas: not the candidate's doing
      evaluation.done(status);
    } else {
      evaluation.Fail(absl::IsInvalidArgument(status) ? Outcome::kRejected : Outcome::kCompileFailed,
                      std::string(status.message()));
    }
    return false;
  }
  evaluation.kernel = std::move(*reply->mutable_kernel());
  return true;
}

void CompilePool::Model(Child& child, Evaluation& evaluation) {
  const Candidate& candidate = evaluation.candidate;
  if (evaluation.predicted_peak_fraction > 0 || evaluation.kernel.format() != static_cast<int>(ImageFormat::kCubin))
    return;
  // A request of its own: what becomes of it says nothing of the compilation.
  worker::Request request = RequestAbout(candidate);
  *request.mutable_model()->mutable_subject() = SubjectOf(candidate, candidate.schedule);
  *request.mutable_model()->mutable_kernel() = evaluation.kernel;
  request.mutable_model()->mutable_kernel()->clear_host_object();
  const absl::StatusOr<worker::Reply> reply =
      CallOnce(child, evaluation, request, worker::Reply::kPredictedPeakFraction);
  if (reply.ok() && reply->has_predicted_peak_fraction()) {
    evaluation.predicted_peak_fraction = reply->predicted_peak_fraction();
    return;
  }
  const absl::Status why = reply.ok() ? FromMessage(reply->failure()) : reply.status();
  if (absl::IsCancelled(why)) return;
  // The first time it is news: there may be no disassembler.
  const LogLevel level = said_not_modelled_.exchange(true) ? LogLevel::kDebug : LogLevel::kInfo;
  Log(level, "not_modelled", candidate.subject, {{"error", ToStd(why.message())}});
}

void CompilePool::CompileOnly(Child& child, Evaluation& evaluation) {
  if (!Compile(child, evaluation)) return;
  TakeFacts(evaluation);
  Model(child, evaluation);
  const Candidate& candidate = evaluation.candidate;
  if (candidate.take_predicted_peak_fraction)
    candidate.take_predicted_peak_fraction(evaluation.predicted_peak_fraction);
  // Before anybody can know: the lease that follows finds it.
  const worker::Request request = CompileRequest(candidate, candidate.schedule);
  kernel_cache_.Put(CompilationKey(request.compile()),
                    {std::move(evaluation.kernel), evaluation.measurement.conditions.failed_attempts,
                     evaluation.predicted_peak_fraction});
  evaluation.done(std::move(evaluation.measurement));
}

void CompilePool::CompileReference(Child& child, Evaluation& evaluation) {
  const Candidate& candidate = evaluation.candidate;
  std::vector<FailedAttempt> failed;
  absl::StatusOr<worker::Reply> reply =
      Call(child, evaluation, CompileRequest(candidate, *candidate.reference), worker::Reply::kKernel, failed);
  if (reply.ok() && reply->has_kernel()) {
    evaluation.reference_kernel = std::move(*reply->mutable_kernel());
    return;
  }
  const std::string why(!reply.ok() ? reply.status().message() : reply->failure().message());
  Log(LogLevel::kWarning, "reference_not_compiled", candidate.subject,
      {{"error", why}, {"effect", "the schedule is not compared with it"}});
}

bool CompilePool::Verify(Child& child, Evaluation& evaluation) {
  Measurement& measurement = evaluation.measurement;
  const Candidate& candidate = evaluation.candidate;
  if (!candidate.measure.verification) {
    measurement.verification.reason = kVerificationTurnedOff;
    return true;
  }
  measurement.code_digest = evaluation.kernel.code_digest();
  worker::Request request = RequestAbout(candidate);
  *request.mutable_verify()->mutable_subject() = SubjectOf(candidate, candidate.schedule);
  request.mutable_verify()->set_fuzzing_runs(candidate.fuzzing_runs);
  request.mutable_verify()->set_check_full_size_races(candidate.check_full_size_races);
  std::optional<worker::Reply> reply = CallOrEnd(child, evaluation, request, worker::Reply::kVerification);
  if (!reply) return false;
  if (reply->has_failure()) {  // the verifier's own: a schedule that cannot be verified is a report
    evaluation.done(absl::UnavailableError(absl::StrCat("the verifier failed: ", OneLine(reply->failure().message()))));
    return false;
  }
  absl::StatusOr<VerificationReport> verification = FromWire(reply->verification());
  if (!verification.ok()) {
    child.Retire();
    evaluation.Fail(Outcome::kCrashed, LossMessage(request, verification.status()));
    return false;
  }
  measurement.verification = *std::move(verification);
  measurement.phases.verify_ms = reply->elapsed_ms();
  if (!measurement.verification.performed || measurement.verification.passed) return true;
  TakeFacts(evaluation);
  evaluation.Fail(Outcome::kWrongResult, absl::StrCat("not verified: ", measurement.verification.finding));
  return false;
}

}  // namespace mmtune
