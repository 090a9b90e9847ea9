// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Value types into messages and back, field by field: each field of T::Fields has a field of its name in the message.
// A message without one is a mistake of the program, and ends it; the tests convert every type.
#pragma once

#include "absl/status/statusor.h"
#include "google/protobuf/message.h"
#include "proto/base/plain_text.h"
#include "proto/base/status.h"
#include "proto/types/conditions.h"
#include "proto/types/fields.h"
#include "proto/types/schedule.h"

namespace mmtune {

/// One field of a message.
struct MessageField {
  MessageField(google::protobuf::Message* message, const char* name);
  MessageField(const google::protobuf::Message& message, const char* name);

  /// Whether the field was set, where it can tell; else true.
  bool Has() const;

  void Set(bool value) { reflection.SetBool(message, field, value); }
  void Set(int64_t value) { reflection.SetInt64(message, field, value); }
  void Set(double value) { reflection.SetDouble(message, field, value); }
  void Set(const std::string& value) { reflection.SetString(message, field, Utf8(value)); }
  void Add(double value) { reflection.AddDouble(message, field, value); }
  void Add(const std::string& value) { reflection.AddString(message, field, Utf8(value)); }
  google::protobuf::Message* Mutable() { return reflection.MutableMessage(message, field); }
  google::protobuf::Message* AddMessage() { return reflection.AddMessage(message, field); }

  void Get(bool* out) const { *out = reflection.GetBool(source, field); }
  void Get(int64_t* out) const { *out = reflection.GetInt64(source, field); }
  void Get(double* out) const { *out = reflection.GetDouble(source, field); }
  void Get(std::string* out) const { *out = reflection.GetString(source, field); }
  const google::protobuf::Message& Message() const { return reflection.GetMessage(source, field); }
  int Size() const { return reflection.FieldSize(source, field); }
  void Get(int i, double* out) const { *out = reflection.GetRepeatedDouble(source, field, i); }
  void Get(int i, std::string* out) const { *out = reflection.GetRepeatedString(source, field, i); }
  const google::protobuf::Message& Message(int i) const { return reflection.GetRepeatedMessage(source, field, i); }

  google::protobuf::Message* message;  ///< Null when read from.
  const google::protobuf::Message& source;
  const google::protobuf::Reflection& reflection;
  const google::protobuf::FieldDescriptor* field;
};

void ToMessage(const Schedule& value, google::protobuf::Message* message);
absl::Status FromMessage(const google::protobuf::Message& message, Schedule* out);

class MessageWriter {
 public:
  explicit MessageWriter(google::protobuf::Message* message) : message_(message) {}

  void operator()(const char*, const Constant&) {}
  template <typename T>
  void operator()(const char* name, const T& value) {
    MessageField field(message_, name);
    if constexpr (kIsOptional<T>) {
      if (value) Write(field, *value);
    } else {
      Write(field, value);
    }
  }
  template <typename T>
  void operator()(const char* name, const T& value, const Unless<T>& left_out) {
    if (!(value == left_out.value)) (*this)(name, value);
  }

 private:
  template <typename T>
  static void Write(MessageField& field, const T& value) {
    if constexpr (HasTextForm<T>) {
      field.Set(std::string(TextForm<T>::Write(value)));
    } else if constexpr (std::is_same_v<T, Schedule>) {
      ToMessage(value, field.Mutable());
    } else if constexpr (HasFields<T>) {
      T::Fields(value, MessageWriter(field.Mutable()));
    } else if constexpr (kIsVector<T>) {
      for (const auto& element : value) {
        if constexpr (HasFields<typename T::value_type>) {
          T::value_type::Fields(element, MessageWriter(field.AddMessage()));
        } else {
          field.Add(element);
        }
      }
    } else {
      field.Set(value);
    }
  }

  google::protobuf::Message* message_;
};

/// The value is validated, too, where its type has Validate().
template <HasFields T>
absl::Status FromMessage(const google::protobuf::Message& message, T* out);

class MessageReader {
 public:
  MessageReader(const google::protobuf::Message& message, absl::Status* status) : message_(message), status_(*status) {}

  void operator()(const char*, const Constant&) {}
  template <typename T>
  void operator()(const char* name, T& out) {
    if (!status_.ok()) return;
    const MessageField field(message_, name);
    if constexpr (kIsOptional<T>) {
      if (field.Has()) Read(field, &out.emplace());
    } else if (field.Has() || IsPart<T>()) {
      Read(field, &out);
    }
  }
  template <typename T>
  void operator()(const char* name, T& out, const Unless<T>& left_out) {
    if (!status_.ok()) return;
    out = left_out.value;
    const MessageField field(message_, name);
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
    } else if constexpr (kIsVector<T>) {
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
  absl::Status& status_;
};

template <HasFields T>
absl::Status FromMessage(const google::protobuf::Message& message, T* out) {
  absl::Status status;
  T::Fields(*out, MessageReader(message, &status));
  if constexpr (requires { out->UpdateNames(); }) out->UpdateNames();
  if constexpr (requires { out->Validate(); }) status.Update(out->Validate());
  return status;
}

}  // namespace mmtune
