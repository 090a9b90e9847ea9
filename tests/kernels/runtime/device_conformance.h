// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A device with kernels compiled for it: the SIMT device, the same with schedule fuzzing, or the first CUDA device.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "kernels/runtime/device/device.h"

namespace mmtune {

struct Image {
  ImageFormat format;
  std::string bytes;
};

/// Kernels of a file for a device's architecture, compiled once.
const absl::StatusOr<Image>& Kernels(const char* path, const DeviceInfo& info);

class DeviceConformanceTest : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override;
  void UseKernels(const char* path);
  void TearDown() override {
    for (DevicePtr ptr : buffers_) EXPECT_TRUE(device_->Free(ptr).ok());
  }

  DevicePtr Buffer(size_t bytes) { return buffers_.emplace_back(device_->Allocate(bytes).value()); }

  template <typename T>
  DevicePtr Upload(const std::vector<T>& values) {
    DevicePtr ptr = Buffer(values.size() * sizeof(T));
    EXPECT_TRUE(device_->CopyToDevice(ptr, values.data(), values.size() * sizeof(T)).ok());
    return ptr;
  }

  template <typename T>
  std::vector<T> Download(DevicePtr ptr, size_t count) {
    std::vector<T> values(count);
    EXPECT_TRUE(device_->CopyToHost(values.data(), ptr, count * sizeof(T)).ok());
    return values;
  }

  template <typename... Arguments>
  absl::Status LaunchOn(StreamHandle stream, const char* kernel, const LaunchShape& shape, Arguments... arguments) {
    void* pointers[] = {&arguments..., nullptr};
    return device_->Launch(module_->GetKernel(kernel).value(), shape, pointers, stream);
  }

  template <typename... Arguments>
  absl::Status Launch(const char* kernel, const LaunchShape& shape, Arguments... arguments) {
    absl::Status status = LaunchOn(0, kernel, shape, arguments...);
    return status.ok() ? device_->Synchronize(0) : status;
  }

  std::unique_ptr<Device> device_;
  std::unique_ptr<DeviceModule> module_;
  std::vector<DevicePtr> buffers_;
};

inline const auto kDevices = testing::Values("Simt", "SimtWithFuzzing", "Cuda");
inline std::string DeviceName(const testing::TestParamInfo<const char*>& info) { return info.param; }

inline std::vector<uint32_t> Words(size_t count) {
  std::vector<uint32_t> words(count);
  std::iota(words.begin(), words.end(), 1000u);
  return words;
}

}  // namespace mmtune
