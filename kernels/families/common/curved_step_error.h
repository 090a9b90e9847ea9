// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How exact the curved steps of an epilogue (gelu, gelu_tanh, silu, tanh) are: what emitted kernels keep, and what
// checks ask.
#pragma once

namespace mmtune {

/// Where f is the step as matmul_problem.h defines it, a kernel computes f(x) of a number x of f32 in f32, with an
/// error of at most kCurvedStepRelativeError * |f(x)| + kCurvedStepAbsoluteError: four units in the last place of f32,
/// or 2^-28. NaN stays NaN. Infinity stays infinity, and that of the other sign becomes 0; of tanh they are 1 and -1,
/// and numbers near 0 are as exact as others. The steps are the same
/// arithmetic on every device, of additions, multiplications and fused multiply-adds that round as IEEE 754 says.
inline constexpr double kCurvedStepRelativeError = 0x1p-21;
inline constexpr double kCurvedStepAbsoluteError = 0x1p-28;

}  // namespace mmtune
