// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conversions of f16 and bf16 that compiled code calls where the processor has no instruction for them. The compiler's
// own library has them too, but that of GCC 12 none to bf16, and a program linked by ld alone none at all.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace mmtune {

/// Name and address of each: __truncsfbf2 and its like, as compiler-rt has them. Rounded to nearest, ties to even; NaNs
/// stay NaNs.
std::vector<std::pair<std::string, void*>> SupportRoutines();

}  // namespace mmtune
