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

}  // namespace mmtune
