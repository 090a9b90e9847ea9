// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One candidate proven and checked for `tune verify`, by the children that a daemon would use.
#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "proto/base/clock.h"
#include "proto/json/verify_json.h"
#include "proto/types/device_info.h"

namespace mmtune {

struct Verification {
  std::string executable;  ///< Of the children.
  DeviceSelector device;   ///< One; of several CUDA devices the first. Its arch is what the code is for, or empty.
  VerifyRequest request;
  Duration device_wait = Duration::max();  ///< See ProcessEvaluatorOptions.
};

/// Whatever becomes of the candidate is in the answer; nothing that was proven before is reused. Errors: NotFound when
/// there is no such device; IsDeviceBusy (timing_gate.h); the worker's own failures.
absl::StatusOr<VerifyAnswer> Verify(const Verification& options);

}  // namespace mmtune
