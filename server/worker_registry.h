// The workers that have registered, their devices, and which of them are alive. Kept in memory only: a worker registers
// again when the coordinator does not know it.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "proto/base/clock.h"
#include "proto/types/device_info.h"
#include "proto/types/measurement.h"

namespace mmtune {

struct RegisteredDevice {
  DeviceInfo info;
  Toolchain toolchain;
  int index = 0;  ///< Among the worker's devices of this kind.
};

struct RegisteredWorker {
  std::string id;
  std::string host;
  std::vector<RegisteredDevice> devices;
  TimePoint seen;
  int64_t order = 0;  ///< Of the first registration.
  int64_t measured = 0;
  bool draining = false;
};

/// Not thread-safe.
class WorkerRegistry {
 public:
  /// A worker not heard of for `silence` counts as gone. `clock` must outlive the registry.
  WorkerRegistry(const Clock& clock, Duration silence) : clock_(clock), silence_(silence) {}

  /// Replaces what was known of the worker's devices. ResourceExhausted when too many workers are registered.
  absl::Status Register(std::string_view id, std::string_view host, std::vector<RegisteredDevice> devices);
  /// Null when unknown; otherwise the worker has just been heard of.
  RegisteredWorker* Touch(std::string_view id);
  void SetDraining(RegisteredWorker& worker, bool draining);
  const RegisteredWorker* Find(std::string_view id) const;
  /// Null when the worker has no such device.
  static const RegisteredDevice* FindDevice(const RegisteredWorker& worker, std::string_view device_uuid);

  bool IsLive(const RegisteredWorker& worker) const;
  /// In the order of first registration, the silent ones included.
  std::vector<const RegisteredWorker*> All() const;
  /// In the order of first registration: neither silent nor draining.
  std::vector<const RegisteredWorker*> Live() const;
  /// Grows whenever a worker comes, or comes back to life: jobs that wait for a device may look again.
  int64_t arrivals() const { return arrivals_; }
  /// Forgets workers silent for a long time.
  void Prune();

 private:
  const Clock& clock_;
  const Duration silence_;
  std::map<std::string, RegisteredWorker, std::less<>> workers_;
  int64_t next_order_ = 1;
  int64_t arrivals_ = 0;
};

}  // namespace mmtune
