// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "db/record_store.h"

#include <iterator>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "db/measurement_columns.h"
#include "db/record_rows.h"
#include "proto/base/digest.h"
#include "proto/base/status.h"
#include "proto/json/json_reader.h"
#include "proto/types/fields.h"
#include "proto/types/validate.h"

namespace mmtune {
namespace {

/// Columns that are not fields of a record; bound first, in this order.
constexpr const char* kInsertedColumns[] = {"workload_id", "device_id", "toolchain_id", "canonical", "schedule_digest",
                                            "gflops",      "verified",  "reference",    "ratio"};

/// Returns the names of the columns that are bound, in their order: kInsertedColumns, then MeasurementColumns().
std::vector<std::string> BoundColumns() {
  std::vector<std::string> columns(std::begin(kInsertedColumns), std::end(kInsertedColumns));
  const TuningRecord record;
  MeasurementColumns(record, [&](const char* column, auto&&...) { columns.emplace_back(column); });
  return columns;
}
size_t Bound() {
  static const size_t columns = BoundColumns().size();
  return columns;
}

/// Returns ", ?first, …", a parameter for each bound column.
std::string Parameters(size_t first) {
  std::string text;
  for (size_t i = 0; i < Bound(); ++i) absl::StrAppend(&text, ", ?", first + i);
  return text;
}

std::string InsertInto() {
  return absl::StrCat("INSERT INTO measurement (candidate_id, attempt_id, ", absl::StrJoin(BoundColumns(), ", "), ") ");
}

/// Returns the INSERT of so many records that belong to no attempt. Records whose uuids are there are left out.
std::string ImportText(size_t records) {
  std::string text = absl::StrCat(InsertInto(), "VALUES ");
  for (size_t i = 0; i < records; ++i) {
    absl::StrAppend(&text, i == 0 ? "" : ", ", "(NULL, NULL", Parameters(1 + i * Bound()), ")");
  }
  return absl::StrCat(text, " ON CONFLICT (uuid) DO NOTHING");
}

/// Returns the INSERT of a record of an attempt. The token of the attempt and the uuid of the job are the parameters
/// after those of the columns. Nothing is inserted if the attempt is not there or has a record, if its candidate has
/// another schedule, job or problem than the record, or has a canonical record already.
std::string ReportText() {
  return absl::StrCat(InsertInto(), "SELECT c.id, a.id", Parameters(1),
                      " FROM attempt AS a JOIN candidate AS c ON c.id = a.candidate_id JOIN job AS j ON j.id = "
                      "c.job_id WHERE j.workload_id = ?1 AND c.schedule_digest = ?5 AND a.token = ?",
                      Bound() + 1, " AND j.uuid = ?", Bound() + 2, " ON CONFLICT DO NOTHING");
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
  void operator()(const char*, const T& value, const OmitIf<T>& empty) {
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

constexpr size_t kRecent = 64;
/// The records that one statement imports.
constexpr size_t kImportedAtOnce = 50;

}  // namespace

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
  if (!row) return NotFound(absl::StrCat("no attempt with the token ", ToAbsl(token.substr(0, 8)), "... in this log"));
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
  NoteAdded(inserted, *interned, record);
  return inserted;
}

void RecordStore::NoteAdded(const InsertedRecord& inserted, const Interned& interned, const TuningRecord& record) {
  if (!inserted.canonical || record.measurement.outcome != Outcome::kOk) return;
  added_.push_back(inserted.id);
  ranked_.insert({{interned.workload_id, interned.device_id, record.measurement.timing.regime}, interned.toolchain_id});
}

/// Values of columns that no field of the record has. They must live until the statement has run.
struct RecordStore::RowValues {
  explicit RowValues(const TuningRecord& record)
      : compared(record), samples(PackSamples(record.measurement.timing.samples_ns)) {
    const Measurement& measurement = record.measurement;
    if (measurement.outcome == Outcome::kOk) gflops = record.Gflops();
    if (measurement.verification.performed) verified = measurement.verification.passed;
  }

