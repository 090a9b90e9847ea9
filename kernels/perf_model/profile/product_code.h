// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The machine code of the kernel that makes the products, of all that a schedule launches.
#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "kernels/compiled_kernel.h"
#include "kernels/perf_model/profile/sass.h"
#include "proto/types/kernel_profile.h"

namespace mmtune {

/// The kernel that makes the products: the first that is launched; empty where none is.
std::string ProductKernel(const LaunchPlan& plan);

/// Its machine code and its hot loop.
struct ProductCode {
  SassListing listing;
  const SassFunction* function = nullptr;  ///< Of the listing, also once this is moved.
  SassLoop loop;
  std::vector<double> wavefronts;  ///< Of each instruction of the loop, as WavefrontsOf() has them.
};

/// Of a cubin for `arch`; `counters` may be null. FailedPrecondition where there is no disassembler, or the image is no
/// cubin; other errors: it cannot be read, or has no loop that multiplies.
absl::StatusOr<ProductCode> ReadProductCode(const CompiledKernel& kernel, const std::string& arch,
                                            const ProfiledCounters* counters);

}  // namespace mmtune
