// Records into rows.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "db/sqlite/database.h"
#include "db/tuning_log.h"

namespace mmtune {

/// Writes within the transaction its caller has open. Does not own the database.
class RecordStore {
 public:
  explicit RecordStore(Database* database) : database_(database) {}

  /// The id of the problem's row, inserted when new.
  absl::StatusOr<int64_t> InternWorkload(const MatmulProblem& problem);
  /// As TuningLog::InsertRecord.
  absl::StatusOr<InsertedRecord> Insert(std::string_view token, const TuningRecord& record);

 private:
  /// Whose record it is; empty for an import.
  struct Owner {
    std::optional<int64_t> candidate_id;
    std::optional<int64_t> attempt_id;
  };
  struct Interned {
    int64_t workload_id;
    int64_t device_id;
    int64_t toolchain_id;
  };

  absl::StatusOr<int64_t> InternDevice(const DeviceInfo& device);
  absl::StatusOr<int64_t> InternToolchain(const Toolchain& toolchain);
  absl::StatusOr<std::optional<InsertedRecord>> FindWritten(std::string_view token, const std::string& uuid);
  absl::StatusOr<Owner> FindOwner(std::string_view token, const TuningRecord& record);
  absl::StatusOr<bool> HasCanonical(int64_t candidate_id);
  absl::Status InsertRow(const Owner& owner, const Interned& interned, const TuningRecord& record, bool canonical);

  Database* database_;
};

}  // namespace mmtune
