// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the columns of a table of schedules mean, so that a search can know of them what it knows of a job's: the
// parameters of a family of ours, or those of somebody else's matrix multiplication.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "absl/status/statusor.h"
#include "kernels/perf_model/schedule_geometry.h"
#include "proto/types/device_info.h"
#include "proto/types/matmul_problem.h"
#include "proto/types/kernel_family.h"
#include "proto/types/schedule.h"

namespace mmtune {

/// The name of a parameter, or what it is always.
using KernelRole = std::variant<int64_t, std::string>;

/// A kernel of f32 on CUDA cores in which a block computes a tile of C, each thread a part of it, from tiles of A and B
/// along k that are staged in shared memory or read where they lie.
struct KernelDescription {
  MatmulProblem problem;
  DeviceInfo device;
  std::string family;  ///< Of ours, which knows its parameters: nothing below is said. Empty: somebody else's.
  /// A parameter that means nothing where another one is 0.
  std::map<std::string, std::string> only_with;
  KernelRole block_m, block_n, block_k;  ///< The tile of a block.
  KernelRole threads_m, threads_n;       ///< Of a block.
  KernelRole vector_a, vector_b;         ///< Floats that a load of A, of B takes at once.
  KernelRole shared_a, shared_b;         ///< 1: staged in shared memory.
  /// Threads that copy one row of the tile of A, of B into it, each a piece that lies side by side; 0: nobody knows.
  KernelRole copy_threads_a, copy_threads_b;

  /// Its parameters, 0 where they mean nothing, and what GeometryFeatures() makes of its geometry.
  std::vector<double> Features(const Schedule& schedule) const;
  PredictedTime Predict(const Schedule& schedule) const;
  ScheduleGeometry Describe(const Schedule& schedule) const;

  /// InvalidArgument when it names a parameter that the schedule does not have, or that has a value there which its
  /// role cannot have.
  absl::Status CheckParameters(const Schedule& schedule) const;
};

/// {"problem":…,"device":…,"only_with":{"MDIMA":"SA"},"roles":{"block_m":"MWG","block_k":32,…}}, or
/// {"problem":…,"device":…,"family":"fma"}; problem and device as in records. InvalidArgument names the field.
absl::StatusOr<KernelDescription> ParseKernelDescription(std::string_view json);

}  // namespace mmtune
