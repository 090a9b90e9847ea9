// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A device with less memory than the one it runs on.
#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "kernels/runtime/device/device.h"

namespace mmtune {

struct MemoryUse {
  int64_t limit = 0;  ///< Allocations beyond it fail.
  int64_t live = 0, peak = 0;
  int refused = 0;
};

/// Passes everything on but counts the memory, in `use`, which must outlive it, and says that it has `reported_bytes`.
class LimitedDevice : public Device {
 public:
  LimitedDevice(std::unique_ptr<Device> device, int64_t reported_bytes, MemoryUse* use)
      : device_(std::move(device)), info_(device_->info()), use_(use) {
    info_.memory_bytes = reported_bytes;
  }

  const DeviceInfo& info() const override { return info_; }
  DeviceInfo& mutable_info() { return info_; }
  absl::StatusOr<DevicePtr> Allocate(size_t bytes) override {
    const auto size = static_cast<int64_t>(bytes);
    if (use_->live + size > use_->limit) {
      ++use_->refused;
      return absl::ResourceExhaustedError("over the limit of the test");
    }
    absl::StatusOr<DevicePtr> pointer = device_->Allocate(bytes);
    if (!pointer.ok()) return pointer;
    sizes_[*pointer] = size;
    use_->live += size;
    use_->peak = std::max(use_->peak, use_->live);
    return pointer;
  }
  absl::Status Free(DevicePtr ptr) override {
    use_->live -= sizes_[ptr];
    sizes_.erase(ptr);
    return device_->Free(ptr);
  }
  absl::Status CopyToDevice(DevicePtr dst, const void* src, size_t bytes, StreamHandle stream) override {
    return device_->CopyToDevice(dst, src, bytes, stream);
  }
  absl::Status CopyToHost(void* dst, DevicePtr src, size_t bytes, StreamHandle stream) override {
    return device_->CopyToHost(dst, src, bytes, stream);
  }
  absl::Status CopyOnDevice(DevicePtr dst, DevicePtr src, size_t bytes, StreamHandle stream) override {
    return device_->CopyOnDevice(dst, src, bytes, stream);
  }
  absl::Status Fill32(DevicePtr dst, uint32_t value, size_t count, StreamHandle stream) override {
    return device_->Fill32(dst, value, count, stream);
  }
  absl::StatusOr<std::unique_ptr<DeviceModule>> LoadModule(ImageFormat format, std::string_view image) override {
    return device_->LoadModule(format, image);
  }
  absl::Status Launch(DeviceKernel* kernel, const LaunchShape& shape, void** arguments, StreamHandle stream) override {
    return device_->Launch(kernel, shape, arguments, stream);
  }
  absl::StatusOr<StreamHandle> CreateStream() override { return device_->CreateStream(); }
  absl::Status DestroyStream(StreamHandle stream) override { return device_->DestroyStream(stream); }
  absl::Status Synchronize(StreamHandle stream) override { return device_->Synchronize(stream); }
  absl::Status StreamWaitEvent(StreamHandle stream, EventHandle event) override {
    return device_->StreamWaitEvent(stream, event);
  }
  absl::StatusOr<EventHandle> CreateEvent() override { return device_->CreateEvent(); }
  absl::Status DestroyEvent(EventHandle event) override { return device_->DestroyEvent(event); }
  absl::Status RecordEvent(EventHandle event, StreamHandle stream) override {
    return device_->RecordEvent(event, stream);
  }
  absl::Status SynchronizeEvent(EventHandle event) override { return device_->SynchronizeEvent(event); }
  absl::StatusOr<double> ElapsedNs(EventHandle start, EventHandle end) override {
    return device_->ElapsedNs(start, end);
  }
  std::string_view clock_name() const override { return device_->clock_name(); }

 private:
  const std::unique_ptr<Device> device_;
  DeviceInfo info_;
  MemoryUse* const use_;
  std::map<DevicePtr, int64_t> sizes_;
};

}  // namespace mmtune
