// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/coordinator/log_writer.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "db/sql_tuning_log.h"
#include "proto/base/clock.h"
#include "proto/base/log.h"
#include "proto/base/status.h"
#include "server/coordinator/coordinator.h"

namespace mmtune {

absl::Status LogTransaction::Begin() {
  changes_ = {};
  return FromStorage(log_.Begin());
}

absl::StatusOr<LogChanges> LogTransaction::Commit() {
  const TimePoint start = Clock::Real().Now();
  RETURN_IF_ERROR(FromStorage(log_.Commit()));
  changes_.commit = Clock::Real().Now() - start;
  return std::exchange(changes_, {});
}

void LogTransaction::Rollback() {
  changes_ = {};
  log_.Rollback();
}

absl::Status LogTransaction::TryWriting() { return FromStorage(log_.TryWriting()); }

absl::StatusOr<int64_t> LogTransaction::InsertJob(const JobRow& job) {
  ASSIGN_OR_RETURN(const int64_t id, FromStorage(log_.InsertJob(job)));
  changes_.wrote = true;
  ++changes_.jobs_submitted;
  return id;
}

absl::Status LogTransaction::SetJobState(int64_t job_id, JobState state, std::string_view message) {
  RETURN_IF_ERROR(FromStorage(log_.SetJobState(job_id, state, message)));
  changes_.wrote = true;
  if (IsFinal(state)) ++changes_.jobs_ended[state];
  return absl::OkStatus();
}

absl::StatusOr<int64_t> LogTransaction::InsertCandidate(int64_t job_id, const Schedule& schedule) {
  changes_.wrote = true;
  return FromStorage(log_.InsertCandidate(job_id, schedule));
}

absl::Status LogTransaction::SetCandidateState(int64_t candidate_id, CandidateState state) {
  changes_.wrote = true;
  return FromStorage(log_.SetCandidateState(candidate_id, state));
}

absl::Status LogTransaction::InsertAttempt(const AttemptRow& attempt) {
  changes_.wrote = true;
  return FromStorage(log_.InsertAttempt(attempt));
}

absl::Status LogTransaction::EndAttempt(std::string_view token, AttemptState state, std::string_view detail) {
  RETURN_IF_ERROR(FromStorage(log_.EndAttempt(token, state, detail)));
  changes_.wrote = true;
  ++changes_.leases_ended[state];
  return absl::OkStatus();
}

absl::StatusOr<InsertedRecord> LogTransaction::InsertRecord(std::string_view token, const TuningRecord& record) {
  ASSIGN_OR_RETURN(const InsertedRecord inserted, FromStorage(log_.InsertRecord(token, record)));
  changes_.wrote = true;
  if (inserted.duplicate) return inserted;
  if (inserted.canonical) ++changes_.outcomes[record.measurement.outcome];
  const HealthReport& health = record.measurement.conditions.health;
  if (!health.source.empty()) {
    changes_.readings.push_back({record.worker, record.device.uuid, record.device.name, health.after});
  }
  return inserted;
}

absl::Status LogTransaction::AddWorkerNote(const WorkerNote& note) {
  changes_.wrote = true;
  return FromStorage(log_.AddWorkerNote(note));
}

absl::StatusOr<std::vector<WorkerNote>> LogTransaction::WorkerNotes() { return FromStorage(log_.WorkerNotes()); }

absl::StatusOr<std::vector<JobRow>> LogTransaction::TakeOverJobs() {
  ASSIGN_OR_RETURN(std::vector<JobRow> jobs, FromStorage(log_.TakeOverJobs()));
  changes_.wrote |= !jobs.empty();
  return jobs;
}

absl::StatusOr<std::optional<std::string>> LogTransaction::OtherOwner(int64_t job_id) {
  return FromStorage(log_.OtherOwner(job_id));
}

namespace {

constexpr Duration kLogEvery = std::chrono::seconds(10);
constexpr Duration kFirstPause = std::chrono::milliseconds(50);
constexpr Duration kLongestPause = std::chrono::seconds(1);
constexpr int64_t kMostDoublings = 10;
/// An outage ends when no batch has failed for this time. Workers call at least every 10 s.
constexpr Duration kOver = std::chrono::seconds(15);
/// The longest time between two batches. No deadline is known for the silence of a worker.
constexpr Duration kMaxIdle = std::chrono::seconds(1);
static_assert(kMaxIdle < SuspendAwareClock::kLongestStep, "idling is no pause");

}  // namespace

TimePoint SuspendAwareClock::Now() const {
  MutexLock lock(&mutex_);
  const TimePoint now = clock_.Now();
  const Duration step = now - read_;
  read_ = now;
  if (step > kLongestStep) {
    missed_ += step - kLongestStep;
    unlogged_ += step - kLongestStep;
    // Not each pause is logged, because a slow disk causes one at each commit.
    if (now - logged_ >= kLogEvery) {
      LogWarning("paused", {{"seconds", Seconds(std::exchange(unlogged_, Duration::zero()))},
                            {"effect", "no lease expires because of it"}});
      logged_ = now;
    }
  }
  return now - missed_;
}

void LogOutage::Failed(const absl::Status& why) {
  MutexLock lock(&mutex_);
  last_ = clock_.Now();
  last_failed_ = true;
  ++failures_;
  if (!why_.ok()) return;
  why_ = why;
  first_ = last_;
  LogWarning("the tuning log cannot be written: trying again", {{"why", why.message()}});
}

void LogOutage::Lost(const absl::Status& why) {
  MutexLock lock(&mutex_);
  why_ = why;
  lost_ = true;
}

bool LogOutage::active() const {
  MutexLock lock(&mutex_);
  return !why_.ok();
}

void LogOutage::Succeeded(bool wrote) {
  MutexLock lock(&mutex_);
  last_failed_ = false;
  if (why_.ok() || (!wrote && clock_.Now() - last_ < kOver)) return;
  LogInfo("the tuning log can be written again", {{"attempts_failed", failures_}});
  why_ = absl::OkStatus();
  failures_ = 0;
}

Duration LogOutage::Pause() const {
  MutexLock lock(&mutex_);
  if (!last_failed_) return Duration::zero();
  return std::min(kLongestPause, kFirstPause * (int64_t{1} << std::min(failures_ - 1, kMostDoublings)));
}

absl::Status LogOutage::Status(Duration at_least) const {
  MutexLock lock(&mutex_);
  return lost_ || (!why_.ok() && last_ - first_ >= at_least) ? why_ : absl::OkStatus();
}

absl::Status BatchRunner::Commit() {
  ASSIGN_OR_RETURN(const LogChanges changes, log_.Commit());
  if (changes.wrote && on_commit_) on_commit_(changes);
  return absl::OkStatus();
}

absl::Status BatchRunner::Start() {
  RETURN_IF_ERROR(log_.Begin());
  absl::Status status = coordinator_.Start();
  if (status.ok()) status = Commit();
  if (!status.ok()) {
    log_.Rollback();
    return status;
  }
  coordinator_.FinishBatch(absl::OkStatus());
  return absl::OkStatus();
}

absl::Status BatchRunner::Run(const std::vector<WriteCommand>& batch) {
  const bool was_broken = broken_;
  absl::Status commit = broken_ ? Repair() : absl::OkStatus();
  if (commit.ok()) commit = Apply(batch);
  if (!commit.ok()) {
    const bool lost = absl::IsDataLoss(commit);
    commit = FromStorage(
        Unavailable(absl::StrCat("the write of the tuning log failed",
                                 MayBeStored(commit) ? ": " : ", nothing was changed: ", commit.message())));
    if (lost) commit = MarkLogLost(commit);
  }
  coordinator_.FinishBatch(commit);
  for (const WriteCommand& command : batch) command.finish(commit);
  if (broken_ && !was_broken) Repair().IgnoreError();  // if this fails, the next Run repairs it
  return commit;
}

absl::Status BatchRunner::Apply(const std::vector<WriteCommand>& batch) {
  absl::Status status = log_.Begin();
  for (size_t i = 0; status.ok() && i < batch.size(); ++i) {
    absl::Status applied = batch[i].apply(coordinator_);
    if (IsStorageFailure(applied)) status = applied;
  }
  if (status.ok()) status = coordinator_.Tick();
  if (status.ok()) status = Commit();
  if (status.ok()) return status;
  log_.Rollback();
  broken_ = true;
  return status;
}

absl::Status BatchRunner::Repair() {
  RETURN_IF_ERROR(log_.TryWriting());
  absl::Status status = log_.Begin();
  if (status.ok()) status = coordinator_.Reload();
  if (status.ok()) status = Commit();
  if (!status.ok()) {
    log_.Rollback();
    return status;
  }
  broken_ = false;
  coordinator_.FinishBatch(absl::OkStatus());
  return absl::OkStatus();
}

LogWriter::LogWriter(LogTransaction& log, Coordinator& coordinator, const Clock& clock,
                     std::function<void(const absl::Status& why)> on_log_lost, BatchRunner::OnCommit on_commit)
    : coordinator_(coordinator),
      clock_(clock),
      on_log_lost_(std::move(on_log_lost)),
      outage_(clock),
      runner_(log, coordinator, std::move(on_commit)) {}

LogWriter::~LogWriter() { Stop(); }

absl::Status LogWriter::Start() {
  RETURN_IF_ERROR(runner_.Start());
  thread_ = std::thread([this] { Run(); });
  return absl::OkStatus();
}

absl::Status LogWriter::Submit(WriteCommand command) { return Enqueue(std::move(command), kMaxQueue); }

absl::Status LogWriter::SubmitInternal(WriteCommand command) { return Enqueue(std::move(command), SIZE_MAX); }

absl::Status LogWriter::Enqueue(WriteCommand command, size_t limit) {
  MutexLock lock(&mutex_);
  if (stopping_) {
    const absl::Status lost = outage_.Status(Duration::max());
    return lost.ok() ? Unavailable("the server is shutting down") : lost;
  }
  if (queue_.size() >= limit) return Overloaded();
  queue_.push_back(std::move(command));
  return absl::OkStatus();
}

size_t LogWriter::queued() const {
  MutexLock lock(&mutex_);
  return queue_.size();
}

void LogWriter::Stop() {
  {
    MutexLock lock(&mutex_);
    stopping_ = true;
  }
  if (thread_.joinable()) thread_.join();
}

std::vector<WriteCommand> LogWriter::NextBatch() {
  Duration idle = runner_.broken() ? Duration::zero() : kMaxIdle;
  if (!runner_.broken()) {
    if (auto next = coordinator_.NextDeadline()) idle = std::clamp(*next - clock_.Now(), Duration::zero(), kMaxIdle);
  }
  MutexLock lock(&mutex_);
  mutex_.AwaitFor(outage_.Pause(), [this]() ABSL_SHARED_LOCKS_REQUIRED(mutex_) { return stopping_; });
  auto ready = [this]() ABSL_SHARED_LOCKS_REQUIRED(mutex_) { return stopping_ || !queue_.empty(); };
  mutex_.AwaitFor(idle, ready);
  std::vector<WriteCommand> batch;
  while (!queue_.empty() && batch.size() < kMaxBatch) {
    batch.push_back(std::move(queue_.front()));
    queue_.pop_front();
  }
  return batch;
}

void LogWriter::Run() {
  while (true) {
    const std::vector<WriteCommand> batch = NextBatch();
    if (batch.empty()) {
      MutexLock lock(&mutex_);
      if (stopping_ && queue_.empty()) return;
    }
    if (absl::Status commit = runner_.Run(batch); commit.ok()) {
      outage_.Succeeded(outage_.active() && runner_.TryWriting());
    } else if (IsLogLost(commit)) {
      return EndWithLog(commit);
    } else {
      outage_.Failed(commit);
    }
  }
}

void LogWriter::EndWithLog(const absl::Status& why) {
  outage_.Lost(why);
  std::deque<WriteCommand> left;
  {
    MutexLock lock(&mutex_);
    stopping_ = true;
    left.swap(queue_);
  }
  for (const WriteCommand& command : left) command.finish(why);
  if (on_log_lost_) on_log_lost_(why);
}

}  // namespace mmtune
