// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/worker/measure/fake_device.h"

#include <cstdlib>
#include <cstring>

#include "proto/base/status.h"

namespace mmtune {
namespace {

class FakeModule : public DeviceModule {
 public:
  absl::StatusOr<DeviceKernel*> GetKernel(std::string_view name) override {
    if (name != "kernel") return NotFound("no such kernel");
    return &kernel_;
  }

 private:
  DeviceKernel kernel_;
};

void* Pointer(DevicePtr address) { return reinterpret_cast<void*>(address); }

}  // namespace

absl::StatusOr<DevicePtr> FakeDevice::Allocate(size_t bytes) {
  if (live_allocations >= most_allocations) return ResourceExhausted("no more memory");
  ++live_allocations;
  return reinterpret_cast<DevicePtr>(calloc(1, bytes));
}

absl::Status FakeDevice::Free(DevicePtr ptr) {
  --live_allocations;
  free(Pointer(ptr));
  return absl::OkStatus();
}

absl::Status FakeDevice::CopyToDevice(DevicePtr dst, const void* src, size_t bytes, StreamHandle) {
  std::memcpy(Pointer(dst), src, bytes);
  return absl::OkStatus();
}

absl::Status FakeDevice::CopyToHost(void* dst, DevicePtr src, size_t bytes, StreamHandle) {
  std::memcpy(dst, Pointer(src), bytes);
  return absl::OkStatus();
}

absl::Status FakeDevice::CopyOnDevice(DevicePtr dst, DevicePtr src, size_t bytes, StreamHandle) {
  std::memcpy(Pointer(dst), Pointer(src), bytes);
  return absl::OkStatus();
}

absl::Status FakeDevice::Fill32(DevicePtr dst, uint32_t value, size_t count, StreamHandle) {
  auto* words = static_cast<uint32_t*>(Pointer(dst));
  for (size_t i = 0; i < count; ++i) words[i] = value;
  if (value == 0) fills.emplace_back(dst, count);
  return absl::OkStatus();
}

absl::StatusOr<std::unique_ptr<DeviceModule>> FakeDevice::LoadModule(ImageFormat, std::string_view) {
  return std::make_unique<FakeModule>();
}

absl::Status FakeDevice::Launch(DeviceKernel*, const LaunchShape&, void** arguments, StreamHandle) {
  std::vector<DevicePtr> addresses;
  for (int i = 0; i < kFakeKernelArguments; ++i) addresses.push_back(*static_cast<DevicePtr*>(arguments[i]));
  if (kernel) kernel(addresses);
  clock.Advance(std::chrono::duration_cast<Duration>(std::chrono::duration<double, std::nano>(launch_time_(launches))));
  ++launches;
  return absl::OkStatus();
}

absl::Status FakeDevice::RecordEvent(EventHandle event, StreamHandle) {
  recorded_[event] = clock.Now();
  return absl::OkStatus();
}

absl::StatusOr<bool> FakeDevice::Delay(double ns, StreamHandle) {
  if (!can_delay) return false;
  delays.push_back(ns);
  held_until_ = clock.Now() + std::chrono::duration_cast<Duration>(std::chrono::duration<double, std::nano>(ns));
  return true;
}

absl::StatusOr<double> FakeDevice::ElapsedNs(EventHandle start, EventHandle end) {
  return std::chrono::duration<double, std::nano>(recorded_.at(end) - recorded_.at(start)).count();
}

}  // namespace mmtune
