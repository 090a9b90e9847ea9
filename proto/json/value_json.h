// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Value types as JSON objects: the parts of a JSONL line, and the JSON columns of the log.
#pragma once

#include <string_view>

#include "absl/status/statusor.h"
#include "proto/json/field_reader.h"
#include "proto/types/field_json.h"
#include "proto/types/measurement.h"

namespace mmtune {

/// Reads a JSON column back. FailedPrecondition: the log is corrupt.
template <typename T>
absl::StatusOr<T> ParseColumn(std::string_view text);

// Compiled once, in value_json.cc.
extern template void FromJson<MatmulProblem>(ObjectReader reader, MatmulProblem* out);
extern template void FromJson<DeviceInfo>(ObjectReader reader, DeviceInfo* out);
extern template void FromJson<Toolchain>(ObjectReader reader, Toolchain* out);
extern template void FromJson<ProofReport>(ObjectReader reader, ProofReport* out);
extern template void FromJson<Measurement>(ObjectReader reader, Measurement* out);
extern template nlohmann::json ToJson<MatmulProblem>(const MatmulProblem& value);
extern template nlohmann::json ToJson<DeviceInfo>(const DeviceInfo& value);
extern template nlohmann::json ToJson<Toolchain>(const Toolchain& value);
extern template nlohmann::json ToJson<ProofReport>(const ProofReport& value);
extern template nlohmann::json ToJson<Measurement>(const Measurement& value);

}  // namespace mmtune
