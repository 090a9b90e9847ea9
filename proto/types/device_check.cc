// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "proto/types/device_check.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "proto/base/status.h"

namespace mmtune {
namespace {

constexpr int64_t kGi = int64_t{1} << 30, kPi = int64_t{1} << 50;
constexpr size_t kLongestArch = 16;

struct Text {
  const char* field;
  const std::string& value;
  size_t least, most;
};

struct Number {
  const char* field;
  int64_t value, least, most;
};

bool IsControl(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }

}  // namespace

absl::Status CheckDevice(const DeviceInfo& device) {
  for (const Text& text :
       {Text{"name", device.name, 1, 256}, Text{"uuid", device.uuid, 1, 128}, Text{"driver", device.driver, 0, 64}}) {
    const size_t size = text.value.size();
    if (size < text.least || size > text.most) {
      return InvalidArgument(
          absl::StrCat(text.field, " must have ", text.least, " to ", text.most, " characters, has ", size));
    }
    if (std::any_of(text.value.begin(), text.value.end(), IsControl)) {
      return InvalidArgument(absl::StrCat(text.field, " holds a control character"));
    }
  }
  if (device.ComputeCapability() == 0 || device.arch.size() > kLongestArch) {
    return InvalidArgument(absl::StrCat("arch is '", device.arch.substr(0, kLongestArch), "': like sm_80"));
  }
  for (const Number& number : {
           Number{"multiprocessors", device.multiprocessors, 1, 65536},
           Number{"memory_bytes", device.memory_bytes, 1, kPi},
           Number{"max_threads_per_block", device.max_threads_per_block, 1, 65536},
           Number{"max_threads_per_multiprocessor", device.max_threads_per_multiprocessor, 1, 65536},
           Number{"registers_per_multiprocessor", device.registers_per_multiprocessor, 1, kGi},
           Number{"shared_bytes_per_block", device.shared_bytes_per_block, 0, kGi},
           Number{"shared_bytes_per_multiprocessor", device.shared_bytes_per_multiprocessor, 0, kGi},
           Number{"l2_bytes", device.l2_bytes, 0, kPi},
           Number{"clock_khz", device.clock_khz, 0, 100'000'000},
       }) {
    if (number.value >= number.least && number.value <= number.most) continue;
    return InvalidArgument(
        absl::StrCat(number.field, " is ", number.value, ": a device has ", number.least, " to ", number.most));
  }
  return absl::OkStatus();
}

}  // namespace mmtune
