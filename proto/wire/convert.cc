// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "proto/wire/convert.h"

#include "proto/base/plain_text.h"
#include "proto/base/status.h"
#include "proto/wire/field_wire.h"

namespace mmtune {
namespace {

template <HasFields T>
void ToMessage(const T& value, google::protobuf::Message* message) {
  MessageWriter::Write(value, message);
}

}  // namespace

#define MMTUNE_DEFINE(Type)                                \
  v1::Type ToWire(const Type& value) {                     \
    v1::Type message;                                      \
    ToMessage(value, &message);                            \
    return message;                                        \
  }                                                        \
  absl::StatusOr<Type> FromWire(const v1::Type& message) { \
    Type value;                                            \
    RETURN_IF_ERROR(FromMessage(message, &value));         \
    return value;                                          \
  }
MMTUNE_WIRE_TYPES(MMTUNE_DEFINE)
#undef MMTUNE_DEFINE

v1::DeviceSelector ToWire(const DeviceSelector& value) {
  v1::DeviceSelector message;
  message.set_device(DeviceSelectorText(value));
  message.set_arch(Utf8(value.arch));
  return message;
}

absl::StatusOr<DeviceSelector> FromWire(const v1::DeviceSelector& message) {
  ASSIGN_OR_RETURN(DeviceSelector value, ParseDeviceSelector(message.device().empty() ? "auto" : message.device()));
  if (!message.arch().empty()) RETURN_IF_ERROR(ArchitectureLimits(message.arch()).status());
  value.arch = message.arch();
  return value;
}

absl::StatusOr<Labels> FromWire(const google::protobuf::Map<std::string, std::string>& labels) {
  Labels value(labels.begin(), labels.end());
  RETURN_IF_ERROR(CheckLabels(value));
  return value;
}

}  // namespace mmtune
