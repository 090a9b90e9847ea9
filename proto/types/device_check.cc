// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "proto/types/device_check.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "proto/base/plain_text.h"
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

}  // namespace

absl::Status CheckText(std::string_view field, std::string_view value, size_t least, size_t most) {
  if (value.size() < least || value.size() > most) {
    return InvalidArgument(
        absl::StrCat(ToAbsl(field), " must have ", least, " to ", most, " characters, has ", value.size()));
  }
  if (IsPlainText(value)) return absl::OkStatus();
  return InvalidArgument(absl::StrCat(ToAbsl(field), " holds a control character, or one that shows nothing: '",
                                      PlainText(value), "' is shown"));
}

absl::Status CheckToolchain(const Toolchain& toolchain) {
  for (const Text& text :
       {Text{"toolchain.mmtune", toolchain.mmtune, 0, 128}, Text{"toolchain.mlir", toolchain.mlir, 0, 128},
        Text{"toolchain.assembler", toolchain.assembler, 0, 256},
        Text{"toolchain.families", toolchain.families, 0, 1000}}) {
    RETURN_IF_ERROR(CheckText(text.field, text.value, text.least, text.most));
  }
  return absl::OkStatus();
}

absl::Status CheckDevice(const DeviceInfo& device) {
  for (const Text& text :
       {Text{"name", device.name, 1, 256}, Text{"uuid", device.uuid, 1, 128}, Text{"driver", device.driver, 0, 64}}) {
    RETURN_IF_ERROR(CheckText(text.field, text.value, text.least, text.most));
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
