#include "proto/json/value_json.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "proto/base/status.h"
#include "proto/types/schedule_name.h"

namespace mmtune {
namespace {

constexpr size_t kShortSchedule = 64;

/// False: ParseSchedule is to say what is wrong.
bool ReadGoodSchedule(const nlohmann::json& json, Schedule* out) {
  if (!json.is_object() || json.size() != 2 || !json.contains("family") || !json.contains("params")) return false;
  const nlohmann::json &family = json["family"], &params = json["params"];
  if (!family.is_string() || !params.is_object() || params.size() > kShortSchedule) return false;
  Schedule schedule{std::string(CurrentFamilyName(family.get_ref<const std::string&>())), {}};
  if (!IsScheduleName(schedule.family)) return false;
  for (const auto& [name, value] : params.items()) {
    if (!IsScheduleName(name) || !FitsInt64(value)) return false;
    schedule.params.emplace_hint(schedule.params.end(), name, value.get<int64_t>());
  }
  *out = std::move(schedule);
  return true;
}

}  // namespace

nlohmann::json ToJson(const MatmulProblem& value) {
  nlohmann::json json = JsonObject(
      {{"op", "matmul"}, {"dtype", DataTypeName(value.dtype)}, {"m", value.m}, {"n", value.n}, {"k", value.k}});
  if (value.batch != 1) json["batch"] = value.batch;
  if (value.transpose_b) json["transpose_b"] = true;
  if (!value.epilogue.empty()) json["epilogue"] = EpilogueText(value.epilogue);
  return json;
}

nlohmann::json ToJson(const Schedule& value) {
  return JsonObject({{"family", value.family}, {"params", value.params}});
}

nlohmann::json ToJson(const DeviceInfo& value) {
  nlohmann::json json = JsonObject({{"kind", DeviceKindName(value.kind)},
                                    {"name", value.name},
                                    {"uuid", value.uuid},
                                    {"arch", value.arch},
                                    {"multiprocessors", value.multiprocessors},
                                    {"memory_bytes", value.memory_bytes},
                                    {"max_threads_per_block", value.max_threads_per_block},
                                    {"max_threads_per_multiprocessor", value.max_threads_per_multiprocessor},
                                    {"registers_per_multiprocessor", value.registers_per_multiprocessor},
                                    {"shared_bytes_per_block", value.shared_bytes_per_block},
                                    {"shared_bytes_per_multiprocessor", value.shared_bytes_per_multiprocessor},
                                    {"l2_bytes", value.l2_bytes},
                                    {"driver", value.driver}});
  if (value.clock_khz != 0) json["clock_khz"] = value.clock_khz;
  return json;
}

nlohmann::json ToJson(const Toolchain& value) {
  return JsonObject(
      {{"mmtune", value.mmtune}, {"mlir", value.mlir}, {"assembler", value.assembler}, {"families", value.families}});
}

nlohmann::json ToJson(const KernelResources& value) {
  return JsonObject({{"registers", value.registers},
                     {"spill_bytes", value.spill_bytes},
                     {"shared_bytes", value.shared_bytes},
                     {"threads", value.threads},
                     {"grid_x", value.grid_x},
                     {"grid_y", value.grid_y},
                     {"grid_z", value.grid_z}});
}

nlohmann::json ToJson(const CheckReport& value) {
  nlohmann::json json = JsonObject({{"performed", value.performed},
                                    {"passed", value.passed},
                                    {"tier", value.tier},
                                    {"wrong_row", value.wrong_row},
                                    {"wrong_col", value.wrong_col},
                                    {"expected", DoubleToJson(value.expected)},
                                    {"got", DoubleToJson(value.got)},
                                    {"detail", value.detail}});
  if (value.bound_fraction) json["bound_fraction"] = DoubleToJson(*value.bound_fraction);
  if (value.relative_error) json["relative_error"] = DoubleToJson(*value.relative_error);
  if (value.deterministic) json["deterministic"] = *value.deterministic;
  return json;
}

nlohmann::json ToJson(const ProofReport& value) {
  return JsonObject({{"performed", value.performed},
                     {"passed", value.passed},
                     {"reason", value.reason},
                     {"correct", value.correct},
                     {"race_free", value.race_free},
                     {"deterministic", value.deterministic},
                     {"shapes", value.shapes},
                     {"stress_runs", value.stress_runs},
                     {"digest", value.digest},
                     {"finding", value.finding},
                     {"detail", value.detail}});
}

nlohmann::json ToJson(const Timing& value) {
  nlohmann::json samples = nlohmann::json::array();
  for (double sample : value.samples_ns) samples.push_back(DoubleToJson(sample));
  return JsonObject({{"samples_ns", std::move(samples)},
                     {"median_ns", DoubleToJson(value.median_ns)},
                     {"low_ns", DoubleToJson(value.low_ns)},
                     {"high_ns", DoubleToJson(value.high_ns)},
                     {"regime", value.regime},
                     {"clock", value.clock}});
}

nlohmann::json ToJson(const PhaseTimes& value) {
  return JsonObject({{"emit_ms", DoubleToJson(value.emit_ms)},
                     {"mlir_ms", DoubleToJson(value.mlir_ms)},
                     {"llvm_ms", DoubleToJson(value.llvm_ms)},
                     {"assemble_ms", DoubleToJson(value.assemble_ms)},
                     {"host_ms", DoubleToJson(value.host_ms)},
                     {"load_ms", DoubleToJson(value.load_ms)},
                     {"check_ms", DoubleToJson(value.check_ms)},
                     {"timing_ms", DoubleToJson(value.timing_ms)}});
}

nlohmann::json ToJson(const Measurement& value) {
  nlohmann::json json = JsonObject({{"outcome", OutcomeName(value.outcome)},
                                    {"message", value.message},
                                    {"code_digest", value.code_digest},
                                    {"resources", ToJson(value.resources)},
                                    {"check", ToJson(value.check)},
                                    {"timing", ToJson(value.timing)},
                                    {"phases", ToJson(value.phases)}});
  if (!(value.proof == ProofReport())) json["proof"] = ToJson(value.proof);
  if (!value.timing_key.empty()) json["timing_key"] = value.timing_key;
  if (!(value.conditions == Conditions())) json["conditions"] = ToJson(value.conditions);
  return json;
}

void FromJson(ObjectReader reader, MatmulProblem* out) {
  std::string op;
  reader.Read("op", &op);
  reader.ReadName("dtype", ParseDataType, &out->dtype);
  reader.Read("m", &out->m);
  reader.Read("n", &out->n);
  reader.Read("k", &out->k);
  if (reader.Has("batch")) reader.Read("batch", &out->batch);
  if (reader.Has("transpose_b")) reader.Read("transpose_b", &out->transpose_b);
  if (reader.Has("epilogue")) reader.ReadName("epilogue", ParseEpilogue, &out->epilogue);
  if (op != "matmul") reader.Fail("op", "is not \"matmul\"");
  reader.Finish();
}

void ReadSchedule(ObjectReader& reader, const char* key, Schedule* out) {
  const nlohmann::json* json = reader.Find(key);
  if (json == nullptr || ReadGoodSchedule(*json, out)) return;
  absl::StatusOr<Schedule> schedule = ParseSchedule(json->is_object() ? Dump(*json) : "{}");
  if (!schedule.ok()) return reader.Fail(key, ToStd(schedule.status().message()));
  *out = *std::move(schedule);
}

void FromJson(ObjectReader reader, DeviceInfo* out) {
  reader.ReadName("kind", ParseDeviceKind, &out->kind);
  reader.Read("name", &out->name);
  reader.Read("uuid", &out->uuid);
  reader.Read("arch", &out->arch);
  reader.Read("multiprocessors", &out->multiprocessors);
  reader.Read("memory_bytes", &out->memory_bytes);
  reader.Read("max_threads_per_block", &out->max_threads_per_block);
  reader.Read("max_threads_per_multiprocessor", &out->max_threads_per_multiprocessor);
  reader.Read("registers_per_multiprocessor", &out->registers_per_multiprocessor);
  reader.Read("shared_bytes_per_block", &out->shared_bytes_per_block);
  reader.Read("shared_bytes_per_multiprocessor", &out->shared_bytes_per_multiprocessor);
  reader.Read("l2_bytes", &out->l2_bytes);
  reader.Read("driver", &out->driver);
  if (reader.Has("clock_khz")) reader.Read("clock_khz", &out->clock_khz);
  reader.Finish();
}

void FromJson(ObjectReader reader, Toolchain* out) {
  reader.Read("mmtune", &out->mmtune);
  reader.Read("mlir", &out->mlir);
  reader.Read("assembler", &out->assembler);
  reader.Read("families", &out->families);
  out->families = CurrentFamilyVersions(out->families);
  reader.Finish();
}

void FromJson(ObjectReader reader, KernelResources* out) {
  reader.Read("registers", &out->registers);
  reader.Read("spill_bytes", &out->spill_bytes);
  reader.Read("shared_bytes", &out->shared_bytes);
  reader.Read("threads", &out->threads);
  reader.Read("grid_x", &out->grid_x);
  reader.Read("grid_y", &out->grid_y);
  reader.Read("grid_z", &out->grid_z);
  reader.Finish();
}

void FromJson(ObjectReader reader, CheckReport* out) {
  reader.Read("performed", &out->performed);
  reader.Read("passed", &out->passed);
  reader.Read("tier", &out->tier);
  reader.Read("wrong_row", &out->wrong_row);
  reader.Read("wrong_col", &out->wrong_col);
  reader.Read("expected", &out->expected);
  reader.Read("got", &out->got);
  reader.Read("detail", &out->detail);
  if (reader.Has("bound_fraction")) reader.Read("bound_fraction", &out->bound_fraction.emplace());
  if (reader.Has("relative_error")) reader.Read("relative_error", &out->relative_error.emplace());
  if (reader.Has("deterministic")) reader.Read("deterministic", &out->deterministic.emplace());
  reader.Finish();
}

void FromJson(ObjectReader reader, ProofReport* out) {
  reader.Read("performed", &out->performed);
  reader.Read("passed", &out->passed);
  reader.Read("reason", &out->reason);
  reader.Read("correct", &out->correct);
  reader.Read("race_free", &out->race_free);
  reader.Read("deterministic", &out->deterministic);
  reader.Read("shapes", &out->shapes);
  reader.Read("stress_runs", &out->stress_runs);
  reader.Read("digest", &out->digest);
  reader.Read("finding", &out->finding);
  reader.Read("detail", &out->detail);
  reader.Finish();
}

void FromJson(ObjectReader reader, Timing* out) {
  reader.Read("samples_ns", &out->samples_ns);
  reader.Read("median_ns", &out->median_ns);
  reader.Read("low_ns", &out->low_ns);
  reader.Read("high_ns", &out->high_ns);
  reader.Read("regime", &out->regime);
  reader.Read("clock", &out->clock);
  reader.Finish();
}

void FromJson(ObjectReader reader, PhaseTimes* out) {
  reader.Read("emit_ms", &out->emit_ms);
  reader.Read("mlir_ms", &out->mlir_ms);
  reader.Read("llvm_ms", &out->llvm_ms);
  reader.Read("assemble_ms", &out->assemble_ms);
  reader.Read("host_ms", &out->host_ms);
  reader.Read("load_ms", &out->load_ms);
  reader.Read("check_ms", &out->check_ms);
  reader.Read("timing_ms", &out->timing_ms);
  reader.Finish();
}

void FromJson(ObjectReader reader, Measurement* out) {
  reader.ReadName("outcome", ParseOutcome, &out->outcome);
  reader.Read("message", &out->message);
  reader.Read("code_digest", &out->code_digest);
  FromJson(reader.Child("resources"), &out->resources);
  FromJson(reader.Child("check"), &out->check);
  FromJson(reader.Child("timing"), &out->timing);
  FromJson(reader.Child("phases"), &out->phases);
  if (reader.Has("proof")) FromJson(reader.Child("proof"), &out->proof);
  if (reader.Has("timing_key")) reader.Read("timing_key", &out->timing_key);
  if (reader.Has("conditions")) FromJson(reader.Child("conditions"), &out->conditions);
  reader.Finish();
}

std::string Dump(const nlohmann::json& value) {
  return value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

template <typename T>
absl::StatusOr<T> ParseColumn(std::string_view text) {
  T value;
  absl::Status status;
  nlohmann::json json = nlohmann::json::parse(text, nullptr, /*allow_exceptions=*/false);
  FromJson(ObjectReader(json, "", &status), &value);
  if (!status.ok()) return FailedPrecondition(absl::StrCat("the log is corrupt: ", status.message()));
  return value;
}

template absl::StatusOr<MatmulProblem> ParseColumn<MatmulProblem>(std::string_view text);
template absl::StatusOr<DeviceInfo> ParseColumn<DeviceInfo>(std::string_view text);
template absl::StatusOr<Toolchain> ParseColumn<Toolchain>(std::string_view text);
template absl::StatusOr<CheckReport> ParseColumn<CheckReport>(std::string_view text);
template absl::StatusOr<ProofReport> ParseColumn<ProofReport>(std::string_view text);
template absl::StatusOr<Conditions> ParseColumn<Conditions>(std::string_view text);
template absl::StatusOr<PhaseTimes> ParseColumn<PhaseTimes>(std::string_view text);

}  // namespace mmtune
