// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Devices and shapes for tests of kernel families.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "proto/types/device_info.h"
#include "proto/types/matmul_problem.h"
#include "proto/types/schedule.h"

namespace mmtune {

inline DeviceInfo TestDevice(std::string_view arch, DeviceKind kind = DeviceKind::kCuda) {
  DeviceInfo device = *ArchitectureLimits(arch);
  device.kind = kind;
  device.multiprocessors = kind == DeviceKind::kCuda ? 128 : 2;
  return device;
}

/// A shape, and what is not plain about the problem.
inline MatmulProblem TestProblem(std::string_view shape, int64_t batch = 1, bool transpose_b = false,
                                 std::string_view epilogue = "") {
  MatmulProblem problem = *ParseMatmulShape(shape, DataType::kF32);
  problem.batch = batch;
  problem.transpose_b = transpose_b;
  problem.epilogue = *ParseEpilogue(epilogue);
  return problem;
}

/// The problem with elements of every type, plain f32 first: a family takes some of them. Of s8 without the epilogue,
/// which integers do not have.
inline std::vector<MatmulProblem> InEveryType(const MatmulProblem& problem) {
  std::vector<MatmulProblem> problems(8, problem);
  problems[1].math = MathMode::kTf32;
  problems[2].dtype = DataType::kF16;
  problems[3].dtype = DataType::kBf16;
  problems[3].out = OutputType::kF32;
  problems[1].transpose_a = problems[3].transpose_a = true;
  problems[4].math = MathMode::kTf32x3;
  problems[5].math = MathMode::kBf16x6;
  problems[6].dtype = DataType::kS8;
  problems[6].epilogue.clear();
  problems[7].dtype = DataType::kF64;
  return problems;
}

/// The reference schedule with some parameters changed: "stages=2 async=0".
inline Schedule ReferenceSchedule(std::string_view changes = "") {
  Schedule schedule = *ParseSchedule(
      "fma async=1 bk=16 bm=128 bn=128 fragments=1 group_m=1 kmajor_a=0 lm=4 min_blocks=2 order=1 pad_a=4 pad_b=0 "
      "reduction=0 slice_k=1 split_k=1 "
      "stages=3 stream_k=1 tm=8 tn=8 unroll_k=16");
  if (changes.empty()) return schedule;
  const Schedule changed = *ParseSchedule("simt " + std::string(changes));
  for (const auto& [name, value] : changed.params) schedule.params[name] = value;
  return schedule;
}

}  // namespace mmtune
