// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Profiles one schedule without a GPU: compiles it, reads its machine code, counts on the SIMT device, and models.
#pragma once

#include "absl/status/statusor.h"
#include "kernels/compiler/compiler.h"
#include "proto/json/request_json.h"

namespace mmtune {

/// InvalidArgument when the schedule is not valid for the problem on the device; other errors: it does not compile.
/// What else cannot be had (no assembler, no disassembler, no loop, no small problem) is a line of
/// KernelProfile::missing. Compiles in this process, so only a child calls it.
absl::StatusOr<KernelProfile> ProfileSchedule(Compiler* compiler, const ProfileRequest& request);

}  // namespace mmtune
