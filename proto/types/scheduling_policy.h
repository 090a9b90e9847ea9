// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How jobs share workers: weight, priority, and the labels and devices of the workers they want.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "proto/types/device_info.h"

namespace mmtune {

/// Labels of a worker, by key (rack=7); or a selector: the labels that a worker must have. The rules are those of
/// Kubernetes.
using Labels = std::map<std::string, std::string>;

/// Checks that there are at most 16 labels, that each key is a name, and that each value is a name or empty. A name is
/// 1 to 63 letters, digits, '-', '_' and '.', and begins and ends with a letter or digit. A key may have a prefix: a
/// DNS name of at most 253 lower-case characters, and a '/'. InvalidArgument in one line.
absl::Status CheckLabels(const Labels& labels);

/// Parses texts such as "rack=7". InvalidArgument: as CheckLabels, no '=', or a key twice.
absl::StatusOr<Labels> ParseLabels(const std::vector<std::string>& texts);

/// Returns "rack=7,zone=a"; empty for none.
std::string LabelsText(const Labels& labels);

/// True if `labels` has everything that `selector` asks for.
bool Selects(const Labels& selector, const Labels& labels);

inline constexpr int kMostWeight = 1000;
inline constexpr int kMostPriority = 100;  ///< Priorities go from -kMostPriority to kMostPriority.

/// A set of devices. A field that is not set matches every device.
struct DeviceClass {
  std::optional<DeviceKind> kind;
  std::string arch;  ///< The device's own architecture.
  std::string name;  ///< "NVIDIA H200"

  bool Has(const DeviceInfo& device) const;
  /// Returns the text that ParseDeviceClass reads.
  std::string Text() const;
  bool operator==(const DeviceClass&) const = default;
};

/// Parses "cuda", "simt", "cuda:sm_90", "cuda:sm_90:NVIDIA H200"; "" for any. InvalidArgument in one line.
absl::StatusOr<DeviceClass> ParseDeviceClass(std::string_view text);

/// The part of a job's specification that says how it shares workers with other jobs.
struct SchedulingPolicy {
  int weight = 1;    ///< 1 to kMostWeight: the share of leases among jobs of one priority that want the same workers.
  int priority = 0;  ///< A job of higher priority gets every lease that it can use before others get any.
  Labels select;     ///< Only workers with these labels measure for it.
  DeviceClass device_class;

  /// True if a worker with these labels may measure for the job on this device.
  bool Wants(const Labels& labels, const DeviceInfo& device) const;
  /// Returns "--select rack=7 and --device-class cuda:sm_90"; empty where every worker will do.
  std::string WantsText() const;
  /// Returns InvalidArgument naming the field of the job.
  absl::Status Validate() const;
};

}  // namespace mmtune
