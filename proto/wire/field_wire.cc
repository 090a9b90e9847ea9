// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "proto/wire/field_wire.h"

#include <cstdlib>

#include "mmtune/v1/types.pb.h"
#include "proto/base/log.h"

namespace mmtune {
const google::protobuf::FieldDescriptor* FindField(const google::protobuf::Message& message, const char* name) {
  const google::protobuf::FieldDescriptor* field = message.GetDescriptor()->FindFieldByName(name);
  if (field != nullptr) return field;
  LogError("a message lacks a field", {{"message", message.GetTypeName()}, {"field", name}});
  abort();
}

bool MessageField::Has() const { return !field->has_presence() || reflection.HasField(source, field); }

void ToMessage(const Schedule& value, google::protobuf::Message* message) {
  v1::Schedule& schedule = static_cast<v1::Schedule&>(*message);  // as every field is that holds a schedule
  schedule.Clear();
  schedule.set_family(Utf8(value.family));
  for (const auto& [name, param] : value.params) (*schedule.mutable_params())[Utf8(name)] = param;
}

absl::Status FromMessage(const google::protobuf::Message& message, Schedule* out) {
  const v1::Schedule& schedule = static_cast<const v1::Schedule&>(message);
  Schedule value;
  value.family = schedule.family();
  for (const auto& [name, param] : schedule.params()) value.params[name] = param;
  RETURN_IF_ERROR(WithContext(value.Validate(), "the schedule"));
  *out = std::move(value);
  return absl::OkStatus();
}

}  // namespace mmtune
