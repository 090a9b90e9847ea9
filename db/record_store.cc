// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "db/record_store.h"

#include "absl/strings/str_cat.h"
#include "db/measurement_columns.h"
#include "db/record_rows.h"
#include "proto/base/digest.h"
#include "proto/base/status.h"
#include "proto/json/value_json.h"
#include "proto/types/validate.h"

namespace mmtune {
namespace {

absl::StatusOr<std::optional<int64_t>> FindDigest(Database& database, std::string_view select_by_digest,
                                                  const std::string& digest) {
  ASSIGN_OR_RETURN(Statement select, database.Prepare(select_by_digest));
  select.Bind(1, digest);
  return FirstId(select);
}

absl::StatusOr<int64_t> RunInsert(Database& database, Statement& insert) {
  RETURN_IF_ERROR(insert.Run());
  return database.LastInsertId();
}

/// What the fields of a record do not say, or say elsewhere; bound first, in this order.
constexpr const char* kOwnColumns[] = {"candidate_id", "attempt_id",      "workload_id", "device_id", "toolchain_id",
                                       "canonical",    "schedule_digest", "gflops",      "proven"};

std::string InsertText() {
  std::string columns, values;
  int parameter = 0;
  auto add = [&](const char* column) {
    absl::StrAppend(&columns, columns.empty() ? "" : ", ", column);
    absl::StrAppend(&values, values.empty() ? "?" : ", ?", ++parameter);
  };
  for (const char* column : kOwnColumns) add(column);
  const TuningRecord record;
  MeasurementColumns(record, [&](const char* column, auto&&...) { add(column); });
  return absl::StrCat("INSERT INTO measurement (", columns, ") VALUES (", values, ")");
}

/// Of a column that holds JSON.
template <typename T>
constexpr bool kIsJson = HasFields<T> || std::is_same_v<T, Schedule>;

/// The JSON columns of a record, in their order.
struct JsonColumnsMaker {
  std::vector<std::string>& texts;

