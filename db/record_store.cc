#include "db/record_store.h"

#include "absl/strings/str_cat.h"
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

constexpr char kInsertMeasurement[] =
    "INSERT INTO measurement (uuid, job_uuid, candidate_id, attempt_id, workload_id, device_id, toolchain_id, "
    "schedule_digest, canonical, unix_millis, outcome, median_ns, low_ns, high_ns, gflops, regime, clock, registers, "
    "spill_bytes, shared_bytes, threads, grid_x, grid_y, grid_z, worker, attempt, code_digest, message, schedule, "
    "check_report, phases, samples_ns, proof, proven, conditions, timing_key) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, "
    "?9, ?10, ?11, ?12, ?13, "
    "?14, ?15, ?16, "
    "?17, ?18, ?19, ?20, ?21, ?22, ?23, ?24, ?25, ?26, ?27, ?28, ?29, ?30, ?31, ?32, ?33, ?34, ?35, ?36)";
constexpr int kSamplesParameter = 32;
constexpr int kProofParameter = 33;
constexpr int kProvenParameter = 34;
constexpr int kConditionsParameter = 35;
constexpr int kTimingKeyParameter = 36;

/// Empty where there is nothing to say.
template <typename T>
std::string JsonColumn(const T& value) {
  return value == T() ? "" : Dump(ToJson(value));
}

constexpr size_t kRecent = 8;

}  // namespace

RecordColumns MakeColumns(const TuningRecord& record) {
  const Measurement& measurement = record.measurement;
  RecordColumns columns;
  columns.schedule = record.schedule.CanonicalJson();
  columns.schedule_digest = Sha256Hex(columns.schedule);
  columns.check_report = Dump(ToJson(measurement.check));
  columns.phases = Dump(ToJson(measurement.phases));
  columns.proof = JsonColumn(measurement.proof);
  columns.conditions = JsonColumn(measurement.conditions);
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
  const Measurement& measurement = record.measurement;
  const Timing& timing = measurement.timing;
  const KernelResources& resources = measurement.resources;
  std::optional<double> gflops;
  if (measurement.outcome == Outcome::kOk) gflops = record.Gflops();
  const std::string samples = PackSamples(timing.samples_ns);
  static const std::string* const unless_there =
      new std::string(absl::StrCat(kInsertMeasurement, " ON CONFLICT (uuid) DO NOTHING"));
  ASSIGN_OR_RETURN(Statement insert,
                   database_->Prepare(owner.attempt_id ? std::string_view(kInsertMeasurement) : *unless_there));
  insert.BorrowValues();
  insert.BindAll(record.uuid, record.job_uuid, owner.candidate_id, owner.attempt_id, interned.workload_id,
                 interned.device_id, interned.toolchain_id, columns.schedule_digest, canonical, record.unix_millis,
                 OutcomeName(measurement.outcome), timing.median_ns, timing.low_ns, timing.high_ns, gflops,
                 timing.regime, timing.clock, resources.registers, resources.spill_bytes, resources.shared_bytes,
                 resources.threads, resources.grid_x, resources.grid_y, resources.grid_z, record.worker, record.attempt,
                 measurement.code_digest, measurement.message, columns.schedule, columns.check_report, columns.phases);
  insert.BindBlob(kSamplesParameter, samples);
  insert.Bind(kProofParameter, columns.proof);
  if (measurement.proof.performed) insert.Bind(kProvenParameter, int64_t{measurement.proof.passed});
  insert.Bind(kConditionsParameter, columns.conditions);
  insert.Bind(kTimingKeyParameter, measurement.timing_key);
  return insert.Run();
}

}  // namespace mmtune
