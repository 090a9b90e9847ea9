// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Verifies launches of any kernel in PTX on the SIMT device, for `tune verify FILE`. For each shape it runs:
//
//   1. race detection in the plain order, then in a random order, where the first found nothing;
//   2. the plain order on random operands, which for a matmul must be within the rounding bound;
//   3. random orders of threads and blocks: for a matmul on integers, where the result must be exact, and then on the
//      operands of run 2, where the kernel is deterministic if the result has the same bits as that of run 2.
//
// The verification ends at the first shape in which an access or a barrier is wrong. A race does not end it.
#pragma once

#include <functional>

#include "absl/status/statusor.h"
#include "proto/json/kernel_request_json.h"

namespace mmtune {

/// Verifies the request's launches. Returns InvalidArgument if the text is not PTX, or if the launches do not fit it.
/// If a step does not end within the limit, `on_limit` is called with the answer so far, and must end the process.
absl::StatusOr<KernelVerifyAnswer> VerifyKernel(const KernelVerifyRequest& request,
                                                const std::function<void(const KernelVerifyAnswer&)>& on_limit);

}  // namespace mmtune
