// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A stand-in for libnvidia-ml.so.1, with one device, or one MIG instance of it. What it says is scripted:
//   FAKE_NVML_FAULT="nvmlInit_v2=9"  that function answers with that code
//   FAKE_NVML_UUID                   the only device; FAKE_NVML_MIG_UUID: its instance
//   FAKE_NVML_SM_CLOCKS="1980,1500"  of the first call, the second ...; the last one stays. So _MEMORY_CLOCKS, _REASONS
//   FAKE_NVML_PIDS="1,2"             that compute
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "worker/measure/nvml.h"

using namespace mmtune::nvml;

namespace {

std::map<std::string, size_t> calls;

Device WholeDevice() { return reinterpret_cast<Device>(1); }
Device Instance() { return reinterpret_cast<Device>(2); }

std::string Variable(const std::string& name) {
  const char* value = std::getenv(("FAKE_NVML_" + name).c_str());
  return value != nullptr ? value : "";
}

std::vector<unsigned> Numbers(const std::string& name) {
  std::vector<unsigned> numbers;
  const std::string text = Variable(name);
  for (size_t at = 0; at < text.size();
       at = text.find(',', at) == std::string::npos ? text.size() : text.find(',', at) + 1) {
    numbers.push_back(static_cast<unsigned>(std::strtoul(text.c_str() + at, nullptr, 0)));
  }
  return numbers;
}

Result Next(const std::string& name, unsigned* value) {
  const std::vector<unsigned> numbers = Numbers(name);
  if (numbers.empty()) return static_cast<Result>(3);
  *value = numbers[std::min(calls[name]++, numbers.size() - 1)];
  return kSuccess;
}

Result Scripted(const char* symbol) {
  const std::string fault = Variable("FAULT");
  const size_t length = std::strlen(symbol);
  return fault.compare(0, length, symbol) == 0 && fault[length] == '='
             ? static_cast<Result>(std::atoi(fault.c_str() + length + 1))
             : kSuccess;
}

}  // namespace

#define FAIL_AS_SCRIPTED() \
  if (Result fault = Scripted(__func__); fault != kSuccess) return fault

extern "C" {

Result nvmlInit_v2() {
  FAIL_AS_SCRIPTED();
  calls.clear();
  return kSuccess;
}
Result nvmlShutdown() { return kSuccess; }
const char* nvmlErrorString(Result result) { return result == 6 ? "Not Found" : "Driver Not Loaded"; }

Result nvmlSystemGetDriverVersion(char* version, unsigned length) {
  FAIL_AS_SCRIPTED();
  std::strncpy(version, "580.65.06", length);
  return kSuccess;
}

Result nvmlDeviceGetHandleByUUID(const char* uuid, Device* device) {
  if (Variable("UUID") == uuid) *device = WholeDevice();
  if (Variable("MIG_UUID") == uuid) *device = Instance();
  return Variable("UUID") == uuid || Variable("MIG_UUID") == uuid ? kSuccess : static_cast<Result>(6);
}

Result nvmlDeviceIsMigDeviceHandle(Device device, unsigned* is_mig) {
  *is_mig = device == Instance();
  return kSuccess;
}

Result nvmlDeviceGetDeviceHandleFromMigDeviceHandle(Device, Device* device) {
  FAIL_AS_SCRIPTED();
  *device = WholeDevice();
  return kSuccess;
}

Result nvmlDeviceGetClockInfo(Device device, ClockType type, unsigned* mhz) {
  if (device != WholeDevice()) return static_cast<Result>(3);
  return Next(type == kClockSm ? "SM_CLOCKS" : "MEMORY_CLOCKS", mhz);
}

Result nvmlDeviceGetTemperature(Device, TemperatureSensor, unsigned* celsius) {
  FAIL_AS_SCRIPTED();
  *celsius = 55;
  return kSuccess;
}

Result nvmlDeviceGetPowerUsage(Device, unsigned* milliwatts) {
  FAIL_AS_SCRIPTED();
  *milliwatts = 612345;
  return kSuccess;
}

Result nvmlDeviceGetCurrentClocksThrottleReasons(Device, unsigned long long* reasons) {
  unsigned value = 0;
  const Result result = Next("REASONS", &value);
  *reasons = value;
  return result;
}

Result nvmlDeviceGetComputeRunningProcesses_v3(Device device, unsigned* count, ProcessInfo* processes) {
  FAIL_AS_SCRIPTED();
  if (!Variable("MIG_UUID").empty() && device != Instance()) return static_cast<Result>(4);
  const std::vector<unsigned> pids = Numbers("PIDS");
  const size_t room = *count;
  *count = static_cast<unsigned>(pids.size());
  if (room < pids.size()) return kInsufficientSize;
  for (size_t i = 0; i < pids.size(); ++i) processes[i].pid = pids[i];
  return kSuccess;
}

}  // extern "C"
