// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/server/simulated_database.h"

#include <set>

#include "absl/strings/str_cat.h"
#include "proto/base/status.h"

namespace mmtune {
namespace {

using std::chrono::seconds;

constexpr Duration kLease = seconds(15);
constexpr Duration kPatience = seconds(10);

}  // namespace

/// The log as one coordinator has it open.
class SimulatedSession : public FakeTuningLog {
 public:
  explicit SimulatedSession(SimulatedDatabase& database)
      : FakeTuningLog(database.primary_),
        database_(database),
        id_(++database.writers_),
        epoch_(database.epoch_),
        since_(database.clock_.Now()) {
    storage_.writers[id_] = {since_ + kLease};
    TakeOver(storage_);
    Look();
  }

  absl::Status Begin() override {
    if (epoch_ != database_.epoch_) {
      // The first group of a new session fails: rows that are known may be others after a failover.
      epoch_ = database_.epoch_;
      since_ = database_.clock_.Now();
      Look();
      return Unavailable("the connection was lost");
    }
    Look();
    if (database_.options_.fenced && !state_.writers.contains(id_)) {
      return absl::DataLossError("another coordinator took the jobs of this process over");
    }
    RETURN_IF_ERROR(FakeTuningLog::Begin());
    in_transaction_ = true;
    // Without the check, a coordinator that was given up renews nothing, and does not notice.
    if (state_.writers.contains(id_)) state_.writers[id_] = {database_.clock_.Now() + kLease};
    return absl::OkStatus();
  }

  absl::Status Commit() override {
    in_transaction_ = false;
    const int lost = std::exchange(database_.lost_answer_, 0);
    if (lost == 2) Rollback();
    if (lost != 2) RETURN_IF_ERROR(FakeTuningLog::Commit());
    if (lost == 0) {
      Note();
      return absl::OkStatus();
    }
    if (lost == 1) Note();
    epoch_ = -1;  // The connection is lost, too.
    return Unavailable("it is not known whether this group was stored");
  }

  void Rollback() override {
    in_transaction_ = false;
    written_.clear();
    FakeTuningLog::Rollback();
    Look();
  }

  absl::StatusOr<int64_t> InsertJob(const JobRow& job) override {
    ASSIGN_OR_RETURN(const int64_t id, FakeTuningLog::InsertJob(job));
    state_.owners[id] = {id_, 1};
    return id;
  }
  absl::Status SetJobState(int64_t job_id, JobState state, std::string_view message) override {
    written_.insert(job_id);
    return FakeTuningLog::SetJobState(job_id, state, message);
  }
  absl::StatusOr<int64_t> InsertCandidate(int64_t job_id, const Schedule& schedule) override {
    written_.insert(job_id);
    return FakeTuningLog::InsertCandidate(job_id, schedule);
  }
  absl::Status InsertAttempt(const AttemptRow& attempt) override {
    NoteJobOf(attempt.candidate_id);
    return FakeTuningLog::InsertAttempt(attempt);
  }
  absl::Status EndAttempt(std::string_view token, AttemptState state, std::string_view detail) override {
    NoteJobOf(token);
    return FakeTuningLog::EndAttempt(token, state, detail);
  }
  absl::StatusOr<InsertedRecord> InsertRecord(std::string_view token, const TuningRecord& record) override {
    NoteJobOf(token);
    return FakeTuningLog::InsertRecord(token, record);
  }

  absl::StatusOr<std::vector<JobRow>> TakeOverJobs() override {
    std::vector<JobRow> jobs;
    if (database_.clock_.Now() - since_ < kPatience) return jobs;
    for (const int64_t id : TakeOver(state_)) {
      state_.elsewhere.erase(id);
      jobs.push_back(state_.jobs.at(id));
    }
    return jobs;
  }
  absl::StatusOr<std::optional<std::string>> OtherOwner(int64_t job_id) override {
    if (!in_transaction_) Look();
    const auto owner = state_.owners.find(job_id);
    if (owner == state_.owners.end() || owner->second.writer == id_ || IsFinal(state_.jobs.at(job_id).state)) {
      return std::nullopt;
    }
    return state_.writers.contains(owner->second.writer) ? absl::StrCat("writer-", owner->second.writer) : "";
  }

 private:
  /// Reads what is committed.
  void Look() {
    state_ = storage_;
    state_.elsewhere.clear();
    for (const auto& [job, owner] : state_.owners) {
      if (owner.writer != id_) state_.elsewhere.insert(job);
    }
  }
  /// Removes the writers whose deadline has passed, and gives their jobs to this one.
  std::vector<int64_t> TakeOver(FakeLogStorage& log) {
    std::vector<int64_t> taken;
    if (database_.clock_.Now() - since_ >= kPatience) {
      std::erase_if(log.writers, [this](const auto& entry) {
        return entry.first != id_ && entry.second.deadline < database_.clock_.Now();
      });
    }
    for (auto& [job, owner] : log.owners) {
      if (log.writers.contains(owner.writer) || IsFinal(log.jobs.at(job).state)) continue;
      owner = {id_, owner.epoch + 1};
      taken.push_back(job);
    }
    return taken;
  }
  void NoteJobOf(int64_t candidate_id) {
    const auto candidate = state_.candidates.find(candidate_id);
    if (candidate != state_.candidates.end()) written_.insert(candidate->second.job_id);
  }
  void NoteJobOf(std::string_view token) {
    const auto attempt = state_.attempts.find(token);
    if (attempt != state_.attempts.end()) NoteJobOf(attempt->second.row.candidate_id);
  }
  /// Notes what was committed for jobs of others. A late report of a job that has ended is stored by anybody.
  void Note() {
    for (const int64_t job : written_) {
      if (storage_.owners.at(job).writer == id_ || IsFinal(storage_.jobs.at(job).state)) continue;
      database_.foreign_writes_.push_back(absl::StrCat("writer ", id_, " wrote for job ", job));
    }
    written_.clear();
  }

  SimulatedDatabase& database_;
  const int64_t id_;
  int64_t epoch_;
  TimePoint since_;  ///< The begin of the session.
  bool in_transaction_ = false;
  std::set<int64_t> written_;  ///< The jobs for which this transaction wrote.
};

std::unique_ptr<FakeTuningLog> SimulatedDatabase::Open() { return std::make_unique<SimulatedSession>(*this); }

void SimulatedDatabase::FailOver() {
  if (!options_.synchronous) primary_ = standby_;
  EndSessions();
}

}  // namespace mmtune
