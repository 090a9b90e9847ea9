// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Verifies launches of any kernel in PTX on the SIMT device (the CPU simulator), for `tune verify FILE`. "Plain order"
// and "random order" are orders in which threads and blocks run. For each shape there are these runs:
//
//   1. with race detection in the plain order and, if that found nothing, in a random order;
//   2. in the plain order on random operands; the result of a matmul must be within the rounding bound;
//   3. in random orders: a matmul first on integer operands, for which the result must be exact; then any kernel on the
//      operands of run 2. It is deterministic if the results have the same bits as that of run 2.
//
// The verification ends at the first shape with a wrong memory access or barrier. A race does not end it.
#pragma once

#include <functional>

#include "absl/status/statusor.h"
#include "proto/json/kernel_request_json.h"

namespace mmtune {

/// Verifies the request's launches. Returns InvalidArgument if the text is not PTX, or if the launches do not match its
/// kernels. If a step takes longer than the request's limit, `on_limit` is called with the answer so far, and must end
/// the process.
absl::StatusOr<KernelVerifyAnswer> VerifyKernel(const KernelVerifyRequest& request,
                                                const std::function<void(const KernelVerifyAnswer&)>& on_limit);

}  // namespace mmtune
