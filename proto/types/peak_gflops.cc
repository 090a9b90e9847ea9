// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "proto/types/peak_gflops.h"

#include <algorithm>

#include "absl/strings/str_cat.h"

namespace mmtune {
namespace {

/// FP32 lanes of a multiprocessor; 0: unknown.
int64_t LanesF32(int compute_capability) {
  switch (compute_capability) {
    case 75:
    case 80:
      return 64;
    case 86:
    case 89:
    case 90:
      return 128;
    default:
      return 0;
  }
}

constexpr int64_t kMostLanes = 128;
constexpr double kBoost = 1.25;
constexpr double kSimtGflopsPerThread = 512;

double Peak(int64_t lanes, const DeviceInfo& info) {
  return 2e-6 * static_cast<double>(lanes) * static_cast<double>(info.multiprocessors) *
         static_cast<double>(info.clock_khz);
}

}  // namespace

double PeakGflops(const DeviceInfo& info, DataType type) {
  if (info.kind != DeviceKind::kCuda || type != DataType::kF32) return 0;
  // A device keeps its own attributes when it runs code of an older architecture.
  const absl::StatusOr<DeviceInfo> own = ArchitectureLimits(absl::StrCat("sm_", info.ComputeCapability()));
  if (!own.ok() || own->shared_bytes_per_multiprocessor != info.shared_bytes_per_multiprocessor) return 0;
  return Peak(LanesF32(info.ComputeCapability()), info);
}

double MostGflops(const DeviceInfo& info, DataType type) {
  double most = kSimtGflopsPerThread * static_cast<double>(info.multiprocessors);
  if (info.kind == DeviceKind::kCuda) {
    const double known = PeakGflops(info, type);
    most = kBoost * (known > 0 ? known : Peak(kMostLanes, info));
  }
  return info.multiprocessors > 0 && most > 0 ? std::min(most, kMostGflops) : kMostGflops;
}

}  // namespace mmtune
