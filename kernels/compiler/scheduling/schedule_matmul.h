// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The passes of Passes.td, and schedule-matmul with a spec in memory.
#pragma once

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "mlir/Pass/Pass.h"
#include "proto/json/tuning_spec.h"
#include "proto/types/device_info.h"

namespace mmtune {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "kernels/compiler/scheduling/Passes.h.inc"

/// Attributes of the gpu.module and gpu.binary of a scheduled matmul: MatmulProblem::Text() and Schedule::Text().
inline constexpr char kProblemAttrName[] = "mmtune.problem";
inline constexpr char kScheduleAttrName[] = "mmtune.schedule";
/// "spec", "nearest" (another problem's schedule) or "default", followed by ", unverified" if the spec says so.
inline constexpr char kSourceAttrName[] = "mmtune.source";
/// The code digest that the spec records; absent if the source is not "spec".
inline constexpr char kDigestAttrName[] = "mmtune.code_digest";

/// Reads a tuning spec from a JSON file, or from JSON text, which begins with a brace. Errors begin with the file's
/// name.
absl::StatusOr<TuningSpec> readTuningSpec(const std::string& pathOrText);

/// Creates the pass with the entries of `spec` for `device`. `allowFallback` is explained at ScheduleChooser. f32
/// matmuls use `math` if the device has a kernel that supports it, else ieee.
std::unique_ptr<mlir::Pass> createScheduleMatmulPass(TuningSpec spec, DeviceInfo device, bool allowFallback = false,
                                                     MathMode math = MathMode::kIeee);

}  // namespace mmtune
