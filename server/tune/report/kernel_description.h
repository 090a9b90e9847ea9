// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Describes what the columns of a table of schedules mean, so that a search can use features and predictions: they are
// the parameters of a family of mmtune, or those of another matmul kernel.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "absl/status/statusor.h"
#include "kernels/perf_model/schedule_geometry.h"
#include "kernels/perf_model/warp_request.h"
#include "proto/types/device_info.h"
#include "proto/types/kernel_family.h"
#include "proto/types/matmul_problem.h"
#include "proto/types/schedule.h"

namespace mmtune {

/// One operand of a block's tile, in floats. Each thread multiplies a contiguous part of it.
struct BlockOperand {
  int64_t width;         ///< Width of the block's tile.
  int64_t per_thread;    ///< Width of the thread's part.
  LaneOffsets parts;     ///< The part of each lane of a warp, from 0.
  int64_t vector;        ///< Floats of a load or copy: 1, 2 or 4.
  bool shared;           ///< Staged in shared memory.
  int64_t copy_threads;  ///< Threads that copy one row, a contiguous piece each; 0: without bank conflicts.
};

/// Adds the cost of reading and copying the operand in a k step of `geometry`, whose tile and threads count. Requests
/// to shared memory cost the wavefronts of kernels/perf_model/warp_request.h. Requests to global memory cost the lines
/// of 128 bytes that each of their parts touches, which L1 serves one after another (CUDA C++ Programming Guide,
/// editions up to 11, "Global Memory" of compute capability 2.x and 3.x).
void AddOperand(const BlockOperand& operand, const ScheduleGeometry& geometry, LoopCost& cost);

/// The name of a parameter, or its constant value.
using KernelRole = std::variant<int64_t, std::string>;

/// An f32 kernel on CUDA cores. A block computes a tile of C, each thread a part of it, from tiles of A and B along k
/// that are staged in shared memory or read from global memory.
struct KernelDescription {
  MatmulProblem problem;
  DeviceInfo device;
  std::string family;  ///< A family of mmtune: the members below are unset. Empty: another kernel.
  /// Maps a parameter to the one that switches it off by 0.
  std::map<std::string, std::string> only_with;
  KernelRole block_m, block_n, block_k;  ///< The tile of a block.
  KernelRole threads_m, threads_n;       ///< The threads of a block.
  KernelRole vector_a, vector_b;         ///< Floats of one load.
  KernelRole shared_a, shared_b;         ///< 1: staged in shared memory.
  /// Threads that copy one row of the tile, a contiguous piece each; 0: unknown.
  KernelRole copy_threads_a, copy_threads_b;

  /// Returns the parameters, 0 if switched off, and GeometryFeatures() of the geometry.
  std::vector<double> Features(const Schedule& schedule) const;
  PredictedTime Predict(const Schedule& schedule) const;
  ScheduleGeometry Describe(const Schedule& schedule) const;

  /// Returns InvalidArgument if it names a parameter that the schedule lacks, or whose value is below its role's least.
  absl::Status CheckParameters(const Schedule& schedule) const;
};

/// Parses {"problem":…,"device":…,"only_with":{"MDIMA":"SA"},"roles":{"block_m":"MWG","block_k":32,…}}, or
/// {"problem":…,"device":…,"family":"fma"}; problem and device as in records. InvalidArgument names the field.
absl::StatusOr<KernelDescription> ParseKernelDescription(std::string_view json);

}  // namespace mmtune
