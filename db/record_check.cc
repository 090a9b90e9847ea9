// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "db/record_check.h"

#include <cmath>
#include <utility>

#include "absl/strings/str_cat.h"
#include "db/ranking.h"
#include "db/record_rows.h"
#include "proto/base/digest.h"
#include "proto/base/status.h"
#include "proto/types/measurement.h"
#include "proto/types/validate.h"

namespace mmtune {
namespace {

/// Longer texts would take too long to try; those of candidates and problems are short.
constexpr size_t kMostBytes = 4096;

/// Relative: times and rates are doubles.
constexpr double kRounding = 1e-9;

/// The columns that CheckRow reads, which follow those of RecordRows::Select.
constexpr char kCheckedColumns[] = ", r.gflops, r.verified, r.reference, r.ratio ";
constexpr int kCheckedCount = 4;

/// Returns the value of the column `verified`: NULL where no verification was performed.
std::optional<bool> VerifiedColumn(const VerificationReport& verification) {
  return verification.performed ? std::optional(verification.passed) : std::nullopt;
}

/// Returns OK if the record is whole, and the columns that repeat parts of it agree with it.
absl::Status CheckRow(RecordRows& rows, const Statement& row) {
  const int gflops = row.Columns() - kCheckedCount, verified = gflops + 1, reference = verified + 1,
            ratio = reference + 1;
  ASSIGN_OR_RETURN(const TuningRecord record, rows.Read(row));
  RETURN_IF_ERROR(Validate(record));
  const bool ok = record.measurement.outcome == Outcome::kOk;
  if (ok && std::abs(row.Real(gflops) - record.Gflops()) > kRounding * record.Gflops())
    return FailedPrecondition("its column gflops does not match its time");
  const std::optional<bool> is_verified = VerifiedColumn(record.measurement.verification);
  if (row.View(verified) != (is_verified ? *is_verified ? "1" : "0" : ""))
    return FailedPrecondition("its column verified does not match its verification");
  const ComparisonColumns compared(record);
  if (row.View(reference) != compared.reference || row.Real(ratio) != compared.ratio.value_or(0))
    return FailedPrecondition("its columns reference and ratio do not match the comparison in its conditions");
  return absl::OkStatus();
}

}  // namespace

std::optional<DigestedText> RepairByte(std::string_view text, std::string_view digest) {
  const std::string now = Sha256Hex(text);
  int others = digest.size() == now.size() ? 0 : 2;
  for (size_t i = 0; i < now.size() && others < 2; ++i) others += now[i] != digest[i];
  if (others < 2) return DigestedText{std::string(text), now};
  std::string tried(text);
  for (size_t at = 0; at < tried.size() && tried.size() <= kMostBytes; ++at) {
    for (int byte = 0; byte < 256; ++byte) {
      tried[at] = static_cast<char>(byte);
      if (Sha256Hex(tried) == digest) return DigestedText{tried, std::string(digest)};
    }
    tried[at] = text[at];
  }
  return std::nullopt;
}

absl::StatusOr<std::optional<DigestedText>> FirstIntact(Database& database, std::string_view select, int64_t id) {
  ASSIGN_OR_RETURN(Statement statement, database.Prepare(select));
  statement.Bind(1, id);
  while (true) {
    ASSIGN_OR_RETURN(const bool row, statement.Step());
    if (!row) return std::nullopt;
    if (Sha256Hex(statement.View(0)) == statement.View(1)) return DigestedText{statement.Text(0), statement.Text(1)};
  }
}

absl::StatusOr<std::vector<DamagedRecord>> FindDamage(Database& database, std::optional<int64_t> only,
                                                      int64_t* records) {
  RecordRows rows;
  const std::string columns(RecordRows::Select(), 0, RecordRows::Select().size() - RecordRows::From().size());
  ASSIGN_OR_RETURN(Statement statement, database.Prepare(absl::StrCat(columns, kCheckedColumns, RecordRows::From(),
                                                                      only ? "WHERE r.id = ?1" : "ORDER BY r.id")));
  if (only) statement.Bind(1, *only);
  std::vector<DamagedRecord> damaged;
  while (true) {
    ASSIGN_OR_RETURN(bool row, statement.Step());
    if (!row) return damaged;
    ++*records;
    const absl::Status status = CheckRow(rows, statement);
    if (!status.ok()) damaged.push_back(RecordRows::Damaged(statement, status));
  }
}

namespace {

/// Finds the text of the record's schedule, from elsewhere in the log or by mending a byte.
absl::StatusOr<std::optional<std::string>> FindSchedule(Database& database, int64_t id) {
  ASSIGN_OR_RETURN(
      std::optional<DigestedText> whole,
      FirstIntact(database,
                  "SELECT o.schedule, o.schedule_digest FROM measurement AS r JOIN candidate AS o "
                  "ON o.id = r.candidate_id WHERE r.id = ?1 UNION ALL SELECT o.schedule, o.schedule_digest "
                  "FROM measurement AS r JOIN measurement AS o ON o.workload_id = r.workload_id AND "
                  "o.schedule_digest = r.schedule_digest WHERE r.id = ?1 AND o.id <> r.id",
                  id));
  if (!whole) {
    ASSIGN_OR_RETURN(Statement own,
                     database.Prepare("SELECT schedule, schedule_digest FROM measurement WHERE id = ?1"));
    ASSIGN_OR_RETURN(bool row, own.BindAll(id).Step());
    if (row) whole = RepairByte(own.View(0), own.View(1));
  }
  return whole ? std::optional(std::move(whole->text)) : std::nullopt;
}

/// Writes the columns that follow from the record. Returns false if it cannot be read, or is still damaged.
absl::StatusOr<bool> RestoreColumns(Database& database, int64_t id) {
  {
    RecordRows rows;
    ASSIGN_OR_RETURN(Statement select, database.Prepare(absl::StrCat(RecordRows::Select(), "WHERE r.id = ?1")));
    ASSIGN_OR_RETURN(const bool row, select.BindAll(id).Step());
    const absl::StatusOr<TuningRecord> record = row ? rows.Read(select) : NotFound("the record was removed");
    if (!record.ok() || record->measurement.outcome != Outcome::kOk) return false;
    const ComparisonColumns compared(*record);
    RETURN_IF_ERROR(database.Run(
        "UPDATE measurement SET gflops = ?2, verified = ?3, reference = ?4, ratio = ?5 WHERE id = ?1", id,
        record->Gflops(), VerifiedColumn(record->measurement.verification), compared.reference, compared.ratio));
  }
  int64_t records = 0;
  ASSIGN_OR_RETURN(const std::vector<DamagedRecord> left, FindDamage(database, id, &records));
  return left.empty();
}

}  // namespace

absl::StatusOr<bool> RestoreRecord(Database& database, int64_t id) {
  ASSIGN_OR_RETURN(const bool restored, RestoreColumns(database, id));
  if (restored) return true;
  ASSIGN_OR_RETURN(std::optional<std::string> schedule, FindSchedule(database, id));
  if (!schedule) return false;
  RETURN_IF_ERROR(database.Run("UPDATE measurement SET schedule = ?2, schedule_digest = ?3 WHERE id = ?1", id,
                               *schedule, Sha256Hex(*schedule)));
  int64_t records = 0;
  ASSIGN_OR_RETURN(std::vector<DamagedRecord> left, FindDamage(database, id, &records));
  return left.empty();
}

}  // namespace mmtune
