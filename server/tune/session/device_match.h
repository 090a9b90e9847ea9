// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The device of a coordinator's workers that a job will get.
#pragma once

#include "mmtune/v1/tuning.pb.h"
#include "proto/types/device_info.h"

namespace mmtune {

/// The device of a live worker for a job with `selector`, chosen as the coordinator chooses: CUDA before SIMT, workers
/// in the order listed. Points into `info`; null when there is none.
const v1::DeviceInfo* MatchingDevice(const v1::ServerInfo& info, const DeviceSelector& selector);

/// Whether a worker of our own would give a job for `selector` a device it would not get otherwise: none matches, or
/// `auto` would fall to the SIMT device although this host has CUDA devices.
bool NeedsOwnWorker(const v1::ServerInfo& info, const DeviceSelector& selector, bool host_has_cuda);

/// A cheap test: the CUDA driver's control device exists.
bool HostHasCuda();

}  // namespace mmtune
