// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "proto/wire/field_wire.h"

#include <cstdlib>
#include <functional>
#include <unordered_map>

#include "mmtune/v1/types.pb.h"
#include "proto/base/log.h"
#include "proto/types/schedule_name.h"

namespace mmtune {
namespace {

/// A name by its address: that of a literal, as a rule.
struct FieldKey {
  const google::protobuf::Descriptor* type;
  const char* name;
  bool operator==(const FieldKey&) const = default;
};
struct FieldKeyHash {
  size_t operator()(const FieldKey& key) const {
    return std::hash<const void*>()(key.type) ^ 31 * std::hash<const void*>()(key.name);
  }
};

const google::protobuf::FieldDescriptor* FindField(const google::protobuf::Message& message, const char* name) {
  // Looking for a name takes longer than what is done with the field.
  thread_local std::unordered_map<FieldKey, const google::protobuf::FieldDescriptor*, FieldKeyHash> found;
  const google::protobuf::FieldDescriptor*& field = found[{message.GetDescriptor(), name}];
  if (field != nullptr && field->name() == name) return field;
  field = message.GetDescriptor()->FindFieldByName(name);
  if (field != nullptr) return field;
  LogError("a message lacks a field", {{"message", message.GetTypeName()}, {"field", name}});
  abort();
}

}  // namespace

MessageField::MessageField(google::protobuf::Message* message, const char* name)
    : message(message), source(*message), reflection(*message->GetReflection()), field(FindField(*message, name)) {}

MessageField::MessageField(const google::protobuf::Message& message, const char* name)
    : message(nullptr), source(message), reflection(*message.GetReflection()), field(FindField(message, name)) {}

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
  value.family = CurrentFamilyName(schedule.family());
  for (const auto& [name, param] : schedule.params()) value.params[name] = param;
  RETURN_IF_ERROR(WithContext(value.Validate(), "the schedule"));
  *out = std::move(value);
  return absl::OkStatus();
}

}  // namespace mmtune
