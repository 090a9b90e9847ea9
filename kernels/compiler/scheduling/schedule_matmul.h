// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Declares the passes of Passes.td in this folder. One of them is schedule-matmul, which replaces the matmuls of a
// model by launches of tuned kernels. Also declares the names of the attributes in which this pass records the schedule
// that it chose.
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

/// Attributes of the gpu.module (later gpu.binary) of a scheduled matmul: MatmulProblem::Text() and Schedule::Text().
inline constexpr char kProblemAttrName[] = "mmtune.problem";
inline constexpr char kScheduleAttrName[] = "mmtune.schedule";
/// The source of the schedule: "spec", "nearest" (another problem's schedule) or "default". ", unverified" follows if
/// the spec says that the schedule was not verified.
inline constexpr char kSourceAttrName[] = "mmtune.source";
/// MatmulProblem::CanonicalJson() of the problem to tune, in which every operand is dense; absent if the numbers of
/// rows and of matrices are both known at run time only.
inline constexpr char kTunedAsAttrName[] = "mmtune.tuned_as";
/// An integer that divides the number of rows; set only if that number is known at run time only.
inline constexpr char kRowsStepAttrName[] = "mmtune.rows_step";
/// An integer that divides the number of matrices of the batch; set only if that number is known at run time only.
inline constexpr char kBatchStepAttrName[] = "mmtune.batch_step";
/// The numbers of rows of C for which the schedule is used, if the schedule is selected by that number (a dispatch
/// table): the first and the last number of each range.
inline constexpr char kRowsAttrName[] = "mmtune.rows";
/// The digest of the kernel's code that the spec records; absent unless the source is "spec".
inline constexpr char kDigestAttrName[] = "mmtune.code_digest";

/// Reads a tuning spec (the best schedules of tuned problems) from a JSON file, or from JSON text, which begins with a
/// brace. Returns the errors of TuningSpecFromJson() (tuning_spec.h), and InvalidArgument if the file cannot be read;
/// errors name the file.
absl::StatusOr<TuningSpec> readTuningSpec(const std::string& pathOrText);

/// Creates the pass schedule-matmul for `device` with the entries of `spec`. If a matmul has an entry whose schedule
/// breaks a rule, it is an error, unless `allowFallback` is true: then the nearest schedule of the spec, or the default
/// one, is used, with a remark. If `portable` is true, the code must also run on newer devices, so kernel families for
/// one chip are not used. f32 matmuls use the mode `math` if the device has a kernel for it, otherwise ieee.
std::unique_ptr<mlir::Pass> createScheduleMatmulPass(TuningSpec spec, DeviceInfo device, bool allowFallback = false,
                                                     MathMode math = MathMode::kIeee, bool portable = false);

}  // namespace mmtune
