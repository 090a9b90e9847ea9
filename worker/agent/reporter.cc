// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "worker/agent/reporter.h"

#include <algorithm>
#include <utility>

#include "absl/time/time.h"
#include "proto/base/log.h"
#include "proto/base/status.h"

namespace mmtune {
namespace {

constexpr Duration kCallLimit = std::chrono::seconds(10);
constexpr size_t kMaxBatch = 64;
// The server takes messages of 256 KiB.
constexpr size_t kMaxBatchBytes = 128 << 10;

}  // namespace

Reporter::Reporter(ServerConnection* server, ReportSpool* spool) : server_(server), spool_(spool) {
  for (v1::CandidateReport& report : spool_->TakeLeftovers()) {
    pending_.insert(report.token());
    queue_.push_back(std::move(report));
  }
  if (!queue_.empty()) LogInfo("spool_resent", {{"reports", queue_.size()}});
  thread_ = std::thread([this] { Run(); });
}

Reporter::~Reporter() {
  stop_.Raise();
  {
    absl::MutexLock lock(&mutex_);
    stopping_ = true;
  }
  thread_.join();
}

void Reporter::Add(v1::CandidateReport report) {
  absl::MutexLock lock(&mutex_);
  pending_.insert(report.token());
  queue_.push_back(std::move(report));
  ++unspooled_;
}

std::vector<std::string> Reporter::PendingTokens() const {
  absl::MutexLock lock(&mutex_);
  return std::vector<std::string>(pending_.begin(), pending_.end());
}

bool Reporter::Flush(Duration limit) const {
  absl::MutexLock lock(&mutex_);
  return mutex_.AwaitWithTimeout(
      absl::Condition(
          +[](const Reporter* r) ABSL_NO_THREAD_SAFETY_ANALYSIS { return r->pending_.empty(); }, this),
      absl::FromChrono(limit));
}

int64_t Reporter::acknowledged() const {
  absl::MutexLock lock(&mutex_);
  return acknowledged_;
}

std::vector<v1::CandidateReport> Reporter::NextBatch() {
  absl::MutexLock lock(&mutex_);
  mutex_.Await(absl::Condition(
      +[](Reporter* r) ABSL_NO_THREAD_SAFETY_ANALYSIS { return r->stopping_ || !r->queue_.empty(); }, this));
  std::vector<v1::CandidateReport> batch;
  size_t bytes = 0;
  while (!queue_.empty() && batch.size() < kMaxBatch && bytes < kMaxBatchBytes) {
    bytes += queue_.front().ByteSizeLong();
    batch.push_back(std::move(queue_.front()));
    queue_.pop_front();
  }
  return batch;
}

void Reporter::Run() {
  for (;;) {
    std::vector<v1::CandidateReport> batch = NextBatch();
    if (batch.empty()) return;
    Spool(batch);
    if (stop_.raised()) continue;  // spooled, and sent by the next process
    Send(std::move(batch));
  }
}

void Reporter::Spool(std::vector<v1::CandidateReport>& batch) {
  size_t fresh;  // the last reports of the batch; leftovers, which come first, are in the spool already
  {
    absl::MutexLock lock(&mutex_);
    fresh = unspooled_ > queue_.size() ? std::min(batch.size(), unspooled_ - queue_.size()) : 0;
    unspooled_ -= fresh;
  }
  if (fresh == 0) return;
  absl::Status spooled = spool_->Append({batch.end() - static_cast<std::ptrdiff_t>(fresh), batch.end()});
  // The reports are sent all the same: if this process is lost, what they say is measured again.
  if (!spooled.ok()) LogError("spool_failed", {{"error", ToStd(spooled.message())}});
}

void Reporter::Send(std::vector<v1::CandidateReport> batch) {
  v1::ReportRequest request;
  request.set_worker_id(spool_->worker_id());
  for (const v1::CandidateReport& report : batch) *request.add_reports() = report;
  Backoff backoff;
  for (;;) {
    v1::ReportResponse response;
    absl::Status status = server_->Call(&v1::WorkQueue::Stub::Report, "Report", request, &response, kCallLimit);
    if (status.ok()) {
      for (const v1::ReportStatus& report : response.statuses()) {
        if (report.unknown()) LogWarning("report_unknown", {{"lease", report.token()}});
      }
      return Settle(batch);
    }
    if (IsTransient(status) || absl::IsCancelled(status) || absl::IsResourceExhausted(status)) {
      if (stop_.Sleep(backoff.Next())) return;
      continue;
    }
    if (batch.size() == 1) {
      LogError("report_refused", {{"lease", batch[0].token()}, {"error", ToStd(status.message())}});
      return Settle(batch);
    }
    // One bad report must not take the others with it.
    for (v1::CandidateReport& report : batch) Send({std::move(report)});
    return;
  }
}

void Reporter::Settle(const std::vector<v1::CandidateReport>& batch) {
  bool all_settled;
  {
    absl::MutexLock lock(&mutex_);
    for (const v1::CandidateReport& report : batch) {
      pending_.erase(pending_.find(report.token()));
      if (report.has_measurement()) ++acknowledged_;
    }
    all_settled = pending_.size() == unspooled_;
  }
  if (!all_settled) return;
  absl::Status emptied = spool_->Keep({});
  if (!emptied.ok()) LogError("spool_failed", {{"error", ToStd(emptied.message())}});
}

}  // namespace mmtune
