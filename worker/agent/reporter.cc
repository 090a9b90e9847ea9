// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "worker/agent/reporter.h"

#include <algorithm>
#include <utility>

#include "absl/time/time.h"
#include "proto/base/digest.h"
#include "proto/base/log.h"
#include "proto/base/status.h"

namespace mmtune {
namespace {

constexpr Duration kReportLimit = std::chrono::seconds(10);
constexpr Duration kCompileReportLimit = std::chrono::seconds(5);

/// Takes reports off the front of the queue: at least one if there is any, at most 64 and about 128 KiB, because the
/// server accepts messages of up to 256 KiB.
template <typename Report>
std::vector<Report> TakeBatch(std::deque<Report>& queue) {
  constexpr size_t kMost = 64, kMostBytes = 128 << 10;
  std::vector<Report> batch;
  size_t bytes = 0;
  while (!queue.empty() && batch.size() < kMost && bytes < kMostBytes) {
    bytes += queue.front().ByteSizeLong();
    batch.push_back(std::move(queue.front()));
    queue.pop_front();
  }
  return batch;
}

std::vector<ServerConnection*> OwnFirst(ServerConnection* server, const std::vector<ServerConnection*>& others) {
  std::vector<ServerConnection*> servers = {server};
  servers.insert(servers.end(), others.begin(), others.end());
  return servers;
}

}  // namespace

Reporter::Reporter(ServerConnection* server, const std::vector<ServerConnection*>& others, ReportSpool* spool)
    : servers_(OwnFirst(server, others)), spool_(spool) {
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

bool Reporter::Ask(const v1::LeaseRequest& request, const StopSignal& stop, v1::LeaseResponse* response) {
  absl::MutexLock lock(&mutex_);
  if (sending_ || stopping_ || pending_.empty() || waiter_ != nullptr) return false;
  LeaseWaiter waiter{request, stop, response};
  waiter_ = &waiter;
  mutex_.Await(absl::Condition(&waiter.done));
  return waiter.answered;
}

Reporter::LeaseWaiter* Reporter::TakeWaiter() {
  absl::MutexLock lock(&mutex_);
  sending_ = true;
  return std::exchange(waiter_, nullptr);
}

void Reporter::Answer(LeaseWaiter* waiter, const v1::LeaseResponse* response) {
  if (waiter == nullptr) return;
  absl::MutexLock lock(&mutex_);
  if (response != nullptr) *waiter->response = *response;
  waiter->answered = response != nullptr;
  waiter->done = true;
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
  sending_ = false;
  mutex_.Await(absl::Condition(
      +[](Reporter* r) ABSL_NO_THREAD_SAFETY_ANALYSIS { return r->stopping_ || !r->queue_.empty(); }, this));
  return TakeBatch(queue_);
}

void Reporter::Run() {
  for (std::vector<v1::CandidateReport> batch = NextBatch(); !batch.empty(); batch = NextBatch()) {
    Spool(batch);
    LeaseWaiter* const waiter = TakeWaiter();
    if (stop_.raised()) {  // spooled, and sent by the next process
      Answer(waiter, nullptr);
    } else {
      Send(std::move(batch), waiter);
    }
  }
  Answer(TakeWaiter(), nullptr);
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
  if (!spooled.ok())
    LogError("spool_failed", {{"error", ToStd(spooled.message())},
                              {"effect", "results that are not yet acknowledged are in memory only"}});
}

void Reporter::Send(std::vector<v1::CandidateReport> batch, LeaseWaiter* waiter) {
  v1::ReportRequest request;
  request.set_worker_id(spool_->worker_id());
  for (const v1::CandidateReport& report : batch) *request.add_reports() = report;
  if (waiter != nullptr) *request.mutable_next() = waiter->request;
  Backoff backoff;
  for (size_t attempt = 0;; ++attempt) {
    v1::ReportResponse response;
    ServerConnection* const server = servers_[attempt % servers_.size()];
    absl::Status status = server->Call(&v1::WorkQueue::Stub::Report, "Report", request, &response, kReportLimit,
                                       waiter == nullptr ? nullptr : &waiter->stop);
    if (waiter != nullptr) {
      Answer(std::exchange(waiter, nullptr), status.ok() && response.has_next() ? &response.next() : nullptr);
      request.clear_next();
      if (absl::IsCancelled(status)) continue;  // the waiter stops, the reports have to go all the same
    }
    // Only the own coordinator knows for sure what a token is about.
    const bool is_own = server == servers_.front();
    const bool unknown = std::any_of(response.statuses().begin(), response.statuses().end(),
                                     [](const v1::ReportStatus& report) { return report.unknown(); });
    if (status.ok() && (is_own || !unknown)) {
      for (const v1::ReportStatus& report : response.statuses()) {
        if (report.unknown()) {
          LogWarning("report_unknown", {{"lease", report.token().substr(0, kLeaseDigits)}});
        } else {
          LogInfo("reported", {{"lease", report.token().substr(0, kLeaseDigits)}});
        }
      }
      return Settle(batch);
    }
    if (!is_own || IsTransient(status) || absl::IsResourceExhausted(status)) {
      // The jobs of its reports may be at different coordinators by now.
      if (servers_.size() > 1 && batch.size() > 1 && attempt + 1 >= servers_.size()) break;
      if (stop_.Sleep(backoff.Next())) return;
      continue;
    }
    if (batch.size() == 1) {
      LogError("report_refused",
               {{"lease", batch[0].token().substr(0, kLeaseDigits)}, {"error", ToStd(status.message())}});
      return Settle(batch);
    }
    break;  // One bad report must not take the others with it.
  }
  for (v1::CandidateReport& report : batch) Send({std::move(report)}, nullptr);
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
  if (!emptied.ok())
    LogError("spool_failed",
             {{"error", ToStd(emptied.message())}, {"effect", "acknowledged results stay in the file"}});
}

CompileReporter::CompileReporter(ServerConnection* server, std::string worker_id, Duration retry_limit)
    : server_(server), worker_id_(std::move(worker_id)), retry_limit_(retry_limit) {
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
  const TimePoint last_try = Clock::Real().Now() + retry_limit_;
  Backoff backoff;
  for (;;) {
    v1::ReportCompiledResponse response;
    const absl::Status status = server_->Call(&v1::WorkQueue::Stub::ReportCompiled, "ReportCompiled", request,
                                              &response, kCompileReportLimit, &stop_);
    if (status.ok() || stop_.raised()) return;
    const bool may_pass = IsTransient(status) || absl::IsResourceExhausted(status);
    if (!may_pass || Clock::Real().Now() >= last_try) {
      return LogWarning("compiled_dropped", {{"reports", request.reports_size()}, {"error", ToStd(status.message())}});
    }
    if (stop_.Sleep(backoff.Next())) return;
  }
}

}  // namespace mmtune
