// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "proto/types/peak_gflops.h"

#include <algorithm>

#include "absl/strings/str_cat.h"

namespace mmtune {
namespace {

/// Fused multiply-adds that a multiprocessor of an architecture begins in a cycle; 0: none, or unknown.
struct Throughput {
  int compute_capability;
  int64_t f32, tf32, f16;  ///< f16 and bf16 with sums of f32.
  int64_t f64;             ///< The faster of CUDA and tensor cores.
};
/// IMAD, of every architecture of the table.
constexpr int64_t kIntegerProducts = 64;
constexpr Throughput kThroughputs[] = {
    {75, 64, 0, 512, 2},        {80, 64, 512, 1024, 64},    {86, 128, 256, 512, 2},  {89, 128, 256, 512, 2},
    {90, 128, 1024, 2048, 128}, {100, 128, 2048, 4096, 64}, {120, 128, 256, 512, 2},
};
/// For an architecture that is not in the table: as for the highest that is, and for tensor cores twice as much.
constexpr Throughput kMost = {0, 128, 4096, 8192, 256};

int64_t OfType(const Throughput& throughput, DataType type, MathMode math) {
  if (type == DataType::kF64) return throughput.f64;
  if (type == DataType::kS32) return kIntegerProducts;
  if (type != DataType::kF32) return throughput.f16 * 2 / DataTypeBytes(type);
  switch (math) {
    case MathMode::kIeee:
      return throughput.f32;
    case MathMode::kTf32:
      return throughput.tf32;
    case MathMode::kTf32x3:
      return throughput.tf32 / 3;
    case MathMode::kBf16x6:
      return throughput.f16 / 6;
  }
  return throughput.f32;
}

int64_t Lanes(int compute_capability, DataType type, MathMode math) {
  for (const Throughput& throughput : kThroughputs) {
    if (throughput.compute_capability == compute_capability) return OfType(throughput, type, math);
  }
  return 0;
}

constexpr double kSimtGflopsPerThread = 512;

double Peak(int64_t lanes, const DeviceInfo& info) {
  return 2e-6 * static_cast<double>(lanes) * static_cast<double>(info.multiprocessors) *
         static_cast<double>(info.clock_khz);
}

}  // namespace

int64_t MultiplyAddsPerCycle(int compute_capability, DataType type, MathMode math) {
  const Throughput* newest = &kThroughputs[0];
  for (const Throughput& throughput : kThroughputs) {
    if (throughput.compute_capability <= compute_capability) newest = &throughput;
  }
  return OfType(*newest, type, math);
}

double PeakGflops(const DeviceInfo& info, DataType type, MathMode math) {
  if (info.kind != DeviceKind::kCuda) return 0;
  // A device keeps its own attributes when it runs code of an older architecture.
  const absl::StatusOr<DeviceInfo> own = ArchitectureLimits(absl::StrCat("sm_", info.ComputeCapability()));
  if (!own.ok() || own->shared_bytes_per_multiprocessor != info.shared_bytes_per_multiprocessor) return 0;
  return Peak(Lanes(info.ComputeCapability(), type, math), info);
}

double MostGflops(const DeviceInfo& info, DataType type, MathMode math) {
  double most = kSimtGflopsPerThread * static_cast<double>(info.multiprocessors);
  if (info.kind == DeviceKind::kCuda) {
    const double known = PeakGflops(info, type, math);
    most = kMostBoost * (known > 0 ? known : Peak(OfType(kMost, type, math), info));
  }
  return info.multiprocessors > 0 && most > 0 ? std::min(most, kMostGflops) : kMostGflops;
}

}  // namespace mmtune
