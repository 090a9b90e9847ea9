// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The device that a model is compiled for.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "kernels/tools/compile_options.h"
#include "proto/types/device_info.h"
#include "proto/json/tuning_spec.h"

namespace mmtune {

/// The devices of this machine, for targets that name no arch and specs of several devices.
struct HostDevices {
  std::function<std::vector<DeviceInfo>()> cuda;  ///< By ordinal.
  std::function<DeviceInfo(const std::string& arch)> simt;

  static HostDevices Real();
};

/// Kind and arch are those of the options; the rest is that of the device whose entries in the spec are used, so that
/// its ClassKey() is theirs: the one named by --device-name, else this machine's, else the only one. A
/// target with the features of one chip alone (sm_90a) takes the entries of the one without (sm_90), where it has none
/// of its own, and promises no code for them. With --allow-other-device, a spec without entries for the kind and arch
/// has all of its entries ascribed to the target. InvalidArgument otherwise, naming what the spec has.
absl::StatusOr<DeviceInfo> ChooseTarget(const CompileOptions& options, const HostDevices& host, TuningSpec* spec);

}  // namespace mmtune
