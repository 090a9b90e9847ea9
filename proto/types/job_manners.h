// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a job shares workers with others: whose turn it is, and which workers it wants.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "proto/types/device_info.h"
#include "proto/types/labels.h"

namespace mmtune {

inline constexpr int kMostWeight = 1000;
inline constexpr int kMostPriority = 100;  ///< Priorities go from -kMostPriority to kMostPriority.

/// A field that is not set matches every device.
struct DeviceClass {
  std::optional<DeviceKind> kind;
  std::string arch;  ///< The device's own.
  std::string name;  ///< "NVIDIA H200"

  bool Has(const DeviceInfo& device) const;
  /// As it is parsed; empty: any.
  std::string Text() const;
  bool operator==(const DeviceClass&) const = default;
};

/// "cuda", "simt", "cuda:sm_90", "cuda:sm_90:NVIDIA H200"; "" for any. InvalidArgument in one line.
absl::StatusOr<DeviceClass> ParseDeviceClass(std::string_view text);

struct JobManners {
  int weight = 1;  ///< 1 to kMostWeight. Jobs of one priority that want the same workers get leases in this proportion.
  int priority = 0;  ///< A job of a higher one gets every lease that it can use before others get any.
  Labels select;     ///< Only workers with these labels measure for it.
  DeviceClass device_class;

  /// Whether a worker with these labels may measure for the job on this device.
  bool Wants(const Labels& labels, const DeviceInfo& device) const;
  /// "--select rack=7 and --device-class cuda:sm_90"; empty where every worker will do.
  std::string WantsText() const;
  /// InvalidArgument names the field of the job.
  absl::Status Validate() const;
};

}  // namespace mmtune
