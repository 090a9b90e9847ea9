// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/kernels/runtime/device_conformance.h"

#include <map>
#include <tuple>
#include <utility>

#include "kernels/runtime/open_device.h"
#include "kernels/simulator/simt_device.h"
#include "tests/kernels/gpu_module_compiler.h"
#include "tests/kernels/runtime/test_files.h"

namespace mmtune {
namespace {

absl::StatusOr<Image> CompileKernels(const char* path, const DeviceInfo& info) {
  Image image;
  auto bytes = CompileGpuModule(ReadFile(TestDataPath(path).c_str()), path, {info, true}, &image.format);
  if (!bytes.ok()) return bytes.status();
  image.bytes = *std::move(bytes);
  return image;
}

absl::StatusOr<std::unique_ptr<Device>> CreateDevice(const std::string& name) {
  if (name == "Cuda") return CreateCudaDevice(0);
  simt::SimtOptions options;
  options.threads = 3;
  if (name == "SimtWithFuzzing") options.fuzzing_seed = 1;
  return simt::SimtDevice::Create(options);
}

}  // namespace

const absl::StatusOr<Image>& Kernels(const char* path, const DeviceInfo& info) {
  static auto* images = new std::map<std::tuple<std::string, DeviceKind, std::string>, absl::StatusOr<Image>>;
  const std::tuple key(std::string(path), info.kind, info.arch);
  auto it = images->find(key);
  if (it == images->end()) it = images->emplace(key, CompileKernels(path, info)).first;
  return it->second;
}

void DeviceConformanceTest::SetUp() {
  auto device = CreateDevice(GetParam());
  if (absl::IsNotFound(device.status())) GTEST_SKIP() << device.status();
  ASSERT_TRUE(device.ok()) << device.status();
  device_ = *std::move(device);
  UseKernels(CONFORMANCE_KERNELS);
}

void DeviceConformanceTest::UseKernels(const char* path) {
  const absl::StatusOr<Image>& image = Kernels(path, device_->info());
  ASSERT_TRUE(image.ok()) << image.status();
  auto module = device_->LoadModule(image->format, image->bytes);
  ASSERT_TRUE(module.ok()) << module.status();
  module_ = *std::move(module);
}

}  // namespace mmtune
