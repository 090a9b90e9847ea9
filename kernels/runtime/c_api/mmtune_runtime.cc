// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/runtime/c_api/mmtune_runtime.h"

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "absl/strings/str_cat.h"
#include "kernels/runtime/mgpu.h"
#include "kernels/runtime/open_device.h"
#include "proto/base/status.h"

namespace mmtune {
namespace {

constexpr char kDeviceVariable[] = "MMTUNE_DEVICE";
/// The limits of sm_90 include those of older architectures, so code for any of them can be launched.
constexpr char kSimtArch[] = "sm_90";

/// The process's device. Never destroyed, because models may be unloaded at exit.
struct ChosenDevice {
  std::mutex mutex;
  std::string text;  ///< DeviceSelectorText() of the choice; empty before.
  std::unique_ptr<Device> device;
};

ChosenDevice& Chosen() {
  static auto* chosen = new ChosenDevice;
  return *chosen;
}

absl::StatusOr<Device*> Choose(std::string_view text) {
  ASSIGN_OR_RETURN(DeviceSelector selector, ParseDeviceSelector(text));
  if (selector.kind == DeviceSelector::Kind::kAuto)
    return InvalidArgument("no device is named: choose simt, cuda or cuda:<i>");
  if (selector.kind == DeviceSelector::Kind::kCuda && selector.index < 0) selector.index = 0;
  const std::string wanted = DeviceSelectorText(selector);
  ChosenDevice& chosen = Chosen();
  std::lock_guard<std::mutex> lock(chosen.mutex);
  if (!chosen.device) {
    ASSIGN_OR_RETURN(chosen.device, selector.kind == DeviceSelector::Kind::kSimt ? CreateSimtDevice(kSimtArch)
                                                                                 : CreateCudaDevice(selector.index));
    chosen.text = wanted;
  }
  if (chosen.text == wanted) return chosen.device.get();
  return FailedPrecondition(absl::StrCat("the process uses the device ", chosen.text, " already: choose ", wanted,
                                         " before the first model runs"));
}

absl::StatusOr<Device*> ChooseByDefault(std::optional<ImageFormat> image) {
  if (const char* named = std::getenv(kDeviceVariable); named != nullptr && *named != '\0') {
    absl::StatusOr<Device*> device = Choose(named);
    if (device.ok()) return device;
    return WithContext(device.status(), absl::StrCat(kDeviceVariable, "=", named));
  }
  return Choose(image.value_or(ImageFormat::kSimtObject) == ImageFormat::kSimtObject ? "simt" : "cuda");
}

const char* Keep(const absl::Status& status, std::string* text) {
  if (status.ok()) return nullptr;
  *text = std::string(status.message());
  return text->c_str();
}

/// Runs at exit, before the destructors of models and of the libraries that devices need.
void ReportAtExit() {
  KeepMgpuImagesLoaded();
  if (absl::Status status = TakeMgpuError(); !status.ok()) {
    std::fprintf(stderr, "mmtune: error that was not taken: %s\n", std::string(status.message()).c_str());
  }
}

/// Runs before the constructors of models, which load images.
[[gnu::constructor]] void Initialize() {
  SetMgpuDeviceFactory(ChooseByDefault);
  std::atexit(ReportAtExit);
}

}  // namespace
}  // namespace mmtune

const char* mmtune_set_device(const char* device) {
  static thread_local std::string message;
  absl::StatusOr<mmtune::Device*> chosen =
      device == nullptr ? mmtune::InvalidArgument("the device is NULL: choose simt, cuda or cuda:<i>")
                        : mmtune::Choose(device);
  if (chosen.ok() && *chosen != mmtune::CurrentMgpuDevice()) mmtune::SetMgpuDevice(*chosen);
  return mmtune::Keep(chosen.status(), &message);
}

const char* mmtune_device_name(void) {
  mmtune::Device* device = mmtune::CurrentMgpuDevice();
  return device == nullptr ? nullptr : device->info().name.c_str();
}

const char* mmtune_take_error(void) {
  static thread_local std::string message;
  return mmtune::Keep(mmtune::TakeMgpuError(), &message);
}

void mmtune_get_counters(mmtune_counters* counters) {
  const mmtune::MgpuCounters now = mmtune::GetMgpuCounters();
  *counters = {
      now.allocations,      now.frees,          now.streams_created,  now.streams_destroyed, now.events_created,
      now.events_destroyed, now.modules_loaded, now.modules_unloaded, now.launches};
}

const char* mmtune_version(void) { return MMTUNE_VERSION; }
