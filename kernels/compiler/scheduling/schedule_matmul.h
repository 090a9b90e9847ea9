// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The pass schedule-matmul with a spec that is in memory.
#pragma once

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "mlir/Pass/Pass.h"
#include "proto/types/device_info.h"
#include "proto/json/tuning_spec.h"

namespace mmtune {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "kernels/compiler/scheduling/Passes.h.inc"

/// On the gpu.module of a scheduled matmul, and kept on its gpu.binary: strings for people and
/// reports. The problem as MatmulProblem::Text(), the schedule as Schedule::Text().
inline constexpr char kProblemAttrName[] = "mmtune.problem";
inline constexpr char kScheduleAttrName[] = "mmtune.schedule";
/// "spec", "nearest" (another problem's schedule) or "default"; with ", unproven" behind it where
/// the spec says so.
inline constexpr char kSourceAttrName[] = "mmtune.source";
/// The code digest that the spec promises; absent where the source is not "spec".
inline constexpr char kDigestAttrName[] = "mmtune.code_digest";

/// The spec in a JSON file, whose name errors begin with; or of JSON text, which begins with a brace.
absl::StatusOr<TuningSpec> readTuningSpec(const std::string& pathOrText);

/// Schedules are those of `spec` for the class of `device`, and valid for it; `allowFallback` as
/// ScheduleChooser has it. Products of f32 are multiplied in `math` where a kernel of the device does so.
std::unique_ptr<mlir::Pass> createScheduleMatmulPass(TuningSpec spec, DeviceInfo device, bool allowFallback = false,
                                                     MathMode math = MathMode::kIeee);

}  // namespace mmtune
