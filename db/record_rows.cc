// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "db/record_rows.h"

#include <bit>
#include <cstring>
#include <utility>

#include "absl/strings/str_cat.h"
#include "db/measurement_columns.h"
#include "proto/base/digest.h"
#include "proto/base/status.h"
#include "proto/json/json_reader.h"
#include "proto/types/fields.h"
#include "proto/types/validate.h"

namespace mmtune {
namespace {

static_assert(std::endian::native == std::endian::little, "samples are stored as the machine holds them");

/// Columns of other tables and the flag of the row; those of MeasurementColumns() follow.
constexpr char kSharedColumns[] = "w.id, w.problem, w.digest, d.id, d.info, t.id, t.info";
constexpr char kScheduleColumns[] = "r.schedule, r.schedule_digest";
constexpr char kJoins[] =
    " AS r JOIN workload AS w ON w.id = r.workload_id JOIN device AS d ON d.id = r.device_id "
    "JOIN toolchain AS t ON t.id = r.toolchain_id ";
enum OwnColumn {
  kId,
  kWorkloadId,
  kProblem,
  kProblemDigest,
  kDeviceId,
  kDeviceInfo,
  kToolchainId,
  kToolchainInfo,
  kCanonical,
  kSchedule,
  kScheduleDigest,
  kFirstOther,  // in RecordRows::Select: uuid, the first of MeasurementColumns
};

/// Refuses a text that was edited: it is not what was measured and verified.
absl::Status CheckDigest(std::string_view what, std::string_view text, std::string_view digest) {
  if (Sha256Hex(text) == digest) return absl::OkStatus();
  return FailedPrecondition(
      absl::StrCat("its ", ToAbsl(what), "'s digest does not match its text: one of them was changed"));
}

/// More values than these are not kept: a log may have a problem for every record.
constexpr size_t kMostKnown = 4096;

template <typename T>
absl::StatusOr<T> ReadOnce(std::unordered_map<int64_t, T>& known, int64_t id, std::string_view json) {
  auto it = known.find(id);
  if (it == known.end()) {
    ASSIGN_OR_RETURN(T value, ParseColumn<T>(json));
    if (known.size() >= kMostKnown) known.clear();
    it = known.emplace(id, std::move(value)).first;
  }
  return it->second;
}

/// Reads the columns of MeasurementColumns from `column` on.
struct ColumnReader {
  const Statement& row;
  int column;
  absl::Status& status;

  template <typename T>
  void operator()(const char*, T& field) {
    Read(column++, field);
  }
  template <typename T>
  void operator()(const char*, T& field, const OmitIf<T>& empty) {
    field = empty.value;
    if (!row.View(column).empty()) Read(column, field);
    ++column;
  }

  void Read(int at, int64_t& field) { field = row.Int(at); }
  void Read(int at, double& field) { field = row.Real(at); }
  void Read(int at, std::string& field) { field = row.Text(at); }
  void Read(int at, std::vector<double>& field) { field = UnpackSamples(row.View(at)); }
  void Read(int at, Schedule& field) { Take(ParseSchedule(row.View(at)), field); }
  template <HasTextForm T>
  void Read(int at, T& field) {
    Take(TextForm<T>::Read(row.View(at)), field);
  }
  template <HasFields T>
  void Read(int at, T& field) {
    Take(ParseColumn<T>(row.View(at)), field);
  }
  template <typename T>
  void Take(absl::StatusOr<T> value, T& field) {
    value.ok() ? void(field = *std::move(value)) : status.Update(value.status());
  }
};

std::string SelectText() {
  std::string columns = absl::StrCat("r.id, ", kSharedColumns, ", r.canonical, ", kScheduleColumns);
  const TuningRecord record;
  MeasurementColumns(record, [&](const char* column, auto&&...) { absl::StrAppend(&columns, ", r.", column); });
  return absl::StrCat("SELECT ", columns, RecordRows::From());
}

}  // namespace

const std::string& RecordRows::From() {
  static const std::string* const from = new std::string(absl::StrCat(" FROM measurement", kJoins));
  return *from;
}

const std::string& RecordRows::Select() {
  static const std::string* const select = new std::string(SelectText());
  return *select;
}

template <typename T>
absl::Status RecordRows::ReadShared(const Statement& row, T* value) {
  RETURN_IF_ERROR(CheckDigest("schedule", row.View(kSchedule), row.View(kScheduleDigest)));
  if (!problems_.contains(row.Int(kWorkloadId))) {
    RETURN_IF_ERROR(CheckDigest("problem", row.View(kProblem), row.View(kProblemDigest)));
  }
  ASSIGN_OR_RETURN(value->problem, ReadOnce(problems_, row.Int(kWorkloadId), row.View(kProblem)));
  ASSIGN_OR_RETURN(value->device, ReadOnce(devices_, row.Int(kDeviceId), row.View(kDeviceInfo)));
  ASSIGN_OR_RETURN(value->toolchain, ReadOnce(toolchains_, row.Int(kToolchainId), row.View(kToolchainInfo)));
  return absl::OkStatus();
}

const std::string& RecordRows::SelectBest() {
  static const std::string* const select =
      new std::string(absl::StrCat("SELECT r.measurement_id, ", kSharedColumns, ", 1, ", kScheduleColumns,
                                   ", r.regime, r.code_digest, r.verified FROM best", kJoins, "WHERE r.rowid = ?1"));
  return *select;
}

absl::StatusOr<BestSchedule> RecordRows::ReadBest(const Statement& row) {
  BestSchedule best;
  RETURN_IF_ERROR(ReadShared(row, &best.entry));
  ASSIGN_OR_RETURN(best.entry.schedule, ParseSchedule(row.View(kSchedule)));
  best.regime = row.Text(kFirstOther);
  best.entry.code_digest = row.Text(kFirstOther + 1);
  best.entry.verified = row.Int(kFirstOther + 2) != 0;
  return best;
}

absl::StatusOr<TuningRecord> RecordRows::Read(const Statement& row) {
  TuningRecord record;
  absl::Status status;
  record.id = row.Int(kId);
  MeasurementColumns(record, ColumnReader{row, kFirstOther, status});
  RETURN_IF_ERROR(status);
  RETURN_IF_ERROR(ReadShared(row, &record));
  record.canonical = row.Int(kCanonical) != 0;
  MarkSuspectIfInvalid(&record);
  return record;
}

DamagedRecord RecordRows::Damaged(const Statement& row, const absl::Status& why) {
  return {row.Int(kId), row.Text(kFirstOther), std::string(why.message())};
}

void RecordRows::Forget() {
  problems_.clear();
  devices_.clear();
  toolchains_.clear();
}

std::string PackSamples(const std::vector<double>& samples) {
  std::string bytes(samples.size() * sizeof(double), '\0');
  if (!samples.empty()) memcpy(bytes.data(), samples.data(), bytes.size());
  return bytes;
}

std::vector<double> UnpackSamples(std::string_view bytes) {
  std::vector<double> samples(bytes.size() / sizeof(double));
  if (!samples.empty()) memcpy(samples.data(), bytes.data(), samples.size() * sizeof(double));
  return samples;
}

}  // namespace mmtune
