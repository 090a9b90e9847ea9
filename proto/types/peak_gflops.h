// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a device could do at most.
#pragma once

#include "proto/types/device_info.h"
#include "proto/types/matmul_problem.h"

namespace mmtune {

/// The most that the multiprocessors can do with elements of `type`, in GFLOPS: 2 (a fused multiply-add) * those that a
/// multiprocessor begins in a cycle * multiprocessors * the highest clock. Of f32 64 for sm_75 and sm_80, else 128
/// (CUDA C++ Programming Guide); of dense products on tensor cores with sums of f32, f16 and bf16 | tf32: 512 | - for
/// sm_75 (T4), 1024 | 512 for sm_80 (A100), 512 | 256 for sm_86, sm_89, sm_120 (A40, L40S, RTX PRO 6000; GeForce does
/// half), 2048 | 1024 for sm_90 (H100), 4096 | 2048 for sm_100 (B200), by data sheets. Of tf32x3 tf32's / 3, of bf16x6
/// f16's / 6, in f32 products: on sm_86, sm_89, sm_120 below f32's own. Of s8 twice f16's, of s32, on CUDA cores, 64.
/// Of f64, on the faster of CUDA and tensor cores, 64 for sm_80 and sm_100, 128 for sm_90, else 2. 0 where unknown: of
/// the SIMT device, other architectures, and where `info.arch` is not the device's own.
double PeakGflops(const DeviceInfo& info, DataType type, MathMode math = MathMode::kIeee);

/// Those multiply-adds that a multiprocessor begins in a cycle, of the newest architecture above that is not newer than
/// `compute_capability`, or of the oldest one; 0 where it has no such instruction.
int64_t MultiplyAddsPerCycle(int compute_capability, DataType type, MathMode math = MathMode::kIeee);

/// Boards clock above the rate they report, but not by more than this.
inline constexpr double kMostBoost = 1.25;

/// An upper bound, in GFLOPS: a time that exceeds it is wrong. For a CUDA device, the peak (where that is unknown, the
/// highest of those above, and for tensor cores twice that), times kMostBoost. For the SIMT device, 512 for each of its
/// threads: two units of 16 lanes at 8 GHz. Never more than kMostGflops, which also holds where the device reports
/// nothing. Memory bandwidth does not enter: it is not known for any device.
double MostGflops(const DeviceInfo& info, DataType type, MathMode math = MathMode::kIeee);
inline constexpr double kMostGflops = 1e7;

}  // namespace mmtune
