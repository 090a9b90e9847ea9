// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `tune replay` reads tables of schedules with recorded times (landscape_file.h), in CSV or from Kernel Tuner. A
// description says which role each parameter of such a table has in a matmul kernel, such as the width of a block's
// tile. With it, features and a predicted time can be computed for the schedules. The parameters are those of a kernel
// family of mmtune, or those of another matmul kernel.
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

/// The part of one operand, A or B, that a block reads in one k step. Widths are counted in floats. Each thread
/// multiplies a contiguous part of the tile's width.
struct BlockOperand {
  int64_t width;       ///< The width of the block's tile.
  int64_t per_thread;  ///< The width of a thread's part.
  LaneOffsets parts;   ///< The index of the part that each lane of a warp multiplies.
  int64_t vector;      ///< The number of floats of one load or copy: 1, 2 or 4.
  bool shared;         ///< True if the tile is staged in shared memory.
  /// The number of threads that copy one row, each a contiguous piece of it; 0: assume no bank conflicts.
  int64_t copy_threads;
};

/// Adds to `cost` the cost of reading and copying the operand in one k step. Only the tile and the number of threads of
/// `geometry` are used. A request to shared memory costs the wavefronts that kernels/perf_model/warp_request.h
/// computes. A request to global memory is split into parts of 32 / `vector` lanes. Each part costs one wavefront for
/// each line of 128 bytes that it touches, because L1 serves the lines one after another (CUDA C++ Programming Guide,
/// editions up to 11, "Global Memory" of compute capability 2.x and 3.x).
void AddOperand(const BlockOperand& operand, const ScheduleGeometry& geometry, LoopCost& cost);

/// The value of a role: the name of the parameter that has it, or a constant.
using KernelRole = std::variant<int64_t, std::string>;

/// Describes an f32 matmul kernel on CUDA cores. A block computes a tile of C, and each of its threads a part of the
/// tile. It reads tiles of A and B along k, from shared memory if they are staged there, otherwise from global memory.
struct KernelDescription {
  MatmulProblem problem;
  DeviceInfo device;
  std::string family;  ///< A family of mmtune; the members below are then unset. Empty for any other kernel.
  /// Maps a parameter to another one. If the other one is 0, the parameter has no effect.
  std::map<std::string, std::string> only_with;
  KernelRole block_m, block_n, block_k;  ///< The size of a block's tile.
  KernelRole threads_m, threads_n;       ///< The number of a block's threads along M and N.
  KernelRole vector_a, vector_b;         ///< The number of floats of one load.
  KernelRole shared_a, shared_b;         ///< 1 if the tile is staged in shared memory, otherwise 0.
  /// The number of threads that copy one row of the tile, each a contiguous piece of it; 0: unknown.
  KernelRole copy_threads_a, copy_threads_b;

  /// Returns the features of a schedule: its parameters (0 for those without effect, see only_with), then
  /// GeometryFeatures() and a few ratios of the tile sizes.
  std::vector<double> Features(const Schedule& schedule) const;
  /// Predicts the time of a schedule on `device`, with kernels/perf_model.
  PredictedTime Predict(const Schedule& schedule) const;
  /// Returns the tile, threads and memory accesses of a schedule, from which Predict() computes its time.
  ScheduleGeometry Describe(const Schedule& schedule) const;

  /// Returns InvalidArgument if the description names a parameter that the schedule does not have, or one whose value
  /// is too small for its role.
  absl::Status CheckParameters(const Schedule& schedule) const;
};

/// Parses {"problem":…,"device":…,"only_with":{"MDIMA":"SA"},"roles":{"block_m":"MWG","block_k":32,…}}, or
/// {"problem":…,"device":…,"family":"fma"}. Problem and device are written as in exported records. Returns
/// InvalidArgument with the field that is wrong.
absl::StatusOr<KernelDescription> ParseKernelDescription(std::string_view json);

}  // namespace mmtune