  void operator()(const char*, const Schedule& schedule) { texts.push_back(schedule.CanonicalJson()); }
  template <typename T>
  void operator()(const char*, const T& value) {
    if constexpr (kIsJson<T>) texts.push_back(Dump(ToJson(value)));
  }
  template <typename T>
  void operator()(const char*, const T& value, const Unless<T>& empty) {
    texts.push_back(value == empty.value ? std::string() : Dump(ToJson(value)));
  }
};

/// Binds the fields of a record; what it binds has to live until the statement was run.
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

RecordColumns MakeColumns(const TuningRecord& record) {
  RecordColumns columns;
  columns.schedule_digest = record.schedule.Digest();
  MeasurementColumns(record, JsonColumnsMaker{columns.json});
  return columns;
}

template <typename T>
std::optional<int64_t> RecordStore::Recent<T>::Find(const T& value) const {
  for (const auto& [known, id] : rows) {
    if (known == value) return id;
  }
  return std::nullopt;
}

template <typename T>
int64_t RecordStore::Recent<T>::Remember(const T& value, int64_t id) {
  if (rows.size() >= kRecent) rows.erase(rows.begin());
  rows.emplace_back(value, id);
  return id;
}

void RecordStore::Forget() {
  problems_.rows.clear();
  devices_.rows.clear();
  toolchains_.rows.clear();
}

absl::StatusOr<int64_t> RecordStore::InternWorkload(const MatmulProblem& problem) {
  if (std::optional<int64_t> known = problems_.Find(problem)) return *known;
  std::string json = problem.CanonicalJson();
  std::string digest = Sha256Hex(json);
  ASSIGN_OR_RETURN(std::optional<int64_t> id,
                   FindDigest(*database_, "SELECT id FROM workload WHERE digest = ?1", digest));
  if (id) return problems_.Remember(problem, *id);
  ASSIGN_OR_RETURN(Statement insert, database_->Prepare("INSERT INTO workload (digest, op, m, n, k, dtype, problem) "
                                                        "VALUES (?1, 'matmul', ?2, ?3, ?4, ?5, ?6)"));
  insert.BindAll(digest, problem.m, problem.n, problem.k, DataTypeName(problem.dtype), json);
  ASSIGN_OR_RETURN(int64_t added, RunInsert(*database_, insert));
  return problems_.Remember(problem, added);
}

absl::StatusOr<int64_t> RecordStore::InternDevice(const DeviceInfo& device) {
  if (std::optional<int64_t> known = devices_.Find(device)) return *known;
  std::string json = Dump(ToJson(device));
  std::string digest = Sha256Hex(json);
  ASSIGN_OR_RETURN(std::optional<int64_t> id,
                   FindDigest(*database_, "SELECT id FROM device WHERE digest = ?1", digest));
  if (id) return devices_.Remember(device, *id);
  ASSIGN_OR_RETURN(Statement insert,
                   database_->Prepare("INSERT INTO device (digest, class_key, kind, name, arch, info) "
                                      "VALUES (?1, ?2, ?3, ?4, ?5, ?6)"));
  insert.BindAll(digest, device.ClassKey(), DeviceKindName(device.kind), device.name, device.arch, json);
  ASSIGN_OR_RETURN(int64_t added, RunInsert(*database_, insert));
  return devices_.Remember(device, added);
}

absl::StatusOr<int64_t> RecordStore::InternToolchain(const Toolchain& toolchain) {
  if (std::optional<int64_t> known = toolchains_.Find(toolchain)) return *known;
  std::string json = toolchain.CanonicalJson();
  std::string digest = Sha256Hex(json);
  ASSIGN_OR_RETURN(std::optional<int64_t> id,
                   FindDigest(*database_, "SELECT id FROM toolchain WHERE digest = ?1", digest));
  if (id) return toolchains_.Remember(toolchain, *id);
  ASSIGN_OR_RETURN(Statement insert, database_->Prepare("INSERT INTO toolchain (digest, info) VALUES (?1, ?2)"));
  insert.BindAll(digest, json);
  ASSIGN_OR_RETURN(int64_t added, RunInsert(*database_, insert));
  return toolchains_.Remember(toolchain, added);
}

absl::StatusOr<std::optional<InsertedRecord>> RecordStore::FindWritten(std::string_view token,
                                                                       const std::string& uuid) {
  ASSIGN_OR_RETURN(
      Statement select,
      database_->Prepare(token.empty() ? "SELECT id, canonical FROM measurement WHERE uuid = ?1"
                                       : "SELECT m.id, m.canonical FROM measurement AS m JOIN attempt AS a "
                                         "ON a.id = m.attempt_id WHERE a.token = ?1"));
  select.Bind(1, token.empty() ? std::string_view(uuid) : token);
  ASSIGN_OR_RETURN(bool row, select.Step());
  if (!row) return std::nullopt;
  InsertedRecord written;
  written.id = select.Int(0);
  written.canonical = select.Int(1) != 0;
  written.duplicate = true;
  return written;
}

absl::StatusOr<RecordStore::Owner> RecordStore::FindOwner(std::string_view token, const TuningRecord& record) {
  if (token.empty()) return Owner{};
  ASSIGN_OR_RETURN(Statement select,
                   database_->Prepare("SELECT a.id, c.id, c.schedule_digest, j.uuid, w.digest FROM attempt AS a "
                                      "JOIN candidate AS c ON c.id = a.candidate_id JOIN job AS j ON j.id = c.job_id "
                                      "JOIN workload AS w ON w.id = j.workload_id WHERE a.token = ?1"));
  select.Bind(1, token);
  ASSIGN_OR_RETURN(bool row, select.Step());
  if (!row) return NotFound("no attempt with this token in this log");
  Owner owner{select.Int(1), select.Int(0)};
  auto mismatch = [&](std::string_view what) {
    return InvalidArgument(
        absl::StrCat("the record's ", ToAbsl(what), " is not that of candidate ", *owner.candidate_id));
  };
  if (select.View(2) != record.schedule.Digest()) return mismatch("schedule");
  if (select.View(3) != record.job_uuid) return mismatch("job");
  if (select.View(4) != record.problem.Digest()) return mismatch("problem");
  return owner;
}

absl::StatusOr<bool> RecordStore::HasCanonical(int64_t candidate_id) {
  ASSIGN_OR_RETURN(Statement select,
                   database_->Prepare("SELECT id FROM measurement WHERE candidate_id = ?1 AND canonical = 1"));
  select.Bind(1, candidate_id);
  return select.Step();
}

absl::StatusOr<InsertedRecord> RecordStore::Insert(std::string_view token, const TuningRecord& record,
                                                   const RecordColumns* columns) {
  RETURN_IF_ERROR(Validate(record));
  if (!token.empty()) {
    ASSIGN_OR_RETURN(std::optional<InsertedRecord> written, FindWritten(token, record.uuid));
    if (written) return *written;
  }
  ASSIGN_OR_RETURN(Owner owner, FindOwner(token, record));
  InsertedRecord inserted;
  inserted.canonical = record.canonical;
  if (owner.candidate_id && record.canonical) {
    ASSIGN_OR_RETURN(bool taken, HasCanonical(*owner.candidate_id));
    inserted.canonical = !taken;
  }
  Interned interned;
  ASSIGN_OR_RETURN(interned.workload_id, InternWorkload(record.problem));
  ASSIGN_OR_RETURN(interned.device_id, InternDevice(record.device));
  ASSIGN_OR_RETURN(interned.toolchain_id, InternToolchain(record.toolchain));
  RETURN_IF_ERROR(
      InsertRow(owner, interned, record, columns == nullptr ? MakeColumns(record) : *columns, inserted.canonical));
  if (token.empty() && database_->Changes() == 0) {  // its uuid is there
    ASSIGN_OR_RETURN(std::optional<InsertedRecord> written, FindWritten(token, record.uuid));
    if (written) return *written;
  }
  inserted.id = database_->LastInsertId();
  return inserted;
}

absl::Status RecordStore::InsertRow(const Owner& owner, const Interned& interned, const TuningRecord& record,
                                    const RecordColumns& columns, bool canonical) {
  static const std::string* const text = new std::string(InsertText());
  static const std::string* const unless_there = new std::string(*text + " ON CONFLICT (uuid) DO NOTHING");
  const Measurement& measurement = record.measurement;
  std::optional<double> gflops;
  std::optional<bool> proven;
  if (measurement.outcome == Outcome::kOk) gflops = record.Gflops();
  if (measurement.proof.performed) proven = measurement.proof.passed;
  const std::string samples = PackSamples(measurement.timing.samples_ns);
  ASSIGN_OR_RETURN(Statement insert, database_->Prepare(owner.attempt_id ? *text : *unless_there));
  insert.BorrowValues();
  insert.BindAll(owner.candidate_id, owner.attempt_id, interned.workload_id, interned.device_id, interned.toolchain_id,
                 canonical, columns.schedule_digest, gflops, proven);
  MeasurementColumns(record,
                     ColumnBinder{insert, static_cast<int>(std::size(kOwnColumns)), columns.json.begin(), samples});
  return insert.Run();
}

}  // namespace mmtune
