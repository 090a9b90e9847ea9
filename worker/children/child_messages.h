// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Messages of child.proto from and to the types of kernels/.
#pragma once

#include "absl/status/statusor.h"
#include "kernels/compiled_kernel.h"
#include "worker/children/child.pb.h"
#include "worker/children/measurer.h"

namespace mmtune {

worker::CompiledKernel ToMessage(const CompiledKernel& kernel);
/// InvalidArgument names the field that is out of range.
absl::StatusOr<CompiledKernel> FromMessage(const worker::CompiledKernel& message);

worker::TimeRequest ToMessage(const TimeOptions& options);
absl::StatusOr<TimeOptions> FromMessage(const worker::TimeRequest& message);

worker::Failure ToMessage(const absl::Status& status);
/// Never OK: a failure without a code is Unknown.
absl::Status FromMessage(const worker::Failure& failure);

}  // namespace mmtune
