// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "proto/types/scheduling_policy.h"

#include <algorithm>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "proto/base/plain_text.h"
#include "proto/base/status.h"

namespace mmtune {
namespace {

constexpr size_t kMaxLabels = 16;
constexpr size_t kLongestName = 63;
constexpr size_t kLongestPrefix = 253;
constexpr size_t kLongestDeviceName = 256;
// So much of what is refused is shown.
constexpr size_t kShown = 80;

std::string Shown(std::string_view text) { return PlainText(Shortened(std::string(text), kShown)); }

bool IsName(std::string_view text) {
  if (text.empty() || text.size() > kLongestName) return false;
  const auto inner = [](unsigned char c) { return absl::ascii_isalnum(c) || c == '-' || c == '_' || c == '.'; };
  return absl::ascii_isalnum(text.front()) && absl::ascii_isalnum(text.back()) &&
         std::all_of(text.begin(), text.end(), inner);
}

bool IsDnsName(std::string_view text) {
  if (text.empty() || text.size() > kLongestPrefix) return false;
  const auto lower = [](unsigned char c) { return absl::ascii_islower(c) || absl::ascii_isdigit(c); };
  for (absl::string_view part : absl::StrSplit(ToAbsl(text), '.')) {
    if (part.empty() || part.size() > kLongestName || !lower(part.front()) || !lower(part.back())) return false;
    if (!std::all_of(part.begin(), part.end(), [&](unsigned char c) { return lower(c) || c == '-'; })) return false;
  }
  return true;
}

absl::Status CheckKey(std::string_view key) {
  const size_t slash = key.find('/');
  if (slash != std::string_view::npos && !IsDnsName(key.substr(0, slash))) {
    return InvalidArgument(absl::StrCat("the prefix of label '", Shown(key),
                                        "' is not a lower-case DNS name, such as example.org, of at most ",
                                        kLongestPrefix, " characters"));
  }
  if (IsName(slash == std::string_view::npos ? key : key.substr(slash + 1))) return absl::OkStatus();
  return InvalidArgument(absl::StrCat("the key of label '", Shown(key), "' is not 1 to ", kLongestName,
                                      " letters, digits, '-', '_' and '.' with a letter or digit at both ends"));
}

}  // namespace

absl::Status CheckLabels(const Labels& labels) {
  if (labels.size() > kMaxLabels) {
    return InvalidArgument(absl::StrCat("there are ", labels.size(), " labels; give at most ", kMaxLabels));
  }
  for (const auto& [key, value] : labels) {
    RETURN_IF_ERROR(CheckKey(key));
    if (value.empty() || IsName(value)) continue;
    return InvalidArgument(absl::StrCat("the value '", Shown(value), "' of label '", key,
                                        "' is neither empty nor 1 to ", kLongestName,
                                        " letters, digits, '-', '_' and '.' with a letter or digit at both ends"));
  }
  return absl::OkStatus();
}

absl::StatusOr<Labels> ParseLabels(const std::vector<std::string>& texts) {
  Labels labels;
  for (const std::string& text : texts) {
    const size_t equals = text.find('=');
    if (equals == std::string::npos) {
      return InvalidArgument(absl::StrCat("label '", Shown(text), "' has no '=': give KEY=VALUE, such as rack=7"));
    }
    if (!labels.emplace(text.substr(0, equals), text.substr(equals + 1)).second) {
      return InvalidArgument(absl::StrCat("label '", Shown(text.substr(0, equals)), "' is given twice"));
    }
  }
  RETURN_IF_ERROR(CheckLabels(labels));
  return labels;
}

std::string LabelsText(const Labels& labels) {
  std::string text;
  for (const auto& [key, value] : labels) absl::StrAppend(&text, text.empty() ? "" : ",", key, "=", value);
  return text;
}

bool Selects(const Labels& selector, const Labels& labels) {
  return std::all_of(selector.begin(), selector.end(), [&labels](const auto& wanted) {
    const auto at = labels.find(wanted.first);
    return at != labels.end() && at->second == wanted.second;
  });
}

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
    return InvalidArgument(absl::StrCat("device class '", PlainText(Shortened(std::string(text), kLongestDeviceName)),
                                        "' ", ToAbsl(why),
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
  if (parsed.name.empty() || parsed.name.size() > kLongestDeviceName)
    return refuse("has a name of no or too many characters");
  return parsed;
}

bool SchedulingPolicy::Wants(const Labels& labels, const DeviceInfo& device) const {
  return Selects(select, labels) && device_class.Has(device);
}

std::string SchedulingPolicy::RequirementsText() const {
  std::string text = select.empty() ? "" : absl::StrCat("--select ", LabelsText(select));
  const std::string devices = device_class.Text();
  if (!devices.empty()) absl::StrAppend(&text, text.empty() ? "" : " and ", "--device-class ", devices);
  return text;
}

absl::Status SchedulingPolicy::Validate() const {
  if (weight < 1 || weight > kMaxWeight) {
    return InvalidArgument(absl::StrCat("spec.weight is ", weight, ": give 1 to ", kMaxWeight));
  }
  if (priority < -kMaxPriority || priority > kMaxPriority) {
    return InvalidArgument(absl::StrCat("spec.priority is ", priority, ": give ", -kMaxPriority, " to ", kMaxPriority));
  }
  return WithContext(CheckLabels(select), "spec.select");
}

}  // namespace mmtune
