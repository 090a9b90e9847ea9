// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Profiles one schedule (a kernel family with its parameters, such as tile sizes) without a GPU, for `tune profile`. It
// compiles the schedule, reads the machine code, and counts instructions and memory accesses on the SIMT device (the
// CPU simulator). From these it predicts where the time goes. docs/profile.md describes the result.
#pragma once

#include "absl/status/statusor.h"
#include "kernels/compiler/compiler.h"
#include "proto/json/request_json.h"

namespace mmtune {

/// Profiles a schedule. Returns InvalidArgument if it is not valid for the problem on the device, and other errors if
/// it does not compile. Parts that cannot be made (there is no assembler, no disassembler, no main loop, or no small
/// problem) are listed in KernelProfile::missing. Compiles in this process, so it must be called in a child process
/// only.
absl::StatusOr<KernelProfile> ProfileSchedule(Compiler* compiler, const ProfileRequest& request);

}  // namespace mmtune
