#include "worker/compile_pool.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "proto/base/log.h"
#include "proto/base/status.h"
#include "proto/wire/convert.h"
#include "worker/child_messages.h"

namespace mmtune {
namespace {

worker::Request CompileRequest(const Candidate& candidate) {
  worker::Request request;
  *request.mutable_compile()->mutable_problem() = ToWire(candidate.problem);
  *request.mutable_compile()->mutable_schedule() = ToWire(candidate.schedule);
  *request.mutable_compile()->mutable_device() = ToWire(candidate.target);
  request.mutable_compile()->set_assemble(candidate.assemble);
  return request;
}

/// The outcome of a child that gave no reply.
Outcome LossOutcome(const absl::Status& loss) {
  if (absl::IsDeadlineExceeded(loss)) return Outcome::kTimedOut;
  if (absl::IsAborted(loss)) return Outcome::kCompileFailed;
  return Outcome::kCrashed;
}

}  // namespace

CompilePool::CompilePool(CompilePoolOptions options, Compiled compiled)
    : options_(std::move(options)), compiled_(std::move(compiled)) {
  for (int i = 0; i < options_.threads; ++i) threads_.emplace_back([this] { Run(); });
}

CompilePool::~CompilePool() {
  queue_.Close();
  for (std::thread& thread : threads_) thread.join();
}

void CompilePool::Run() {
  Child child(options_.command);
  while (std::optional<EvaluationPtr> next = queue_.Pop()) Compile(child, *std::move(next));
}

void CompilePool::Compile(Child& child, EvaluationPtr evaluation) {
  const Candidate& candidate = evaluation->candidate;
  TimingGate::Pass pass;
  if (options_.gate != nullptr) pass = options_.gate->EnterCompile(evaluation->stop.get());
  if (evaluation->stop->unless_measuring()) return evaluation->done(absl::CancelledError("stopped before compilation"));
  if (LeaseClosed(candidate)) return evaluation->done(absl::CancelledError("the lease closed before compilation"));

  const Duration limit = WithinLease(options_.limits.compile, candidate);
  const bool seasoned = child.answered() > 0;
  absl::StatusOr<worker::Reply> reply = child.Call(CompileRequest(candidate), limit, evaluation->stop.get());
  if (absl::IsAborted(reply.status()) && seasoned) {
    // The one before may have left the child broken: only a fresh child convicts.
    LogWarning("compile_child_lost", {{"lease", candidate.lease}, {"error", ToStd(reply.status().message())}});
    reply = child.Call(CompileRequest(candidate), WithinLease(limit, candidate), evaluation->stop.get());
  }
  pass = {};

  if (absl::IsCancelled(reply.status()) || absl::IsUnavailable(reply.status())) return evaluation->done(reply.status());
  if (!reply.ok()) {
    LogWarning("compile_child_lost", {{"lease", candidate.lease}, {"error", ToStd(reply.status().message())}});
    return evaluation->Fail(LossOutcome(reply.status()), absl::StrCat("compiling: ", reply.status().message()));
  }
  if (reply->has_failure()) {
    absl::Status status = FromMessage(reply->failure());
    if (absl::IsUnavailable(status)) return evaluation->done(status);  // no disk, no ptxas: not the candidate's doing
    Outcome outcome = absl::IsInvalidArgument(status) ? Outcome::kRejected : Outcome::kCompileFailed;
    return evaluation->Fail(outcome, std::string(status.message()));
  }
  if (!reply->has_kernel()) {
    child.Retire();
    return evaluation->Fail(Outcome::kCrashed, "compiling: the compile child answered something else");
  }
  evaluation->kernel = std::move(*reply->mutable_kernel());
  compiled_(std::move(evaluation));
}

}  // namespace mmtune
