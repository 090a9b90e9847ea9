// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a device could do at most.
#pragma once

#include "proto/types/device_info.h"
#include "proto/types/matmul_problem.h"

namespace mmtune {

/// The most that the multiprocessors can do with elements of `type`, in GFLOPS: 2 (a fused multiply-add) * those that a
/// multiprocessor begins in a cycle * multiprocessors * the highest clock. 0 where it is unknown: for the SIMT device,
/// for other architectures, and where `info.arch` is not the device's own. Multiply-adds that begin in a cycle:
///
///                          f32   f16, bf16   tf32   s8     f64
///   sm_75 (T4)             64    512         -      1024   2
///   sm_80 (A100)           64    1024        512    2048   64
///   sm_86, sm_89, sm_120   128   512         256    1024   2     (A40, L40S, RTX PRO 6000; GeForce does half)
///   sm_90 (H100)           128   2048        1024   4096   128
///   sm_100 (B200)          128   4096        2048   8192   64
///
/// f32 is from the CUDA C++ Programming Guide, the rest from data sheets: dense products on tensor cores with sums of
/// f32 (s8: of s32), f64 on the faster of CUDA and tensor cores. In f32 products, tf32x3 has a third of tf32's and
/// bf16x6 a sixth of bf16's: on sm_86, sm_89 and sm_120 less than f32 itself. s32 has 64, on CUDA cores.
double PeakGflops(const DeviceInfo& info, DataType type, MathMode math = MathMode::kIeee);

/// Those multiply-adds that a multiprocessor begins in a cycle, of the newest architecture above that is not newer than
/// `compute_capability`, or of the oldest one; 0 where it has no such instruction.
int64_t MultiplyAddsPerCycle(int compute_capability, DataType type, MathMode math = MathMode::kIeee);

/// Boards clock above the rate they report. That none does by more than this is assumed: no data sheet says a most.
inline constexpr double kMostBoost = 1.25;

/// An upper bound, in GFLOPS: a time that exceeds it is wrong. For a CUDA device, the peak (where that is unknown, the
/// highest of those above, and for tensor cores twice that), times kMostBoost. For the SIMT device, 512 for each of its
/// threads: two units of 16 lanes at 8 GHz. Never more than kMostGflops, which also holds where the device reports
/// nothing. Memory bandwidth does not enter: it is not known for any device.
double MostGflops(const DeviceInfo& info, DataType type, MathMode math = MathMode::kIeee);
inline constexpr double kMostGflops = 1e7;

}  // namespace mmtune
