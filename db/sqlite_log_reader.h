// TuningLogReader over a SQLite connection.
#pragma once

#include <string>
#include <vector>

#include "db/record_rows.h"
#include "db/sqlite/database.h"
#include "db/tuning_log.h"

namespace mmtune {

/// Does not own the database, which it uses from one thread.
class SqliteLogReader : public TuningLogReader {
 public:
  explicit SqliteLogReader(Database* database) : database_(database) {}

  absl::StatusOr<std::vector<TuningRecord>> Query(const RecordFilter& filter, int64_t after_id, int limit) override;
  absl::StatusOr<std::vector<TuningRecord>> Best(const RecordFilter& filter, int limit) override;
  absl::StatusOr<TuningRecord> Get(std::string_view id_or_uuid) override;
  absl::StatusOr<std::optional<TuningRecord>> Find(const MatmulProblem& problem, const Schedule& schedule,
                                                   const DeviceInfo& device, const Toolchain& toolchain,
                                                   Regime regime) override;
  absl::StatusOr<std::optional<TuningRecord>> FindMeasured(std::string_view timing_key) override;
  absl::StatusOr<std::vector<JobRow>> Jobs() override;
  absl::StatusOr<std::vector<CandidateRow>> Candidates(int64_t job_id) override;
  absl::StatusOr<std::vector<AttemptRow>> LiveAttempts() override;
  absl::StatusOr<std::optional<AttemptRow>> FindAttempt(std::string_view token) override;

  /// After a rollback.
  void ForgetRows() { rows_.Forget(); }

 private:
  absl::StatusOr<std::vector<TuningRecord>> BestRows(const RecordFilter& filter, const std::string& without_ids,
                                                     int limit);
  absl::StatusOr<std::optional<TuningRecord>> GetById(int64_t id);
  absl::StatusOr<std::vector<TuningRecord>> GetByPrefix(std::string_view prefix);

  Database* database_;
  RecordRows rows_;
};

}  // namespace mmtune
