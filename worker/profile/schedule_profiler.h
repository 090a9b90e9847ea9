// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Profiles one schedule (a kernel family with its parameters, such as tile sizes) without a GPU, for `tune profile`. It
// compiles the schedule, reads the machine code, and counts instructions and memory accesses on the SIMT device (the
// CPU simulator). From these it predicts the time that each part of the GPU takes. docs/profile.md describes the
// result.
//
// The parts of a profile need:
//
//   occupancy, bounds   nothing; without ptxas the number of registers is estimated
//   counters            a problem that the simulator can run, the given one or a smaller one with the same tiles
//   loop, model         ptxas and nvdisasm of the CUDA toolkit, and a main loop in the machine code
#pragma once

#include "absl/status/statusor.h"
#include "kernels/compiler/compiler.h"
#include "proto/json/request_json.h"

namespace mmtune {

/// Profiles a schedule. Returns InvalidArgument if it is not valid for the problem on the device, and other errors if
/// it does not compile. KernelProfile::missing has a line for each part that could not be made. Compiles in this
/// process, so it must be called in a child process only.
absl::StatusOr<KernelProfile> ProfileSchedule(Compiler* compiler, const ProfileRequest& request);

}  // namespace mmtune
