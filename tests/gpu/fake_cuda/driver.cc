// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The stand-in for libcuda.so.1: devices, contexts, errors. With MMTUNE_PTXAS=none it serves a whole worker; of cubins
// it takes those of a stand-in for ptxas alone, an ELF header and PTX.
//
// FAKE_CUDA_FAULT, FAKE_CUDA_FAULT_FILE: faults.cc.
// FAKE_CUDA_HOST_OFFSET: how far from its own address the device has registered host memory (0).
// FAKE_CUDA_ARCH: the architecture of the first device, sm_80 or sm_90 (sm_90).
// FAKE_CUDA_CHECKS: the name of a kernel that runs in race detection, which sees misaligned addresses and takes longer.
// FAKE_CUDA_DEVICES: how many there are (2). FAKE_CUDA_LOST="0": the attributes of that device cannot be read.
// FAKE_CUDA_LOAD_MS: how long it takes to load an image with other kernels than the delay and the canary (0).
// FAKE_CUDA_VERSION: the driver's (13000). FAKE_CUDA_MIG: the devices are MIG instances of the first one.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <map>
#include <string>
#include <string_view>

#include "absl/strings/match.h"
#include "kernels/simulator/simt_device.h"
#include "tests/gpu/fake_cuda/fake_cuda.h"

using namespace mmtune::cuda;
using namespace fake_cuda;

namespace fake_cuda {

State& FakeDriver() {
  static State* state = new State;
  return *state;
}

namespace {

thread_local Context current = nullptr;

int Number(const char* variable, int otherwise) {
  const char* text = std::getenv(variable);
  return text != nullptr ? std::atoi(text) : otherwise;
}

/// A device: what it says of itself beside the limits of its architecture.
struct Model {
  std::string_view arch;
  const char* name;
  int multiprocessors;
};
constexpr Model kModels[] = {{"sm_90", "Fake H100", 132}, {"sm_80", "Fake A100", 108}, {"sm_75", "Fake T4", 40}};

const Model& ModelOf(DeviceId device) {
  if (device != 10 && std::getenv("FAKE_CUDA_MIG") == nullptr) return kModels[2];
  const char* arch = std::getenv("FAKE_CUDA_ARCH");
  return arch != nullptr && arch == kModels[1].arch ? kModels[1] : kModels[0];
}

/// Gives a context its SIMT device, with the limits of its architecture.
Result MakeSimulator(ContextObject* context) {
  mmtune::simt::SimtOptions options;
  options.arch = ModelOf(context->device).arch;
  options.max_findings = std::numeric_limits<int>::max();
  auto simulator = mmtune::simt::SimtDevice::Create(options);
  REQUIRE(simulator.ok(), kUnknown);
  context->simulator = *std::move(simulator);
  context->default_stream = std::make_unique<StreamObject>();
  return kSuccess;
}

}  // namespace

Context Current() { return current; }

Result ResultOf(const absl::Status& status) {
  switch (status.code()) {
    case absl::StatusCode::kOk:
      return kSuccess;
    case absl::StatusCode::kInvalidArgument:
      return kInvalidValue;
    case absl::StatusCode::kResourceExhausted:
      return kOutOfMemory;
    case absl::StatusCode::kAborted:
      return absl::StrContains(status.message(), "SIGILL") ? kLaunchFailed : kIllegalAddress;
    default:
      return absl::StrContains(status.message(), "assertion failed") ? kAssert : kLaunchFailed;
  }
}

}  // namespace fake_cuda

