#include "proto/wire/convert.h"

#include "absl/strings/str_cat.h"
#include "proto/base/status.h"
#include "proto/types/schedule_name.h"
#include "proto/wire/utf8.h"

namespace mmtune {
v1::MatmulProblem ToWire(const MatmulProblem& value) {
  v1::MatmulProblem message;
  message.set_m(value.m);
  message.set_n(value.n);
  message.set_k(value.k);
  message.set_dtype(std::string(DataTypeName(value.dtype)));
  message.set_batch(value.batch);
  message.set_transpose_b(value.transpose_b);
  message.set_epilogue(EpilogueText(value.epilogue));
  return message;
}

absl::StatusOr<MatmulProblem> FromWire(const v1::MatmulProblem& message) {
  MatmulProblem value{message.m(), message.n(), message.k(), DataType::kF32};
  ASSIGN_OR_RETURN(value.dtype, ParseDataType(message.dtype()));
  value.batch = message.batch() == 0 ? 1 : message.batch();
  value.transpose_b = message.transpose_b();
  ASSIGN_OR_RETURN(value.epilogue, ParseEpilogue(message.epilogue()));
  RETURN_IF_ERROR(value.Validate());
  return value;
}

v1::Schedule ToWire(const Schedule& value) {
  v1::Schedule message;
  message.set_family(Utf8(value.family));
  for (const auto& [name, param] : value.params) (*message.mutable_params())[Utf8(name)] = param;
  return message;
}

absl::StatusOr<Schedule> FromWire(const v1::Schedule& message) {
  Schedule value;
  value.family = CurrentFamilyName(message.family());
  for (const auto& [name, param] : message.params()) value.params[name] = param;
  // The text form has one grammar; what does not survive it is malformed.
  absl::StatusOr<Schedule> parsed = ParseSchedule(value.Text());
  if (!parsed.ok()) return parsed.status();
  if (!(*parsed == value)) return InvalidArgument("the schedule has a malformed family or parameter name");
  return value;
}

v1::DeviceInfo ToWire(const DeviceInfo& value) {
  v1::DeviceInfo message;
  message.set_kind(std::string(DeviceKindName(value.kind)));
  message.set_name(Utf8(value.name));
  message.set_uuid(Utf8(value.uuid));
  message.set_arch(Utf8(value.arch));
  message.set_multiprocessors(value.multiprocessors);
  message.set_memory_bytes(value.memory_bytes);
  message.set_max_threads_per_block(value.max_threads_per_block);
  message.set_max_threads_per_multiprocessor(value.max_threads_per_multiprocessor);
  message.set_registers_per_multiprocessor(value.registers_per_multiprocessor);
  message.set_shared_bytes_per_block(value.shared_bytes_per_block);
  message.set_shared_bytes_per_multiprocessor(value.shared_bytes_per_multiprocessor);
  message.set_l2_bytes(value.l2_bytes);
  message.set_driver(Utf8(value.driver));
  message.set_clock_khz(value.clock_khz);
  return message;
}

absl::StatusOr<DeviceInfo> FromWire(const v1::DeviceInfo& message) {
  DeviceInfo value;
  ASSIGN_OR_RETURN(value.kind, ParseDeviceKind(message.kind()));
  value.name = message.name();
  value.uuid = message.uuid();
  value.arch = message.arch();
  value.multiprocessors = message.multiprocessors();
  value.memory_bytes = message.memory_bytes();
  value.max_threads_per_block = message.max_threads_per_block();
  value.max_threads_per_multiprocessor = message.max_threads_per_multiprocessor();
  value.registers_per_multiprocessor = message.registers_per_multiprocessor();
  value.shared_bytes_per_block = message.shared_bytes_per_block();
  value.shared_bytes_per_multiprocessor = message.shared_bytes_per_multiprocessor();
  value.l2_bytes = message.l2_bytes();
  value.driver = message.driver();
  value.clock_khz = message.clock_khz();
  return value;
}

v1::DeviceSelector ToWire(const DeviceSelector& value) {
  v1::DeviceSelector message;
  message.set_device(DeviceSelectorText(value));
  message.set_arch(Utf8(value.arch));
  return message;
}

absl::StatusOr<DeviceSelector> FromWire(const v1::DeviceSelector& message) {
  ASSIGN_OR_RETURN(DeviceSelector value, ParseDeviceSelector(message.device().empty() ? "auto" : message.device()));
  if (!message.arch().empty()) RETURN_IF_ERROR(ArchitectureLimits(message.arch()).status());
  value.arch = message.arch();
  return value;
}

v1::Toolchain ToWire(const Toolchain& value) {
  v1::Toolchain message;
  message.set_mmtune(Utf8(value.mmtune));
  message.set_mlir(Utf8(value.mlir));
  message.set_assembler(Utf8(value.assembler));
  message.set_families(Utf8(value.families));
  return message;
}

absl::StatusOr<Toolchain> FromWire(const v1::Toolchain& message) {
  return Toolchain{message.mmtune(), message.mlir(), message.assembler(), CurrentFamilyVersions(message.families())};
}

v1::KernelResources ToWire(const KernelResources& value) {
  v1::KernelResources message;
  message.set_registers(value.registers);
  message.set_spill_bytes(value.spill_bytes);
  message.set_shared_bytes(value.shared_bytes);
  message.set_threads(value.threads);
  message.set_grid_x(value.grid_x);
  message.set_grid_y(value.grid_y);
  message.set_grid_z(value.grid_z);
  return message;
}

absl::StatusOr<KernelResources> FromWire(const v1::KernelResources& message) {
  return KernelResources{message.registers(), message.spill_bytes(), message.shared_bytes(), message.threads(),
                         message.grid_x(),    message.grid_y(),      message.grid_z()};
}

v1::CheckReport ToWire(const CheckReport& value) {
  v1::CheckReport message;
  message.set_performed(value.performed);
  message.set_passed(value.passed);
  message.set_tier(Utf8(value.tier));
  message.set_wrong_row(value.wrong_row);
  message.set_wrong_col(value.wrong_col);
  message.set_expected(value.expected);
  message.set_got(value.got);
  message.set_detail(Utf8(value.detail));
  if (value.bound_fraction) message.set_bound_fraction(*value.bound_fraction);
  if (value.relative_error) message.set_relative_error(*value.relative_error);
  if (value.deterministic) message.set_deterministic(*value.deterministic);
  return message;
}

absl::StatusOr<CheckReport> FromWire(const v1::CheckReport& message) {
  CheckReport value;
  value.performed = message.performed();
  value.passed = message.passed();
  value.tier = message.tier();
  value.wrong_row = message.wrong_row();
  value.wrong_col = message.wrong_col();
  value.expected = message.expected();
  value.got = message.got();
  value.detail = message.detail();
  if (message.has_bound_fraction()) value.bound_fraction = message.bound_fraction();
  if (message.has_relative_error()) value.relative_error = message.relative_error();
  if (message.has_deterministic()) value.deterministic = message.deterministic();
  return value;
}

v1::ProofReport ToWire(const ProofReport& value) {
  v1::ProofReport message;
  message.set_performed(value.performed);
  message.set_passed(value.passed);
  message.set_reason(Utf8(value.reason));
  message.set_correct(value.correct);
  message.set_race_free(value.race_free);
  message.set_deterministic(value.deterministic);
  for (const std::string& shape : value.shapes) message.add_shapes(Utf8(shape));
  message.set_stress_runs(value.stress_runs);
  message.set_digest(Utf8(value.digest));
  message.set_finding(Utf8(value.finding));
  message.set_detail(Utf8(value.detail));
  return message;
}

absl::StatusOr<ProofReport> FromWire(const v1::ProofReport& message) {
  ProofReport value;
  value.performed = message.performed();
  value.passed = message.passed();
  value.reason = message.reason();
  value.correct = message.correct();
  value.race_free = message.race_free();
  value.deterministic = message.deterministic();
  value.shapes.assign(message.shapes().begin(), message.shapes().end());
  value.stress_runs = message.stress_runs();
  value.digest = message.digest();
  value.finding = message.finding();
  value.detail = message.detail();
  return value;
}

v1::Timing ToWire(const Timing& value) {
  v1::Timing message;
  message.mutable_samples_ns()->Add(value.samples_ns.begin(), value.samples_ns.end());
  message.set_median_ns(value.median_ns);
  message.set_low_ns(value.low_ns);
  message.set_high_ns(value.high_ns);
  message.set_regime(Utf8(value.regime));
  message.set_clock(Utf8(value.clock));
  return message;
}

absl::StatusOr<Timing> FromWire(const v1::Timing& message) {
  Timing value;
  value.samples_ns.assign(message.samples_ns().begin(), message.samples_ns().end());
  value.median_ns = message.median_ns();
  value.low_ns = message.low_ns();
  value.high_ns = message.high_ns();
  value.regime = message.regime();
  value.clock = message.clock();
  RETURN_IF_ERROR(value.Validate());
  return value;
}

v1::PhaseTimes ToWire(const PhaseTimes& value) {
  v1::PhaseTimes message;
  message.set_emit_ms(value.emit_ms);
  message.set_mlir_ms(value.mlir_ms);
  message.set_llvm_ms(value.llvm_ms);
  message.set_assemble_ms(value.assemble_ms);
  message.set_host_ms(value.host_ms);
  message.set_load_ms(value.load_ms);
  message.set_check_ms(value.check_ms);
  message.set_timing_ms(value.timing_ms);
  return message;
}

absl::StatusOr<PhaseTimes> FromWire(const v1::PhaseTimes& message) {
  PhaseTimes value{message.emit_ms(), message.mlir_ms(), message.llvm_ms(),  message.assemble_ms(),
                   message.host_ms(), message.load_ms(), message.check_ms(), message.timing_ms()};
  RETURN_IF_ERROR(value.Validate());
  return value;
}

v1::Measurement ToWire(const Measurement& value) {
  v1::Measurement message;
  message.set_outcome(std::string(OutcomeName(value.outcome)));
  message.set_message(Utf8(value.message));
  message.set_code_digest(Utf8(value.code_digest));
  *message.mutable_resources() = ToWire(value.resources);
  *message.mutable_proof() = ToWire(value.proof);
  *message.mutable_check() = ToWire(value.check);
  *message.mutable_timing() = ToWire(value.timing);
  *message.mutable_phases() = ToWire(value.phases);
  message.set_timing_key(Utf8(value.timing_key));
  *message.mutable_conditions() = ToWire(value.conditions);
  return message;
}

absl::StatusOr<Measurement> FromWire(const v1::Measurement& message) {
  Measurement value;
  ASSIGN_OR_RETURN(value.outcome, ParseOutcome(message.outcome()));
  value.message = message.message();
  value.code_digest = message.code_digest();
  ASSIGN_OR_RETURN(value.resources, FromWire(message.resources()));
  ASSIGN_OR_RETURN(value.proof, FromWire(message.proof()));
  ASSIGN_OR_RETURN(value.check, FromWire(message.check()));
  ASSIGN_OR_RETURN(value.timing, FromWire(message.timing()));
  ASSIGN_OR_RETURN(value.phases, FromWire(message.phases()));
  value.timing_key = message.timing_key();
  ASSIGN_OR_RETURN(value.conditions, FromWire(message.conditions()));
  return value;
}

v1::TuningRecord ToWire(const TuningRecord& value) {
  v1::TuningRecord message;
  message.set_id(value.id);
  message.set_uuid(Utf8(value.uuid));
  message.set_job_uuid(Utf8(value.job_uuid));
  *message.mutable_problem() = ToWire(value.problem);
  *message.mutable_schedule() = ToWire(value.schedule);
  *message.mutable_device() = ToWire(value.device);
  *message.mutable_toolchain() = ToWire(value.toolchain);
  *message.mutable_measurement() = ToWire(value.measurement);
  message.set_worker(Utf8(value.worker));
  message.set_attempt(value.attempt);
  message.set_canonical(value.canonical);
  message.set_unix_millis(value.unix_millis);
  return message;
}

absl::StatusOr<TuningRecord> FromWire(const v1::TuningRecord& message) {
  TuningRecord value;
  value.id = message.id();
  value.uuid = message.uuid();
  value.job_uuid = message.job_uuid();
  ASSIGN_OR_RETURN(value.problem, FromWire(message.problem()));
  ASSIGN_OR_RETURN(value.schedule, FromWire(message.schedule()));
  ASSIGN_OR_RETURN(value.device, FromWire(message.device()));
  ASSIGN_OR_RETURN(value.toolchain, FromWire(message.toolchain()));
  ASSIGN_OR_RETURN(value.measurement, FromWire(message.measurement()));
  value.worker = message.worker();
  value.attempt = message.attempt();
  value.canonical = message.canonical();
  value.unix_millis = message.unix_millis();
  return value;
}

}  // namespace mmtune
