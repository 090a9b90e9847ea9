// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/runtime/cuda/device_query.h"

#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "proto/base/status.h"

namespace mmtune::cuda {
namespace {

/// "GPU-xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx", as nvidia-smi writes it; "MIG-..." of a MIG instance, whose name says so
/// ("NVIDIA H100 80GB HBM3 MIG 1g.10gb") and whose UUID is its own.
std::string UuidText(const Uuid& uuid, const std::string& name) {
  std::string text = absl::StrContains(name, " MIG ") ? "MIG" : "GPU";
  for (int i = 0; i < 16; ++i) {
    if (i == 0 || i == 4 || i == 6 || i == 8 || i == 10) text += '-';
    absl::StrAppend(&text, absl::Hex(uuid.bytes[i], absl::kZeroPad2));
  }
  return text;
}

absl::StatusOr<std::string> VersionText(const Driver& driver) {
  int version = 0;
  RETURN_IF_ERROR(MMTUNE_CUDA_CALL(&driver, DriverGetVersion, &version));
  return absl::StrCat(version / 1000, ".", version % 1000 / 10);
}

absl::Status ReadAttributes(const Driver& driver, DeviceId id, DeviceInfo* info) {
  int64_t major = 0, minor = 0;
  const std::pair<DeviceAttribute, int64_t*> wanted[] = {
      {kComputeCapabilityMajor, &major},
      {kComputeCapabilityMinor, &minor},
      {kMultiprocessorCount, &info->multiprocessors},
      {kMaxThreadsPerBlock, &info->max_threads_per_block},
      {kMaxThreadsPerMultiprocessor, &info->max_threads_per_multiprocessor},
      {kMaxRegistersPerMultiprocessor, &info->registers_per_multiprocessor},
      {kMaxSharedMemoryPerBlockOptin, &info->shared_bytes_per_block},
      {kMaxSharedMemoryPerMultiprocessor, &info->shared_bytes_per_multiprocessor},
      {kL2CacheSize, &info->l2_bytes},
      {kClockRate, &info->clock_khz},
  };
  for (const auto& [attribute, value] : wanted) {
    int answer = 0;
    absl::Status status = MMTUNE_CUDA_CALL(&driver, DeviceGetAttribute, &answer, attribute, id);
    if (!status.ok()) return WithContext(status, absl::StrCat("attribute ", static_cast<int>(attribute)));
    *value = answer;
  }
  info->arch = absl::StrCat("sm_", major, minor);
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<DeviceInfo> QueryDevice(const Driver& driver, DeviceId id) {
  DeviceInfo info;
  info.kind = DeviceKind::kCuda;
  char name[256] = "";
  RETURN_IF_ERROR(MMTUNE_CUDA_CALL(&driver, DeviceGetName, name, sizeof(name), id));
  info.name = name;
  Uuid uuid{};
  RETURN_IF_ERROR(MMTUNE_CUDA_CALL(&driver, DeviceGetUuid, &uuid, id));
  info.uuid = UuidText(uuid, info.name);
  size_t bytes = 0;
  RETURN_IF_ERROR(MMTUNE_CUDA_CALL(&driver, DeviceTotalMem, &bytes, id));
  info.memory_bytes = static_cast<int64_t>(bytes);
  RETURN_IF_ERROR(ReadAttributes(driver, id, &info));
  ASSIGN_OR_RETURN(info.driver, VersionText(driver));
  return info;
}

static absl::StatusOr<DeviceInfo> QueryDeviceAt(const Driver& driver, int index) {
  DeviceId id = 0;
  RETURN_IF_ERROR(MMTUNE_CUDA_CALL(&driver, DeviceGet, &id, index));
  return QueryDevice(driver, id);
}

std::vector<CudaDeviceEntry> QueryDevices(const Driver& driver, std::string* why) {
  std::vector<CudaDeviceEntry> devices;
  int count = 0;
  absl::Status status = MMTUNE_CUDA_CALL(&driver, DeviceGetCount, &count);
  if (status.ok() && count == 0) status = NotFound("the CUDA driver finds no device");
  for (int index = 0; index < count; ++index) {
    absl::StatusOr<DeviceInfo> info = QueryDeviceAt(driver, index);
    if (info.ok()) {
      devices.push_back({index, *std::move(info)});
    } else {
      status = WithContext(info.status(), absl::StrCat("CUDA device ", index));
    }
  }
  if (why != nullptr) *why = std::string(status.message());
  return devices;
}

}  // namespace mmtune::cuda

namespace mmtune {

std::vector<CudaDeviceEntry> ListCudaDevices(std::string* why) {
  absl::StatusOr<const cuda::Driver*> driver = cuda::Driver::System();
  if (driver.ok()) return cuda::QueryDevices(**driver, why);
  if (why != nullptr) *why = std::string(driver.status().message());
  return {};
}

}  // namespace mmtune
