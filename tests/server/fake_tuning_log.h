// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A tuning log in memory, for tests and simulations. It passes the same conformance tests as the real log (tests/db),
// and can be made to fail.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "db/tuning_log.h"
#include "proto/base/clock.h"

namespace mmtune {

/// The committed contents of the log, which survive restarts of the coordinator.
struct FakeLogStorage {
  struct Attempt {
    AttemptRow row;
    std::optional<int64_t> record_id;
  };
  struct Record {
    TuningRecord record;
    int64_t candidate_id = 0;  ///< 0 for an imported record.
  };
  std::map<int64_t, JobRow> jobs;
  std::map<int64_t, CandidateRow> candidates;
  std::map<std::string, Attempt, std::less<>> attempts;
  std::map<int64_t, Record> records;
  std::vector<WorkerNote> notes;
  std::set<int64_t> elsewhere;  ///< The jobs of another coordinator of the log, which is at other_address.
  std::string other_address = "other:7077";
  /// A coordinator that may write, of several (simulated_database.h), and the owner of a job.
  struct Writer {
    TimePoint deadline{};
  };
  struct Owner {
    int64_t writer = 0;
    int64_t epoch = 0;
    bool operator==(const Owner&) const = default;
  };
  std::map<int64_t, Writer> writers;
  std::map<int64_t, Owner> owners;  ///< By job.
};

/// The log. It is the only writer of its storage, unless a subclass changes that (simulated_database.h). Not
/// thread-safe, except SetFull and loads.
class FakeTuningLog : public TuningLog {
 public:
  /// `storage` must outlive the log. Destroying the log drops what was not committed.
  explicit FakeTuningLog(FakeLogStorage& storage) : storage_(storage), state_(storage) {}

  /// Makes the n-th call from now fail, where 1 is the next call, and all later ones until Rollback. With `once` only
  /// that call fails, like a page that cannot be read for a moment. With 0 no call fails.
  void FailAfter(int n, bool once = false) {
    fail_in_ = n;
    fail_once_ = once;
  }
  /// Makes all commits fail while `full` is true, like a full disk. Reads still work.
  void SetFull(bool full) { full_ = full; }
  /// Returns how many times the unfinished jobs were read.
  int loads() const { return loads_; }
  /// Makes Commit return OK and store nothing from now on, to show that tests notice it.
  void DropCommits() { drops_commits_ = true; }

  absl::StatusOr<std::vector<TuningRecord>> Query(const RecordFilter& filter, int64_t after_id, int limit) override;
  absl::StatusOr<std::vector<TuningRecord>> Newest(const RecordFilter& filter, int64_t before_id, int limit) override;
  absl::Status ForEachBrief(const RecordFilter& filter,
                            const std::function<void(const RecordBrief& brief)>& visit) override;
  absl::StatusOr<std::vector<TuningRecord>> GetAll(const std::vector<int64_t>& ids) override;
  absl::StatusOr<std::vector<RankedRecord>> BestOfEach(const RecordFilter& filter, int each) override;
  absl::StatusOr<std::vector<RankedRecord>> Best(const RecordFilter& filter, int limit) override;
  absl::StatusOr<TuningRecord> Get(std::string_view id_or_uuid) override;
  absl::StatusOr<std::optional<TuningRecord>> Find(const MatmulProblem& problem, const Schedule& schedule,
                                                   const DeviceInfo& device, const Toolchain& toolchain,
                                                   Regime regime) override;
  absl::StatusOr<std::optional<TuningRecord>> FindMeasured(std::string_view timing_key) override;
  absl::StatusOr<std::vector<TimedSource>> TimedSources(const TimesFilter& filter) override;
  absl::StatusOr<std::vector<MeasuredTime>> TimesOf(const MatmulProblem& problem, const DeviceInfo& device,
                                                    const TimesFilter& filter, int most) override;
  absl::StatusOr<std::vector<JobRow>> UnfinishedJobs() override;
  absl::StatusOr<std::optional<JobRow>> FindJob(std::string_view uuid) override;
  absl::StatusOr<std::optional<JobRow>> FindJobById(int64_t id) override;
  absl::StatusOr<std::optional<JobRow>> FindJobByRequest(std::string_view client_request_id) override;
  absl::StatusOr<std::vector<CandidateRow>> Candidates(int64_t job_id) override;
  absl::StatusOr<std::optional<CandidateRow>> FindCandidate(int64_t candidate_id) override;
  absl::StatusOr<std::vector<AttemptRow>> LiveAttempts() override;
  absl::StatusOr<std::optional<AttemptRow>> FindAttempt(std::string_view token) override;

  absl::Status Begin() override;
  absl::Status Commit() override;
  void Rollback() override;
  absl::Status TryWriting() override;
  absl::StatusOr<int64_t> InsertJob(const JobRow& job) override;
  absl::Status SetJobState(int64_t job_id, JobState state, std::string_view message) override;
  absl::StatusOr<int64_t> InsertCandidate(int64_t job_id, const Schedule& schedule) override;
  absl::Status SetCandidateState(int64_t candidate_id, CandidateState state) override;
  absl::Status InsertAttempt(const AttemptRow& attempt) override;
  absl::Status EndAttempt(std::string_view token, AttemptState state, std::string_view detail) override;
  absl::StatusOr<InsertedRecord> InsertRecord(std::string_view token, const TuningRecord& record) override;
  absl::StatusOr<InsertedRecord> ImportRecord(const TuningRecord& record, const RecordColumns&) override {
    return InsertRecord("", record);
  }
  absl::StatusOr<std::vector<InsertedRecord>> ImportRecords(const std::vector<TuningRecord>& records,
                                                            const std::vector<RecordColumns>&) override;
  absl::Status AddWorkerNote(const WorkerNote& note) override;
  absl::StatusOr<std::vector<WorkerNote>> WorkerNotes() override;
  absl::StatusOr<std::vector<JobRow>> TakeOverJobs() override;
  absl::StatusOr<std::optional<std::string>> OtherOwner(int64_t job_id) override;
  /// Makes the other coordinator go, so that its jobs can be taken over.
  void EndOther() { state_.other_address = storage_.other_address = ""; }
  const std::string& path() const override { return path_; }

 protected:
  FakeLogStorage& storage_;
  FakeLogStorage state_;  ///< The storage with the changes of the open transaction.

 private:
  template <typename T>
  absl::StatusOr<std::optional<JobRow>> FindJobBy(T JobRow::* member, const T& value);
  absl::Status Call();
  /// Stores the changes of a call at once if no transaction is open.
  void Stored();
  absl::StatusOr<InsertedRecord> Store(TuningRecord record, int64_t candidate_id);

  bool in_group_ = false;
  bool failed_ = false;
  int fail_in_ = 0;
  bool fail_once_ = false;
  bool drops_commits_ = false;
  std::atomic<bool> full_ = false;
  std::atomic<int> loads_ = 0;
  std::string path_ = "fake.log";
};

}  // namespace mmtune
