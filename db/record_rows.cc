#include "db/record_rows.h"

#include <bit>
#include <cstring>
#include <utility>

#include "absl/strings/str_cat.h"
#include "proto/base/status.h"
#include "proto/json/value_json.h"
#include "proto/types/validate.h"

namespace mmtune {
namespace {

static_assert(std::endian::native == std::endian::little, "samples are stored as the machine holds them");

// In the order of kColumns.
enum Column {
  kId,
  kUuid,
  kJobUuid,
  kWorkloadId,
  kProblem,
  kDeviceId,
  kDeviceInfo,
  kToolchainId,
  kToolchainInfo,
  kCanonical,
  kUnixMillis,
  kOutcome,
  kMedian,
  kLow,
  kHigh,
  kRegime,
  kClock,
  kRegisters,
  kSpillBytes,
  kSharedBytes,
  kThreads,
  kGridX,
  kGridY,
  kGridZ,
  kWorker,
  kAttempt,
  kCodeDigest,
  kMessage,
  kSchedule,
  kCheckReport,
  kPhases,
  kSamples,
  kProof,
  kConditions,
  kTimingKey,
};
constexpr char kColumns[] =
    "r.id, r.uuid, r.job_uuid, w.id, w.problem, d.id, d.info, t.id, t.info, r.canonical, r.unix_millis, "
    "r.outcome, r.median_ns, r.low_ns, r.high_ns, r.regime, r.clock, r.registers, r.spill_bytes, r.shared_bytes, "
    "r.threads, r.grid_x, r.grid_y, r.grid_z, r.worker, r.attempt, r.code_digest, r.message, r.schedule, "
    "r.check_report, r.phases, r.samples_ns, r.proof, r.conditions, r.timing_key";

template <typename T>
absl::StatusOr<T> ReadOnce(std::unordered_map<int64_t, T>& known, int64_t id, std::string_view json) {
  auto it = known.find(id);
  if (it == known.end()) {
    ASSIGN_OR_RETURN(T value, ParseColumn<T>(json));
    it = known.emplace(id, std::move(value)).first;
  }
  return it->second;
}

KernelResources ReadResources(const Statement& row) {
  KernelResources resources;
  resources.registers = row.Int(kRegisters);
  resources.spill_bytes = row.Int(kSpillBytes);
  resources.shared_bytes = row.Int(kSharedBytes);
  resources.threads = row.Int(kThreads);
  resources.grid_x = row.Int(kGridX);
  resources.grid_y = row.Int(kGridY);
  resources.grid_z = row.Int(kGridZ);
  return resources;
}

absl::StatusOr<Measurement> ReadMeasurement(const Statement& row) {
  Measurement measurement;
  ASSIGN_OR_RETURN(measurement.outcome, ParseOutcome(row.View(kOutcome)));
  measurement.message = row.Text(kMessage);
  measurement.code_digest = row.Text(kCodeDigest);
  measurement.resources = ReadResources(row);
  ASSIGN_OR_RETURN(measurement.check, ParseColumn<CheckReport>(row.View(kCheckReport)));
  if (!row.View(kProof).empty()) {
    ASSIGN_OR_RETURN(measurement.proof, ParseColumn<ProofReport>(row.View(kProof)));
  }
  if (!row.View(kConditions).empty()) {
    ASSIGN_OR_RETURN(measurement.conditions, ParseColumn<Conditions>(row.View(kConditions)));
  }
  measurement.timing_key = row.Text(kTimingKey);
  ASSIGN_OR_RETURN(measurement.phases, ParseColumn<PhaseTimes>(row.View(kPhases)));
  measurement.timing.samples_ns = UnpackSamples(row.View(kSamples));
  measurement.timing.median_ns = row.Real(kMedian);
  measurement.timing.low_ns = row.Real(kLow);
  measurement.timing.high_ns = row.Real(kHigh);
  measurement.timing.regime = row.Text(kRegime);
  measurement.timing.clock = row.Text(kClock);
  return measurement;
}

}  // namespace

const std::string& RecordRows::From() {
  static const std::string* const from = new std::string(
      " FROM measurement AS r JOIN workload AS w ON w.id = r.workload_id JOIN device AS d ON d.id = r.device_id "
      "JOIN toolchain AS t ON t.id = r.toolchain_id ");
  return *from;
}

const std::string& RecordRows::Select() {
  static const std::string* const select = new std::string(absl::StrCat("SELECT ", kColumns, From()));
  return *select;
}

absl::StatusOr<TuningRecord> RecordRows::Read(const Statement& row) {
  TuningRecord record;
  record.id = row.Int(kId);
  record.uuid = row.Text(kUuid);
  record.job_uuid = row.Text(kJobUuid);
  ASSIGN_OR_RETURN(record.problem, ReadOnce(problems_, row.Int(kWorkloadId), row.View(kProblem)));
  ASSIGN_OR_RETURN(record.schedule, ParseSchedule(row.View(kSchedule)));
  ASSIGN_OR_RETURN(record.device, ReadOnce(devices_, row.Int(kDeviceId), row.View(kDeviceInfo)));
  ASSIGN_OR_RETURN(record.toolchain, ReadOnce(toolchains_, row.Int(kToolchainId), row.View(kToolchainInfo)));
  ASSIGN_OR_RETURN(record.measurement, ReadMeasurement(row));
  record.worker = row.Text(kWorker);
  record.attempt = row.Int(kAttempt);
  record.canonical = row.Int(kCanonical) != 0;
  record.unix_millis = row.Int(kUnixMillis);
  Distrust(&record);
  return record;
}

DamagedRecord RecordRows::Damaged(const Statement& row, const absl::Status& why) {
  return {row.Int(kId), row.Text(kUuid), std::string(why.message())};
}

void RecordRows::Forget() {
  problems_.clear();
  devices_.clear();
  toolchains_.clear();
}

FilterSql::FilterSql(const RecordFilter& filter) {
  if (filter.problem) {
    Add("r.workload_id = (SELECT id FROM workload WHERE digest = ", filter.problem->Digest(), ")");
  }
  if (!filter.device.empty()) {
    int parameter = next_parameter();
    Add("r.device_id IN (SELECT id FROM device WHERE kind = lower(", filter.device,
        absl::StrCat(") OR instr(lower(name), lower(?", parameter, ")) > 0)"));
  }
  if (filter.outcome) Add("r.outcome = ", std::string(OutcomeName(*filter.outcome)));
  if (filter.since_unix_millis > 0) Add("r.unix_millis >= ", filter.since_unix_millis);
  if (filter.regime) Add("r.regime = ", std::string(RegimeName(*filter.regime)));
  if (!filter.job_uuid.empty()) Add("r.job_uuid = ", filter.job_uuid);
  if (!filter.include_non_canonical) Add("r.canonical = 1");
  if (filter.proven_only) Add("r.proven = 1");
}

void FilterSql::Add(const std::string& before, std::variant<int64_t, std::string> value, const std::string& after) {
  Add(absl::StrCat(before, "?", next_parameter(), after));
  values_.push_back(std::move(value));
}

void FilterSql::Add(const std::string& condition) {
  absl::StrAppend(&conditions_, conditions_.empty() ? "" : " AND ", condition);
}

std::string FilterSql::Where() const {
  return conditions_.empty() ? std::string() : absl::StrCat("WHERE ", conditions_, " ");
}

int FilterSql::Bind(Statement& statement) const {
  int parameter = 1;
  for (const auto& value : values_) {
    std::visit([&](const auto& v) { statement.Bind(parameter, v); }, value);
    ++parameter;
  }
  return parameter;
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
