// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "proto/types/job_manners.h"

#include "absl/strings/str_cat.h"
#include "proto/base/plain_text.h"
#include "proto/base/status.h"

namespace mmtune {
namespace {

constexpr size_t kLongestName = 256;

}  // namespace

bool DeviceClass::Has(const DeviceInfo& device) const {
  return (!kind || *kind == device.kind) && (arch.empty() || arch == device.arch) &&
         (name.empty() || name == device.name);
}

std::string DeviceClass::Text() const {
  std::string text = kind ? std::string(DeviceKindName(*kind)) : "";
  if (!arch.empty()) absl::StrAppend(&text, ":", arch);
  if (!name.empty()) absl::StrAppend(&text, ":", name);
  return text;
}

absl::StatusOr<DeviceClass> ParseDeviceClass(std::string_view text) {
  DeviceClass parsed;
  if (text.empty()) return parsed;
  const auto refuse = [text](std::string_view why) {
    return InvalidArgument(absl::StrCat("device class '", PlainText(Shortened(std::string(text), kLongestName)), "' ",
                                        ToAbsl(why),
                                        ": give cuda, simt, cuda:sm_90 or cuda:sm_90:<name of the device>"));
  };
  const size_t first = text.find(':');
  const absl::StatusOr<DeviceKind> kind = ParseDeviceKind(text.substr(0, first));
  if (!kind.ok()) return refuse("begins with no kind of device");
  parsed.kind = *kind;
  if (first == std::string_view::npos) return parsed;
  const size_t second = text.find(':', first + 1);
  parsed.arch = text.substr(first + 1, second == std::string_view::npos ? second : second - first - 1);
  if (const auto known = ArchitectureLimits(parsed.arch); !known.ok()) {
    return refuse(ToStd(absl::StrCat("has an ", known.status().message())));
  }
  if (second == std::string_view::npos) return parsed;
  parsed.name = text.substr(second + 1);
  if (parsed.name.empty() || parsed.name.size() > kLongestName)
    return refuse("has a name of no or too many characters");
  return parsed;
}

bool JobManners::Wants(const Labels& labels, const DeviceInfo& device) const {
  return Selects(select, labels) && device_class.Has(device);
}

std::string JobManners::WantsText() const {
  std::string text = select.empty() ? "" : absl::StrCat("--select ", LabelsText(select));
  const std::string devices = device_class.Text();
  if (!devices.empty()) absl::StrAppend(&text, text.empty() ? "" : " and ", "--device-class ", devices);
  return text;
}

absl::Status JobManners::Validate() const {
  if (weight < 1 || weight > kMostWeight) {
    return InvalidArgument(absl::StrCat("spec.weight is ", weight, ": give 1 to ", kMostWeight));
  }
  if (priority < -kMostPriority || priority > kMostPriority) {
    return InvalidArgument(
        absl::StrCat("spec.priority is ", priority, ": give ", -kMostPriority, " to ", kMostPriority));
  }
  return WithContext(CheckLabels(select), "spec.select");
}

}  // namespace mmtune
