// Value types as JSON objects: the parts of a JSONL line, and the JSON columns of the log.
#pragma once

#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "nlohmann/json.hpp"
#include "proto/json/conditions_json.h"
#include "proto/json/object_reader.h"
#include "proto/types/measurement.h"

namespace mmtune {

/// "batch", "transpose_b" and "epilogue" (EpilogueText) only where they are not the default.
nlohmann::json ToJson(const MatmulProblem& value);
nlohmann::json ToJson(const Schedule& value);
nlohmann::json ToJson(const DeviceInfo& value);
nlohmann::json ToJson(const Toolchain& value);
nlohmann::json ToJson(const KernelResources& value);
/// The figures of the rounding tier only where there are any.
nlohmann::json ToJson(const CheckReport& value);
nlohmann::json ToJson(const ProofReport& value);
nlohmann::json ToJson(const Timing& value);
nlohmann::json ToJson(const PhaseTimes& value);
/// "proof", "timing_key" and "conditions" only where they say something.
nlohmann::json ToJson(const Measurement& value);

/// Errors go to the reader; Finish() is called. Values are typed, not yet judged: of a problem,
/// that is Validate().
void FromJson(ObjectReader reader, MatmulProblem* out);
/// A field that holds a schedule: its grammar is ParseSchedule's.
void ReadSchedule(ObjectReader& reader, const char* key, Schedule* out);
void FromJson(ObjectReader reader, DeviceInfo* out);
void FromJson(ObjectReader reader, Toolchain* out);
void FromJson(ObjectReader reader, KernelResources* out);
void FromJson(ObjectReader reader, CheckReport* out);
void FromJson(ObjectReader reader, ProofReport* out);
void FromJson(ObjectReader reader, Timing* out);
void FromJson(ObjectReader reader, PhaseTimes* out);
void FromJson(ObjectReader reader, Measurement* out);

/// Sorted keys, no spaces, invalid UTF-8 replaced.
std::string Dump(const nlohmann::json& value);

/// Reads a JSON column back. FailedPrecondition: the log is corrupt.
template <typename T>
absl::StatusOr<T> ParseColumn(std::string_view text);

}  // namespace mmtune
