// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What proves a schedule before it is timed. The real one is ScheduleProver; tests have others.
#pragma once

#include "absl/status/statusor.h"
#include "proto/types/device_info.h"
#include "proto/types/matmul_problem.h"
#include "proto/types/measurement.h"
#include "proto/types/schedule.h"

namespace mmtune {

struct ProofRequest {
  MatmulProblem problem;  ///< Its kind counts (type, transpose, epilogue, batch or none); its extents for watch_size.
  Schedule schedule;
  DeviceInfo device;        ///< What the schedule is for; proven on the SIMT device in its place.
  int stress_runs = 3;      ///< Of each shape.
  bool watch_size = false;  ///< Check mode at the extents of the problem, too.
};

/// Not thread-safe.
class Prover {
 public:
  virtual ~Prover() = default;
  /// A failed proof, and one that cannot be made, are reports. Errors are the worker's own.
  virtual absl::StatusOr<ProofReport> Prove(const ProofRequest& request) = 0;
};

}  // namespace mmtune
