// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "db/record_rows.h"

#include <bit>
#include <cstring>
#include <utility>

#include "absl/strings/str_cat.h"
#include "proto/base/digest.h"
#include "proto/base/status.h"
#include "proto/json/json_reader.h"
#include "proto/types/fields.h"
#include "proto/types/validate.h"

namespace mmtune {
namespace {

static_assert(std::endian::native == std::endian::little, "samples are stored as the machine holds them");

/// Calls visit(column, field), or visit(column, field, Unless{…}) where the column is empty for that value. A text, a
/// number or a TextForm is a value of SQL; samples are a blob of little-endian binary64; anything else is JSON. Columns
/// that refer to other tables, or that follow from the fields, are not among them.
template <typename Record, typename Visitor>
void MeasurementColumns(Record& record, Visitor&& visit) {
  auto& measurement = record.measurement;
  auto& timing = measurement.timing;
  visit("uuid", record.uuid);
  visit("job_uuid", record.job_uuid);
  visit("unix_millis", record.unix_millis);
  visit("outcome", measurement.outcome);
  visit("median_ns", timing.median_ns);
  visit("low_ns", timing.low_ns);
  visit("high_ns", timing.high_ns);
  visit("regime", timing.regime);
  visit("clock", timing.clock);
  KernelResources::Fields(measurement.resources, visit);
  visit("worker", record.worker);
  visit("attempt", record.attempt);
  visit("code_digest", measurement.code_digest);
  visit("message", measurement.message);
  visit("schedule", record.schedule);
  visit("check_report", measurement.check);
  visit("phases", measurement.phases);
  visit("samples_ns", timing.samples_ns);
  visit("verification", measurement.verification, Unless{VerificationReport()});
  visit("conditions", measurement.conditions, Unless{Conditions()});
  visit("timing_key", measurement.timing_key);
}

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
  void operator()(const char*, T& field, const Unless<T>& empty) {
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

/// Columns that are not fields of a record; bound first, in this order.
constexpr const char* kInsertedColumns[] = {"workload_id", "device_id", "toolchain_id", "canonical", "schedule_digest",
                                            "gflops",      "verified",  "reference",    "ratio"};

/// Returns the INSERT of a record. Its first parameters are kInsertedColumns, then those of MeasurementColumns(). If
/// the record belongs to an attempt, the token of the attempt and the uuid of the job follow. Then nothing is inserted
/// if the attempt is not there or has a record, if its candidate has another schedule, job or problem than the record,
/// or has a canonical record already.
std::string InsertText(bool of_attempt) {
  std::string columns = "candidate_id, attempt_id", values = of_attempt ? "c.id, a.id" : "NULL, NULL";
  int parameter = 0;
  auto add = [&](const char* column) {
    absl::StrAppend(&columns, ", ", column);
    absl::StrAppend(&values, ", ?", ++parameter);
  };
  for (const char* column : kInsertedColumns) add(column);
  const TuningRecord record;
  MeasurementColumns(record, [&](const char* column, auto&&...) { add(column); });
  const std::string into = absl::StrCat("INSERT INTO measurement (", columns, ") ");
  if (!of_attempt) return absl::StrCat(into, "VALUES (", values, ") ON CONFLICT (uuid) DO NOTHING");
  return absl::StrCat(into, "SELECT ", values,
                      " FROM attempt AS a JOIN candidate AS c ON c.id = a.candidate_id JOIN job AS j ON j.id = "
                      "c.job_id WHERE j.workload_id = ?1 AND c.schedule_digest = ?5 AND a.token = ?",
                      parameter + 1, " AND j.uuid = ?", parameter + 2, " ON CONFLICT DO NOTHING");
}

/// True if a field of this type is stored as JSON.
template <typename T>
constexpr bool kIsJson = HasFields<T> || std::is_same_v<T, Schedule>;

/// The JSON columns of a record, in their order.
struct JsonColumnsMaker {
  RecordColumns& columns;

  void operator()(const char*, const Schedule& schedule) {
    columns.json.push_back(schedule.CanonicalJson());
    columns.schedule_digest = Sha256Hex(columns.json.back());
  }
  template <typename T>
  void operator()(const char*, const T& value) {
    if constexpr (kIsJson<T>) columns.json.push_back(JsonText(value));
  }
  template <typename T>
  void operator()(const char*, const T& value, const Unless<T>& empty) {
    columns.json.push_back(value == empty.value ? std::string() : JsonText(value));
  }
};

/// Binds the fields of a record, which must live until the statement has run.
struct ColumnBinder {
  Statement& insert;
  int parameter;
  std::vector<std::string>::const_iterator json;
  const std::string& samples;

  template <typename T, typename... Default>
  void operator()(const char*, const T& value, const Default&...) {
    ++parameter;
    if constexpr (HasTextForm<T>) {
      insert.Bind(parameter, TextForm<T>::Write(value));
    } else if constexpr (kIsJson<T>) {
      insert.Bind(parameter, *json++);
    } else if constexpr (kIsVector<T>) {
      insert.BindBlob(parameter, samples);
    } else {
      insert.Bind(parameter, value);
    }
  }
};

constexpr size_t kRecent = 8;

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

RecordColumns MakeColumns(const TuningRecord& record) {
  RecordColumns columns;
  MeasurementColumns(record, JsonColumnsMaker{columns});
  return columns;
}

void RecordStore::Forget() {
  problems_.clear();
  devices_.clear();
  toolchains_.clear();
  added_.clear();
  ranked_.clear();
}

std::vector<int64_t> RecordStore::TakeAdded() {
  ranked_.clear();
  return std::exchange(added_, {});
}

absl::StatusOr<std::vector<RankingKey>> RecordStore::TakeRanked() {
  std::vector<RankingKey> keys(ranked_.begin(), ranked_.end());
  added_.clear();
  ranked_.clear();
  for (RankingKey& key : keys) {
    ASSIGN_OR_RETURN(const std::optional<int64_t> class_id,
                     database_->FirstId("SELECT class_id FROM device_class WHERE device_id = ?1", key.group.class_id));
    if (class_id) key.group.class_id = *class_id;
  }
  return keys;
}

template <typename T>
std::optional<int64_t> RecordStore::Known(const Recent<T>& recent, const T& value) {
  for (const auto& [known, id] : recent) {
    if (known == value) return id;
  }
  return std::nullopt;
}

template <typename T, typename Add>
absl::StatusOr<int64_t> RecordStore::Intern(Recent<T>& recent, const T& value, const std::string& table, Add add) {
  if (const std::optional<int64_t> known = Known(recent, value)) return *known;
  const std::string json = JsonText(value);
  const std::string digest = Sha256Hex(json);
  const std::string select = absl::StrCat("SELECT id FROM ", table, " WHERE digest = ?1");
  ASSIGN_OR_RETURN(std::optional<int64_t> id, database_->FirstId(select, digest));
  if (!id) {
    // Another coordinator may be adding the row. Of two devices of one class both must know which is the first.
    RETURN_IF_ERROR(database_->LockNewRows());
    ASSIGN_OR_RETURN(id, database_->FirstId(select, digest));
  }
  if (!id) {
    ASSIGN_OR_RETURN(id, add(digest, json));
    if (!id) return Internal(absl::StrCat(database_->path(), ": a row of ", table, " was not inserted"));
  }
  if (recent.size() >= kRecent) recent.erase(recent.begin());
  recent.emplace_back(value, *id);
  return *id;
}

absl::StatusOr<int64_t> RecordStore::InternWorkload(const MatmulProblem& problem) {
  return Intern(problems_, problem, "workload", [&](const std::string& digest, const std::string& json) {
    return database_->Insert(
        "INSERT INTO workload (digest, op, m, n, k, dtype, problem) VALUES (?1, 'matmul', ?2, ?3, ?4, ?5, ?6)", digest,
        problem.m, problem.n, problem.k, DataTypeName(problem.dtype), json);
  });
}

absl::StatusOr<int64_t> RecordStore::InternDevice(const DeviceInfo& device) {
  return Intern(devices_, device, "device", [&](const std::string& digest, const std::string& json) {
    return database_->Insert(
        "INSERT INTO device (digest, class_key, kind, name, arch, info) VALUES (?1, ?2, ?3, ?4, ?5, ?6)", digest,
        device.ClassKey(), DeviceKindName(device.kind), device.name, device.arch, json);
  });
}

absl::StatusOr<int64_t> RecordStore::InternToolchain(const Toolchain& toolchain) {
  return Intern(toolchains_, toolchain, "toolchain", [&](const std::string& digest, const std::string& json) {
    return database_->Insert("INSERT INTO toolchain (digest, info) VALUES (?1, ?2)", digest, json);
  });
}

absl::StatusOr<std::optional<InsertedRecord>> RecordStore::FindWritten(const std::string& uuid) {
  ASSIGN_OR_RETURN(Statement select, database_->Prepare("SELECT id, canonical FROM measurement WHERE uuid = ?1"));
  select.Bind(1, uuid);
  ASSIGN_OR_RETURN(bool row, select.Step());
  if (!row) return std::nullopt;
  return InsertedRecord{select.Int(0), select.Int(1) != 0, /*duplicate=*/true};
}

absl::StatusOr<RecordStore::Owner> RecordStore::FindOwner(std::string_view token, const TuningRecord& record,
                                                          std::string_view schedule_digest) {
  ASSIGN_OR_RETURN(Statement select,
                   database_->Prepare("SELECT m.id, m.canonical, c.id, c.schedule_digest, j.uuid, w.digest, "
                                      "EXISTS (SELECT 1 FROM measurement WHERE candidate_id = c.id AND canonical = 1) "
                                      "FROM attempt AS a JOIN candidate AS c ON c.id = a.candidate_id "
                                      "LEFT JOIN job AS j ON j.id = c.job_id "
                                      "LEFT JOIN workload AS w ON w.id = j.workload_id "
                                      "LEFT JOIN measurement AS m ON m.attempt_id = a.id WHERE a.token = ?1"));
  select.Bind(1, token);
  ASSIGN_OR_RETURN(bool row, select.Step());
  if (!row) return NotFound("no attempt with this token in this log");
  if (select.Int(0) != 0) {
    return Owner{.written = InsertedRecord{select.Int(0), select.Int(1) != 0, /*duplicate=*/true}};
  }
  auto mismatch = [&](std::string_view what) {
    return InvalidArgument(absl::StrCat("record ", record.uuid, " is not stored: its ", ToAbsl(what),
                                        " is not that of candidate ", select.Int(2), ", for which worker '",
                                        record.worker, "' reported it; report this as a bug of mmtune"));
  };
  if (select.View(3) != schedule_digest) return mismatch("schedule");
  if (select.View(4) != record.job_uuid) return mismatch("job");
  if (select.View(5) != record.problem.Digest()) return mismatch("problem");
  return Owner{.has_canonical = select.Int(6) != 0};
}

std::optional<RecordStore::Interned> RecordStore::FindKnown(const TuningRecord& record) const {
  const std::optional<int64_t> workload_id = Known(problems_, record.problem);
  const std::optional<int64_t> device_id = Known(devices_, record.device);
  const std::optional<int64_t> toolchain_id = Known(toolchains_, record.toolchain);
  if (!workload_id || !device_id || !toolchain_id) return std::nullopt;
  return Interned{*workload_id, *device_id, *toolchain_id};
}

absl::StatusOr<RecordStore::Interned> RecordStore::InternAll(const TuningRecord& record) {
  Interned interned;
  ASSIGN_OR_RETURN(interned.workload_id, InternWorkload(record.problem));
  ASSIGN_OR_RETURN(interned.device_id, InternDevice(record.device));
  ASSIGN_OR_RETURN(interned.toolchain_id, InternToolchain(record.toolchain));
  return interned;
}

absl::StatusOr<InsertedRecord> RecordStore::Insert(std::string_view token, const TuningRecord& record,
                                                   const RecordColumns* columns) {
  RETURN_IF_ERROR(Validate(record));
  std::optional<RecordColumns> made;
  if (columns == nullptr) columns = &made.emplace(MakeColumns(record));
  std::optional<Interned> interned = FindKnown(record);
  if (!interned) {
    if (!token.empty()) {  // a record that is refused adds no problem, device or toolchain
      ASSIGN_OR_RETURN(const Owner owner, FindOwner(token, record, columns->schedule_digest));
      if (owner.written) return *owner.written;
    }
    ASSIGN_OR_RETURN(interned, InternAll(record));
  }
  InsertedRecord inserted;
  inserted.canonical = record.canonical;
  ASSIGN_OR_RETURN(std::optional<int64_t> id, InsertRow(token, *interned, record, *columns, inserted.canonical));
  if (!id && !token.empty()) {
    ASSIGN_OR_RETURN(const Owner owner, FindOwner(token, record, columns->schedule_digest));
    if (owner.written) return *owner.written;
    if (owner.has_canonical && std::exchange(inserted.canonical, false)) {
      ASSIGN_OR_RETURN(id, InsertRow(token, *interned, record, *columns, inserted.canonical));
    }
  }
  if (!id) {  // its uuid is there
    ASSIGN_OR_RETURN(std::optional<InsertedRecord> written, FindWritten(record.uuid));
    if (written && token.empty()) return *written;
    return absl::AlreadyExistsError(
        absl::StrCat("record ", record.uuid, " is not stored: the log already has a different record with this uuid"));
  }
  inserted.id = *id;
  if (inserted.canonical && record.measurement.outcome == Outcome::kOk) {
    added_.push_back(*id);
    ranked_.insert(
        {{interned->workload_id, interned->device_id, record.measurement.timing.regime}, interned->toolchain_id});
  }
  return inserted;
}

absl::StatusOr<std::optional<int64_t>> RecordStore::InsertRow(std::string_view token, const Interned& interned,
                                                              const TuningRecord& record, const RecordColumns& columns,
                                                              bool canonical) {
  static const std::string* const import = new std::string(InsertText(/*of_attempt=*/false));
  static const std::string* const report = new std::string(InsertText(/*of_attempt=*/true));
  const Measurement& measurement = record.measurement;
  std::optional<double> gflops;
  std::optional<bool> verified;
  const ComparisonColumns compared(record);
  if (measurement.outcome == Outcome::kOk) gflops = record.Gflops();
  if (measurement.verification.performed) verified = measurement.verification.passed;
  const std::string samples = PackSamples(measurement.timing.samples_ns);
  ASSIGN_OR_RETURN(Statement insert, database_->PrepareInsert(token.empty() ? *import : *report));
  insert.BorrowValues();
  insert.BindAll(interned.workload_id, interned.device_id, interned.toolchain_id, canonical, columns.schedule_digest,
                 gflops, verified, compared.reference, compared.ratio);
  ColumnBinder binder{insert, static_cast<int>(std::size(kInsertedColumns)), columns.json.begin(), samples};
  MeasurementColumns(record, binder);
  if (!token.empty()) {
    insert.Bind(binder.parameter + 1, token);
    insert.Bind(binder.parameter + 2, record.job_uuid);
  }
  return insert.Insert();
}

}  // namespace mmtune