  ComparisonColumns compared;
  std::string samples;
  std::optional<double> gflops;
  std::optional<bool> verified;
};

absl::StatusOr<std::vector<InsertedRecord>> RecordStore::Import(const std::vector<TuningRecord>& records,
                                                                const std::vector<RecordColumns>& columns) {
  std::vector<InsertedRecord> inserted;
  inserted.reserve(records.size());
  size_t next = 0;
  for (; next + kImportedAtOnce <= records.size(); next += kImportedAtOnce) {
    RETURN_IF_ERROR(ImportRows(&records[next], &columns[next], &inserted));
  }
  for (; next < records.size(); ++next) {
    ASSIGN_OR_RETURN(inserted.emplace_back(), Insert("", records[next], &columns[next]));
  }
  return inserted;
}

absl::Status RecordStore::ImportRows(const TuningRecord* records, const RecordColumns* columns,
                                     std::vector<InsertedRecord>* inserted) {
  static const std::string* const text = new std::string(ImportText(kImportedAtOnce) + " RETURNING id, uuid");
  std::vector<Interned> interned;
  std::vector<RowValues> values;
  for (size_t i = 0; i < kImportedAtOnce; ++i) {
    RETURN_IF_ERROR(Validate(records[i]));
    ASSIGN_OR_RETURN(interned.emplace_back(), InternAll(records[i]));
    values.emplace_back(records[i]);
  }
  ASSIGN_OR_RETURN(Statement insert, database_->Prepare(*text));
  insert.BorrowValues();
  for (size_t i = 0; i < kImportedAtOnce; ++i) {
    BindRow(insert, i * Bound(), interned[i], records[i], columns[i], values[i], records[i].canonical);
  }
  std::unordered_map<std::string, int64_t> ids;
  while (true) {
    ASSIGN_OR_RETURN(const bool row, insert.Step());
    if (!row) break;
    ids.emplace(insert.Text(1), insert.Int(0));
  }
  for (size_t i = 0; i < kImportedAtOnce; ++i) {
    if (const auto id = ids.extract(records[i].uuid)) {
      inserted->push_back({id.mapped(), records[i].canonical, /*duplicate=*/false});
      NoteAdded(inserted->back(), interned[i], records[i]);
      continue;
    }
    ASSIGN_OR_RETURN(const std::optional<InsertedRecord> written, FindWritten(records[i].uuid));
    if (!written) return Internal(absl::StrCat(database_->path(), ": record ", records[i].uuid, " was not inserted"));
    inserted->push_back(*written);
  }
  return absl::OkStatus();
}

void RecordStore::BindRow(Statement& insert, size_t before, const Interned& interned, const TuningRecord& record,
                          const RecordColumns& columns, const RowValues& values, bool canonical) {
  int parameter = static_cast<int>(before);
  const auto bind = [&](const auto&... value) { (insert.Bind(++parameter, value), ...); };
  bind(interned.workload_id, interned.device_id, interned.toolchain_id, canonical, columns.schedule_digest,
       values.gflops, values.verified, values.compared.reference, values.compared.ratio);
  MeasurementColumns(record, ColumnBinder{insert, parameter, columns.json.begin(), values.samples});
}

absl::StatusOr<std::optional<int64_t>> RecordStore::InsertRow(std::string_view token, const Interned& interned,
                                                              const TuningRecord& record, const RecordColumns& columns,
                                                              bool canonical) {
  static const std::string* const import = new std::string(ImportText(1));
  static const std::string* const report = new std::string(ReportText());
  const RowValues values(record);
  ASSIGN_OR_RETURN(Statement insert, database_->PrepareInsert(token.empty() ? *import : *report));
  insert.BorrowValues();
  BindRow(insert, /*before=*/0, interned, record, columns, values, canonical);
  if (!token.empty()) {
    insert.Bind(static_cast<int>(Bound()) + 1, token);
    insert.Bind(static_cast<int>(Bound()) + 2, record.job_uuid);
  }
  return insert.Insert();
}

}  // namespace mmtune
