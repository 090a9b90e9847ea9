// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "worker/measure/canary.h"

#include <cstdint>
#include <memory>
#include <vector>

#include "kernels/runtime/cuda/ptx_kernels.h"
#include "proto/base/status.h"

namespace mmtune {
namespace {

constexpr uint32_t kBlocks = 4;
constexpr uint32_t kWords = kBlocks * cuda::kCanaryThreads;
constexpr size_t kBytes = kWords * sizeof(uint32_t);

absl::Status RunKernel(Device* device, DevicePtr words) {
  ASSIGN_OR_RETURN(std::unique_ptr<DeviceModule> module, device->LoadModule(ImageFormat::kPtx, cuda::kCanaryPtx));
  ASSIGN_OR_RETURN(DeviceKernel * kernel, module->GetKernel(cuda::kCanaryKernel));
  void* arguments[] = {&words};
  RETURN_IF_ERROR(device->Launch(kernel, {{kBlocks, 1, 1}, {cuda::kCanaryThreads, 1, 1}}, arguments));
  return device->Synchronize(0);
}

absl::Status ExpectWords(Device* device, DevicePtr memory, const std::vector<uint32_t>& expected,
                         std::string_view otherwise) {
  std::vector<uint32_t> read(kWords);
  RETURN_IF_ERROR(device->CopyToHost(read.data(), memory, kBytes));
  RETURN_IF_ERROR(device->Synchronize(0));
  return read == expected ? absl::OkStatus() : Unavailable(otherwise);
}

absl::Status ProveMemoryAndKernel(Device* device, DevicePtr memory) {
  std::vector<uint32_t> words(kWords);
  for (uint32_t i = 0; i < kWords; ++i) words[i] = i * 2654435761u;
  RETURN_IF_ERROR(device->CopyToDevice(memory, words.data(), kBytes));
  RETURN_IF_ERROR(ExpectWords(device, memory, words, "the device's memory does not hold what was written to it"));
  if (device->info().kind != DeviceKind::kCuda) return absl::OkStatus();
  RETURN_IF_ERROR(RunKernel(device, memory));
  for (uint32_t i = 0; i < kWords; ++i) words[i] = cuda::CanaryWord(words[i], i);
  return ExpectWords(device, memory, words, "the device does not compute what it should");
}

}  // namespace

absl::Status ProveDevice(Device* device) {
  absl::StatusOr<DevicePtr> memory = device->Allocate(kBytes);
  absl::Status proven = memory.status();
  if (proven.ok()) proven = ProveMemoryAndKernel(device, *memory);
  if (proven.ok()) proven = device->Free(*memory);
  return WithContext(proven, "canary");
}

}  // namespace mmtune
