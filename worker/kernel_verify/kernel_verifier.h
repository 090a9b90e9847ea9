// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Verifies launches of any kernel in PTX on the SIMT device, for `tune verify FILE`. For each shape it runs:
//
//   1. race detection in the plain order, then in a random order, where the first found nothing;
//   2. the plain order on random operands, which for a matmul must be within the rounding bound;
//   3. random orders of threads and blocks: exact on integers for a matmul, and with the bits of run 2 otherwise.
//
// A shape in which an access or a barrier is wrong ends the verification; a race does not.
#pragma once

#include <functional>

#include "absl/status/statusor.h"
#include "proto/json/kernel_request_json.h"

namespace mmtune {

/// Verifies the request's launches. InvalidArgument: the text is no PTX, or the launches do not fit it. A step that
/// does not end within the limit calls `on_limit` with what is known, which must end the process.
absl::StatusOr<KernelVerifyAnswer> VerifyKernel(const KernelVerifyRequest& request,
                                                const std::function<void(const KernelVerifyAnswer&)>& on_limit);

}  // namespace mmtune
