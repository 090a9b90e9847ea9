// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The record whose schedule a command takes.
#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "db/tuning_log.h"
#include "proto/types/matmul_problem.h"

namespace mmtune {

/// The record that ranks first in the log (empty: the default one): of CUDA devices where there are any, unless those
/// of the SIMT device are preferred. An unproven one only where none is proven. Errors carry kNoResult or kLog.
absl::StatusOr<TuningRecord> BestRecord(const MatmulProblem& problem, const std::string& log_path, bool prefer_simt);

/// The one of this id. Errors as BestRecord; InvalidArgument where it is of another problem.
absl::StatusOr<TuningRecord> NamedRecord(const MatmulProblem& problem, const std::string& id,
                                         const std::string& log_path);

}  // namespace mmtune
