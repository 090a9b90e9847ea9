// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/coordinator/log_observer.h"

#include <utility>

#include "proto/base/status.h"

namespace mmtune {
namespace {

class ObservedLog : public TuningLog {
 public:
  ObservedLog(std::unique_ptr<TuningLog> log, std::shared_ptr<LogObserver> observer)
      : log_(std::move(log)), observer_(std::move(observer)) {}

  absl::Status Begin() override {
    Forget();
    return log_->Begin();
  }
  absl::Status Commit() override {
    const TimePoint start = Clock::Real().Now();
    RETURN_IF_ERROR(log_->Commit());
    group_.commit = Clock::Real().Now() - start;
    if (wrote_) observer_->Committed(group_);
    Forget();
    return absl::OkStatus();
  }
  void Rollback() override {
    Forget();
    log_->Rollback();
  }
  absl::Status TryWriting() override { return log_->TryWriting(); }

  absl::StatusOr<int64_t> InsertJob(const JobRow& job) override {
    ASSIGN_OR_RETURN(const int64_t id, log_->InsertJob(job));
    Wrote();
    ++group_.jobs_submitted;
    return id;
  }
  absl::Status SetJobState(int64_t job_id, JobState state, std::string_view message) override {
    RETURN_IF_ERROR(log_->SetJobState(job_id, state, message));
    Wrote();
    if (IsFinal(state)) ++group_.jobs_ended[state];
    return absl::OkStatus();
  }
  absl::StatusOr<int64_t> InsertCandidate(int64_t job_id, const Schedule& schedule) override {
    Wrote();
    return log_->InsertCandidate(job_id, schedule);
  }
  absl::Status SetCandidateState(int64_t candidate_id, CandidateState state) override {
    Wrote();
    return log_->SetCandidateState(candidate_id, state);
  }
  absl::Status InsertAttempt(const AttemptRow& attempt) override {
    Wrote();
    return log_->InsertAttempt(attempt);
  }
  absl::Status EndAttempt(std::string_view token, AttemptState state, std::string_view detail) override {
    RETURN_IF_ERROR(log_->EndAttempt(token, state, detail));
    Wrote();
    ++group_.leases_ended[state];
    return absl::OkStatus();
  }
  absl::StatusOr<InsertedRecord> InsertRecord(std::string_view token, const TuningRecord& record) override {
    ASSIGN_OR_RETURN(const InsertedRecord inserted, log_->InsertRecord(token, record));
    Wrote();
    if (!inserted.duplicate) Note(record, inserted.canonical);
    return inserted;
  }
  absl::StatusOr<InsertedRecord> ImportRecord(const TuningRecord& record, const RecordColumns& columns) override {
    Wrote();
    return log_->ImportRecord(record, columns);
  }
  absl::Status AddWorkerNote(const WorkerNote& note) override {
    Wrote();
    return log_->AddWorkerNote(note);
  }
  absl::StatusOr<std::vector<WorkerNote>> WorkerNotes() override { return log_->WorkerNotes(); }
  const std::string& path() const override { return log_->path(); }

  void OnDamaged(DamageHandler handler) override { log_->OnDamaged(std::move(handler)); }
  absl::StatusOr<std::vector<TuningRecord>> Query(const RecordFilter& filter, int64_t after_id, int limit) override {
    return log_->Query(filter, after_id, limit);
  }
  absl::StatusOr<std::vector<TuningRecord>> Newest(const RecordFilter& filter, int64_t before_id, int limit) override {
    return log_->Newest(filter, before_id, limit);
  }
  absl::Status ForEachBrief(const RecordFilter& filter,
                            const std::function<void(const RecordBrief& brief)>& visit) override {
    return log_->ForEachBrief(filter, visit);
  }
  absl::StatusOr<std::vector<TuningRecord>> GetAll(const std::vector<int64_t>& ids) override {
    return log_->GetAll(ids);
  }
  absl::StatusOr<std::vector<RankedRecord>> BestOfEach(const RecordFilter& filter, int each) override {
    return log_->BestOfEach(filter, each);
  }
  absl::StatusOr<std::vector<RankedRecord>> Best(const RecordFilter& filter, int limit) override {
    return log_->Best(filter, limit);
  }
  absl::StatusOr<TuningRecord> Get(std::string_view id_or_uuid) override { return log_->Get(id_or_uuid); }
  absl::StatusOr<std::optional<TuningRecord>> Find(const MatmulProblem& problem, const Schedule& schedule,
                                                   const DeviceInfo& device, const Toolchain& toolchain,
                                                   Regime regime) override {
    return log_->Find(problem, schedule, device, toolchain, regime);
  }
  absl::StatusOr<std::optional<TuningRecord>> FindMeasured(std::string_view timing_key) override {
    return log_->FindMeasured(timing_key);
  }
  absl::StatusOr<std::vector<TimedSource>> TimedSources(const TimesFilter& filter) override {
    return log_->TimedSources(filter);
  }
  absl::StatusOr<std::vector<PastTime>> TimesOf(const MatmulProblem& problem, const DeviceInfo& device,
                                                const TimesFilter& filter, int most) override {
    return log_->TimesOf(problem, device, filter, most);
  }
  absl::StatusOr<std::vector<JobRow>> UnfinishedJobs() override { return log_->UnfinishedJobs(); }
  absl::StatusOr<std::optional<JobRow>> FindJob(std::string_view uuid) override { return log_->FindJob(uuid); }
  absl::StatusOr<std::optional<JobRow>> FindJobById(int64_t id) override { return log_->FindJobById(id); }
  absl::StatusOr<std::optional<JobRow>> FindJobByRequest(std::string_view client_request_id) override {
    return log_->FindJobByRequest(client_request_id);
  }
  absl::StatusOr<std::vector<CandidateRow>> Candidates(int64_t job_id) override { return log_->Candidates(job_id); }
  absl::StatusOr<std::optional<CandidateRow>> FindCandidate(int64_t candidate_id) override {
    return log_->FindCandidate(candidate_id);
  }
  absl::StatusOr<std::vector<AttemptRow>> LiveAttempts() override { return log_->LiveAttempts(); }
  absl::StatusOr<std::optional<AttemptRow>> FindAttempt(std::string_view token) override {
    return log_->FindAttempt(token);
  }

 private:
  void Wrote() { wrote_ = true; }
  void Forget() {
    wrote_ = false;
    group_ = {};
  }
  void Note(const TuningRecord& record, bool canonical) {
    if (canonical) ++group_.outcomes[record.measurement.outcome];
    const HealthReport& health = record.measurement.conditions.health;
    if (health.source.empty()) return;
    group_.readings.push_back({record.worker, record.device.uuid, record.device.name, health.after});
  }

  const std::unique_ptr<TuningLog> log_;
  const std::shared_ptr<LogObserver> observer_;
  bool wrote_ = false;
  LoggedGroup group_;
};

}  // namespace

std::unique_ptr<TuningLog> ObserveLog(std::unique_ptr<TuningLog> log, std::shared_ptr<LogObserver> observer) {
  return std::make_unique<ObservedLog>(std::move(log), std::move(observer));
}

}  // namespace mmtune
