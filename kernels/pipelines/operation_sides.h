// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operations on the side that cannot run them.
#pragma once

#include <memory>

#include "mlir/Pass/Pass.h"

namespace mmtune {

/// On builtin.module, without tensors: an operation of host code in a kernel (a launch, a transfer,
/// an allocation that is not shared memory), or one of kernels in host code, is an error at its
/// place. So is a gpu.memset whose values the runtime cannot write.
std::unique_ptr<mlir::Pass> createCheckOperationSidesPass();

}  // namespace mmtune
