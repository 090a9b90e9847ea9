// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The rules by which a job (one search) shares the workers with other jobs: its weight and priority, and which workers
// and devices may measure for it. Terms and syntax are those of Kubernetes labels and selectors.
//
// Example: a job with select "rack=7" and device class "cuda:sm_90" is measured only by workers with the label rack=7,
// on their H100 or H200 GPUs.
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

/// The labels of a worker (rack=7), or a selector: the labels that a worker must have.
using Labels = std::map<std::string, std::string>;

/// Returns InvalidArgument in one line unless these rules of Kubernetes hold:
/// - There are at most 16 labels. Each key is a name; each value is a name or empty.
/// - A name has 1 to 63 letters, digits, '-', '_' and '.', and begins and ends with a letter or digit.
/// - A key may have a prefix: a DNS name of at most 253 lower-case characters, and a '/'.
absl::Status CheckLabels(const Labels& labels);

/// Parses texts such as "rack=7". Returns InvalidArgument for a text without '=', a key that is given twice, or a label
/// that CheckLabels() refuses.
absl::StatusOr<Labels> ParseLabels(const std::vector<std::string>& texts);

/// Returns "rack=7,zone=a", or "" for no labels.
std::string LabelsText(const Labels& labels);

/// True if `labels` contains every label of `selector`.
bool Selects(const Labels& selector, const Labels& labels);

/// The largest weight of a job.
inline constexpr int kMaxWeight = 1000;
/// The largest priority of a job; the smallest is -kMaxPriority.
inline constexpr int kMaxPriority = 100;

/// A set of devices. A field that is not set matches every device.
struct DeviceClass {
  std::optional<DeviceKind> kind;
  std::string arch;  ///< The device's own architecture: "sm_90".
  std::string name;  ///< "NVIDIA H200"

  /// True if the device is in the set.
  bool Has(const DeviceInfo& device) const;
  /// Returns the text that ParseDeviceClass() reads.
  std::string Text() const;
  bool operator==(const DeviceClass&) const = default;
};

/// Parses "cuda", "simt", "cuda:sm_90" or "cuda:sm_90:NVIDIA H200"; "" is any device. Returns InvalidArgument in one
/// line for anything else.
absl::StatusOr<DeviceClass> ParseDeviceClass(std::string_view text);

/// The part of a job's specification that says how the job shares workers with other jobs.
struct SchedulingPolicy {
  /// The job's share of workers relative to jobs of the same priority: twice the weight gets twice the leases, of which
  /// each is the right to measure one schedule. 1 to kMaxWeight.
  int weight = 1;
  /// Jobs of higher priority get every lease that they can use before other jobs get any.
  int priority = 0;
  Labels select;             ///< Only workers with these labels measure for the job.
  DeviceClass device_class;  ///< Only these devices measure for the job.

  /// True if a worker with these labels may measure for the job on this device.
  bool Wants(const Labels& labels, const DeviceInfo& device) const;
  /// Returns the requirements as options: "--select rack=7 and --device-class cuda:sm_90". Empty if every worker will
  /// do.
  std::string RequirementsText() const;
  /// Returns InvalidArgument naming the field of the job that is wrong.
  absl::Status Validate() const;
};

}  // namespace mmtune
