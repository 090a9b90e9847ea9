// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a device could do at most.
#pragma once

#include "proto/types/device_info.h"
#include "proto/types/matmul_problem.h"

namespace mmtune {

/// The most that the multiprocessors can do with `type`, in GFLOPS: 2 (a fused multiply-add) * lanes of a
/// multiprocessor for it * multiprocessors * the highest clock. Lanes of FP32: 64 of sm_75 and sm_80, 128 of sm_86,
/// sm_89, sm_90 (CUDA C++ Programming Guide, "Throughput of Native Arithmetic Instructions"). 0 where it is unknown: of
/// the SIMT device, of other architectures, and where `info.arch` is not the device's own.
double PeakGflops(const DeviceInfo& info, DataType type);

/// What nothing exceeds, in GFLOPS; a time that does is wrong. Of a CUDA device the peak, as if it had 128 lanes where
/// they are unknown, and a quarter more, as boards clock above the rate they tell. Of the SIMT device 512 for each of
/// its threads: two units of 16 lanes at 8 GHz. Never more than kMostGflops, which holds where the device says nothing.
/// Memory bandwidth is not known of any device.
double MostGflops(const DeviceInfo& info, DataType type);
inline constexpr double kMostGflops = 1e6;

}  // namespace mmtune