extern "C" {

Result cuInit(unsigned) {
  FAIL_AS_SCRIPTED();
  return kSuccess;
}

Result cuDriverGetVersion(int* version) {
  FAIL_AS_SCRIPTED();
  *version = Number("FAKE_CUDA_VERSION", 13000);
  return kSuccess;
}

Result cuGetErrorName(Result error, const char** text) {
  static const std::map<int, const char*> names = {
#define NAME(name, vendor, value, code) {value, #vendor},
      MMTUNE_CUDA_RESULTS(NAME)
#undef NAME
  };
  auto it = names.find(error);
  REQUIRE(it != names.end(), kInvalidValue);
  *text = it->second;
  return kSuccess;
}

Result cuGetErrorString(Result error, const char** text) {
  REQUIRE(cuGetErrorName(error, text) == kSuccess, kInvalidValue);
  *text = "described by the fake";
  return kSuccess;
}

Result cuDeviceGetCount(int* count) {
  FAIL_AS_SCRIPTED();
  *count = Number("FAKE_CUDA_DEVICES", 2);
  return kSuccess;
}

Result cuDeviceGet(DeviceId* device, int ordinal) {
  FAIL_AS_SCRIPTED();
  int count = 0;
  cuDeviceGetCount(&count);
  REQUIRE(ordinal >= 0 && ordinal < count, kInvalidDevice);
  *device = 10 + ordinal;
  return kSuccess;
}

Result cuDeviceGetName(char* name, int length, DeviceId device) {
  FAIL_AS_SCRIPTED();
  const bool mig = std::getenv("FAKE_CUDA_MIG") != nullptr;
  std::snprintf(name, static_cast<size_t>(length), "%s%s", ModelOf(device).name, mig ? " MIG 1g.10gb" : "");
  return kSuccess;
}

Result cuDeviceGetUuid_v2(Uuid* uuid, DeviceId device) {
  FAIL_AS_SCRIPTED();
  for (int i = 0; i < 16; ++i) uuid->bytes[i] = static_cast<unsigned char>(16 * i + device);
  return kSuccess;
}

Result cuDeviceTotalMem_v2(size_t* bytes, DeviceId) {
  FAIL_AS_SCRIPTED();
  *bytes = kMemoryBytes;
  return kSuccess;
}

Result cuDeviceGetAttribute(int* value, DeviceAttribute attribute, DeviceId device) {
  FAIL_AS_SCRIPTED();
  const char* lost = std::getenv("FAKE_CUDA_LOST");
  REQUIRE(lost == nullptr || device != 10 + std::atoi(lost), kInvalidDevice);
  const Model& model = ModelOf(device);
  const auto limits = mmtune::ArchitectureLimits(model.arch);
  REQUIRE(limits.ok(), kUnknown);
  const std::map<DeviceAttribute, int> values = {
      {kMaxThreadsPerBlock, 1024},
      {kClockRate, 1'980'000},
      {kMultiprocessorCount, model.multiprocessors},
      {kL2CacheSize, 1 << 20},
      {kMaxThreadsPerMultiprocessor, static_cast<int>(limits->max_threads_per_multiprocessor)},
      {kComputeCapabilityMajor, limits->ComputeCapability() / 10},
      {kComputeCapabilityMinor, limits->ComputeCapability() % 10},
      {kMaxSharedMemoryPerMultiprocessor, static_cast<int>(limits->shared_bytes_per_multiprocessor)},
      {kMaxRegistersPerMultiprocessor, 65536},
      {kMaxSharedMemoryPerBlockOptin, static_cast<int>(limits->shared_bytes_per_block)},
  };
  REQUIRE(values.count(attribute), kInvalidValue);
  *value = values.at(attribute);
  return kSuccess;
}

Result cuDevicePrimaryCtxRetain(Context* context, DeviceId device) {
  FAIL_AS_SCRIPTED();
  ContextObject& primary = FakeDriver().contexts[device];
  primary.device = device;
  if (primary.simulator == nullptr) {
    const Result made = MakeSimulator(&primary);
    REQUIRE(made == kSuccess, made);
  }
  ++FakeDriver().retained;
  *context = &primary;
  return kSuccess;
}

Result cuDevicePrimaryCtxRelease_v2(DeviceId) {  // Is done, whatever went wrong.
  --FakeDriver().retained;
  return Scripted(__func__);
}

Result cuCtxSetCurrent(Context context) {  // Launches no work, so it does not report what went wrong there.
  const Result fault = Scripted(__func__);
  current = context;
  return fault == FakeDriver().sticky ? kSuccess : fault;
}

/// Not part of the driver: contexts, memory, registrations and streams still held.
int FakeCudaLeaks() {
  return FakeDriver().retained + static_cast<int>(FakeDriver().allocations.size() + FakeDriver().registered.size() +
                                                  FakeDriver().streams.size());
}

/// Not part of the driver: forgets a sticky error, with the memory of the contexts that it poisoned, and all work.
void FakeCudaReset() {
  State& driver = FakeDriver();
  const auto forget = [](Stream stream) {
    stream->work.clear();
    stream->done = stream->enqueued;
  };
  for (auto& [device, context] : driver.contexts) forget(context.default_stream.get());
  for (Stream stream : driver.streams) forget(stream);
  if (driver.sticky == kSuccess) return;
  for (auto& [device, context] : driver.contexts) MakeSimulator(&context);
  driver.allocations.clear();
  driver.registered.clear();
  driver.used_bytes = 0;
  driver.sticky = kSuccess;
}

}  // extern "C"
