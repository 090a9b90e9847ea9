// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "worker/agent/compile_reporter.h"

#include <utility>

#include "absl/time/time.h"
#include "proto/base/log.h"
#include "proto/base/status.h"
#include "worker/agent/report_batch.h"

namespace mmtune {
namespace {

constexpr Duration kCallLimit = std::chrono::seconds(5);

}  // namespace

CompileReporter::CompileReporter(ServerConnection* server, std::string worker_id, Duration patience)
    : server_(server), worker_id_(std::move(worker_id)), patience_(patience) {
  thread_ = std::thread([this] { Run(); });
}

CompileReporter::~CompileReporter() {
  {
    absl::MutexLock lock(&mutex_);
    stopping_ = true;
  }
  server_->CancelCalls(stop_);
  thread_.join();
}

void CompileReporter::Add(v1::CompileReport report) {
  absl::MutexLock lock(&mutex_);
  queue_.push_back(std::move(report));
}

bool CompileReporter::Flush(Duration limit) const {
  absl::MutexLock lock(&mutex_);
  auto settled = [this]() ABSL_NO_THREAD_SAFETY_ANALYSIS { return queue_.empty() && !sending_; };
  return mutex_.AwaitWithTimeout(absl::Condition(&settled), absl::FromChrono(limit));
}

std::vector<v1::CompileReport> CompileReporter::NextBatch() {
  absl::MutexLock lock(&mutex_);
  sending_ = false;
  auto may_return = [this]() ABSL_NO_THREAD_SAFETY_ANALYSIS { return stopping_ || !queue_.empty(); };
  mutex_.Await(absl::Condition(&may_return));
  if (stopping_) return {};
  sending_ = true;
  return TakeBatch(queue_);
}

void CompileReporter::Run() {
  for (std::vector<v1::CompileReport> batch = NextBatch(); !batch.empty(); batch = NextBatch()) Send(std::move(batch));
}

void CompileReporter::Send(std::vector<v1::CompileReport> batch) {
  v1::ReportCompiledRequest request;
  request.set_worker_id(worker_id_);
  for (v1::CompileReport& report : batch) *request.add_reports() = std::move(report);
  const TimePoint last_try = Clock::Real().Now() + patience_;
  Backoff backoff;
  for (;;) {
    v1::ReportCompiledResponse response;
    const absl::Status status =
        server_->Call(&v1::WorkQueue::Stub::ReportCompiled, "ReportCompiled", request, &response, kCallLimit, &stop_);
    if (status.ok() || stop_.raised()) return;
    const bool may_pass = IsTransient(status) || absl::IsResourceExhausted(status);
    if (!may_pass || Clock::Real().Now() >= last_try) {
      return LogWarning("compiled_dropped", {{"reports", request.reports_size()}, {"error", ToStd(status.message())}});
    }
    if (stop_.Sleep(backoff.Next())) return;
  }
}

}  // namespace mmtune
