// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels written by hand, as MLIR in modules/.
#pragma once

#include <memory>

#include "tests/kernels/mutation/kernel_case.h"

namespace mmtune {

/// cp.async, ldmatrix and mma.sync in four blocks, with a ragged k.
std::unique_ptr<KernelCase> MakeCpAsyncMmaCase();
/// Tensor copies, mbarriers and wgmma in four blocks, with a ragged m and k.
std::unique_ptr<KernelCase> MakeTmaWgmmaCase();

}  // namespace mmtune
