// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/tune/session/device_match.h"

#include <unistd.h>

namespace mmtune {
namespace {

const v1::DeviceInfo* MatchingOfKind(const v1::ServerInfo& info, DeviceKind kind, int wanted_index) {
  for (const v1::WorkerStatus& worker : info.workers()) {
    if (!worker.live()) continue;
    for (int i = 0; i < worker.devices_size(); ++i) {
      if (worker.devices(i).kind() != DeviceKindName(kind)) continue;
      const int index = i < worker.device_indexes_size() ? worker.device_indexes(i) : -1;
      if (wanted_index < 0 || wanted_index == index) return &worker.devices(i);
    }
  }
  return nullptr;
}

}  // namespace

const v1::DeviceInfo* MatchingDevice(const v1::ServerInfo& info, const DeviceSelector& selector) {
  const v1::DeviceInfo* device = nullptr;
  if (selector.kind != DeviceSelector::Kind::kSimt) device = MatchingOfKind(info, DeviceKind::kCuda, selector.index);
  if (device == nullptr && selector.kind != DeviceSelector::Kind::kCuda) {
    device = MatchingOfKind(info, DeviceKind::kSimt, selector.index);
  }
  return device;
}

bool NeedsOwnWorker(const v1::ServerInfo& info, const DeviceSelector& selector, bool host_has_cuda) {
  const v1::DeviceInfo* device = MatchingDevice(info, selector);
  if (device == nullptr) return true;
  const bool falls_to_simt =
      selector.kind == DeviceSelector::Kind::kAuto && device->kind() != DeviceKindName(DeviceKind::kCuda);
  return falls_to_simt && host_has_cuda;
}

bool HostHasCuda() { return access("/dev/nvidiactl", F_OK) == 0; }

}  // namespace mmtune
