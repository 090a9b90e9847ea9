// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "proto/wire/convert.h"

#include <cstddef>
#include <cstdlib>
#include <utility>
#include <vector>

#include "google/protobuf/message.h"
#include "google/protobuf/reflection.h"
#include "proto/base/log.h"
#include "proto/base/plain_text.h"
#include "proto/base/status.h"
#include "proto/types/conditions.h"
#include "proto/types/fields.h"

namespace mmtune {
namespace {

/// The fields of a message in the order in which T::Fields names them; null for a Constant.
using MessageFields = std::vector<const google::protobuf::FieldDescriptor*>;

/// Finds a field by its name. Ends the program where the message has no such field, which is a mistake in a schema.
const google::protobuf::FieldDescriptor* FindField(const google::protobuf::Message& message, const char* name) {
  const google::protobuf::FieldDescriptor* field = message.GetDescriptor()->FindFieldByName(name);
  if (field != nullptr) return field;
  LogError("a message lacks a field", {{"message", message.GetTypeName()}, {"field", name}});
  abort();
}

/// Finds the fields by their names.
struct FieldFinder {
  const google::protobuf::Message& message;
  MessageFields& fields;

  void operator()(const char*, const Constant&) const { fields.push_back(nullptr); }
  template <typename T, typename... Default>
  void operator()(const char* name, const T&, const Default&...) const {
    fields.push_back(FindField(message, name));
  }
};

/// Returns the fields of the message type of T.
template <HasFields T>
const MessageFields& FieldsOf(const google::protobuf::Message& message) {
  // Once: looking for a name takes longer than what is done with the field.
  static const MessageFields* const found = [&] {
    auto* fields = new MessageFields;
    const T value{};
    T::Fields(value, FieldFinder{message, *fields});
    return fields;
  }();
  return *found;
}

/// One field of a message.
struct MessageField {
  MessageField(google::protobuf::Message* message, const google::protobuf::FieldDescriptor* field)
      : message(message), source(*message), reflection(*message->GetReflection()), field(field) {}
  MessageField(const google::protobuf::Message& message, const google::protobuf::FieldDescriptor* field)
      : message(nullptr), source(message), reflection(*message.GetReflection()), field(field) {}

  /// True if the field was set, or cannot tell.
  bool Has() const { return !field->has_presence() || reflection.HasField(source, field); }

  void Set(bool value) { reflection.SetBool(message, field, value); }
  void Set(int64_t value) { reflection.SetInt64(message, field, value); }
  void Set(double value) { reflection.SetDouble(message, field, value); }
  void Set(const std::string& value) { reflection.SetString(message, field, Utf8(value)); }
  void Add(const std::vector<double>& values) {
    const auto field_values = reflection.GetMutableRepeatedFieldRef<double>(message, field);
    for (double value : values) field_values.Add(value);
  }
  void Add(const std::string& value) { reflection.AddString(message, field, Utf8(value)); }
  google::protobuf::Message* Mutable() { return reflection.MutableMessage(message, field); }
  google::protobuf::Message* AddMessage() { return reflection.AddMessage(message, field); }

  void Get(bool* out) const { *out = reflection.GetBool(source, field); }
  void Get(int64_t* out) const { *out = reflection.GetInt64(source, field); }
  void Get(double* out) const { *out = reflection.GetDouble(source, field); }
  void Get(std::string* out) const {
    std::string scratch;
    *out = reflection.GetStringReference(source, field, &scratch);
  }
  void Get(std::vector<double>* out) const {
    const auto values = reflection.GetRepeatedFieldRef<double>(source, field);
    out->assign(values.begin(), values.end());
  }
  const google::protobuf::Message& Message() const { return reflection.GetMessage(source, field); }
  int Size() const { return reflection.FieldSize(source, field); }
  void Get(int i, std::string* out) const { *out = reflection.GetRepeatedString(source, field, i); }
  const google::protobuf::Message& Message(int i) const { return reflection.GetRepeatedMessage(source, field, i); }

  google::protobuf::Message* message;  ///< Null when read from.
  const google::protobuf::Message& source;
  const google::protobuf::Reflection& reflection;
  const google::protobuf::FieldDescriptor* field;
};

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

class MessageWriter {
 public:
  template <HasFields T>
  static void Write(const T& value, google::protobuf::Message* message) {
    T::Fields(value, MessageWriter(message, FieldsOf<T>(*message)));
  }

