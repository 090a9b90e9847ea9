// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a device could do at most.
#pragma once

#include "proto/types/device_info.h"
#include "proto/types/matmul_problem.h"

namespace mmtune {

/// The most that the multiprocessors can do with `type`, in GFLOPS: 2 (a fused multiply-add) * lanes of a
/// multiprocessor for it * multiprocessors * the highest clock. Lanes of FP32: 64 of sm_75 and sm_80, 128 of sm_86,
/// sm_89, sm_90 (CUDA C++ Programming Guide, "Throughput of Native Arithmetic Instructions"). 0 where it is unknown:
/// for the SIMT device, for other architectures, and where `info.arch` is not the device's own.
double PeakGflops(const DeviceInfo& info, DataType type);

/// An upper bound, in GFLOPS: a time that exceeds it is wrong. For a CUDA device, the peak (with 128 lanes where their
/// number is unknown) and a quarter more, because boards clock above the rate they report. For the SIMT device, 512 for
/// each of its threads: two units of 16 lanes at 8 GHz. Never more than kMostGflops, which also holds where the device
/// reports nothing. Memory bandwidth does not enter: it is not known for any device.
double MostGflops(const DeviceInfo& info, DataType type);
inline constexpr double kMostGflops = 1e6;

}  // namespace mmtune