  void operator()(const char*, const Constant&) { ++next_; }
  template <typename T>
  void operator()(const char*, const T& value) {
    MessageField field(message_, fields_[next_++]);
    if constexpr (kIsOptional<T>) {
      if (value) Write(field, *value);
    } else {
      Write(field, value);
    }
  }
  template <typename T>
  void operator()(const char* name, const T& value, const OmitIf<T>& left_out) {
    if (value == left_out.value) return void(++next_);
    (*this)(name, value);
  }

 private:
  MessageWriter(google::protobuf::Message* message, const MessageFields& fields) : message_(message), fields_(fields) {}

  template <typename T>
  static void Write(MessageField& field, const T& value) {
    if constexpr (HasTextForm<T>) {
      field.Set(std::string(TextForm<T>::Write(value)));
    } else if constexpr (std::is_same_v<T, Schedule>) {
      ToMessage(value, field.Mutable());
    } else if constexpr (HasFields<T>) {
      Write(value, field.Mutable());
    } else if constexpr (std::is_same_v<T, std::vector<double>>) {
      field.Add(value);
    } else if constexpr (kIsVector<T>) {
      for (const auto& element : value) {
        if constexpr (HasFields<typename T::value_type>) {
          Write(element, field.AddMessage());
        } else {
          field.Add(element);
        }
      }
    } else {
      field.Set(value);
    }
  }

  google::protobuf::Message* message_;
  const MessageFields& fields_;
  size_t next_ = 0;
};

/// The value is validated, too, where its type has Validate().
template <HasFields T>
absl::Status FromMessage(const google::protobuf::Message& message, T* out);

class MessageReader {
 public:
  /// `fields` are FieldsOf the value that is read.
  MessageReader(const google::protobuf::Message& message, const MessageFields& fields, absl::Status* status)
      : message_(message), fields_(fields), status_(*status) {}

  void operator()(const char*, const Constant&) { ++next_; }
  template <typename T>
  void operator()(const char*, T& out) {
    const MessageField field(message_, fields_[next_++]);
    if (!status_.ok()) return;
    if constexpr (kIsOptional<T>) {
      if (field.Has()) Read(field, &out.emplace());
    } else if (field.Has() || IsPart<T>()) {
      Read(field, &out);
    }
  }
  template <typename T>
  void operator()(const char*, T& out, const OmitIf<T>& left_out) {
    const MessageField field(message_, fields_[next_++]);
    if (!status_.ok()) return;
    out = left_out.value;
    if (field.Has()) Read(field, &out);
  }

 private:
  /// A message that must be there: where it is not set it is read, and validated, as an empty message. Not so a sample
  /// of health, whose figures keep their default, unknown.
  template <typename T>
  static constexpr bool IsPart() {
    return (HasFields<T> || std::is_same_v<T, Schedule>) && !std::is_same_v<T, HealthSample>;
  }
  template <typename T>
  void Read(const MessageField& field, T* out) {
    if constexpr (HasTextForm<T>) {
      std::string text;
      field.Get(&text);
      absl::StatusOr<T> value = TextForm<T>::Read(text);
      value.ok() ? void(*out = *std::move(value)) : status_.Update(value.status());
    } else if constexpr (std::is_same_v<T, Schedule> || HasFields<T>) {
      status_.Update(FromMessage(field.Message(), out));
    } else if constexpr (kIsVector<T> && !std::is_same_v<T, std::vector<double>>) {
      out->clear();
      for (int i = 0; i < field.Size() && status_.ok(); ++i) {
        if constexpr (HasFields<typename T::value_type>) {
          status_.Update(FromMessage(field.Message(i), &out->emplace_back()));
        } else {
          field.Get(i, &out->emplace_back());
        }
      }
    } else {
      field.Get(out);
    }
  }

  const google::protobuf::Message& message_;
  const MessageFields& fields_;
  size_t next_ = 0;
  absl::Status& status_;
};

template <HasFields T>
absl::Status FromMessage(const google::protobuf::Message& message, T* out) {
  absl::Status status;
  T::Fields(*out, MessageReader(message, FieldsOf<T>(message), &status));
  if constexpr (requires { out->Validate(); }) status.Update(out->Validate());
  return status;
}

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
