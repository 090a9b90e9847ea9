// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes value types (structs with a Fields() function, see fields.h) as JSON. ToJson() builds an nlohmann::json tree;
// JsonText() appends text directly, which is several times as fast. Both give the same text: sorted keys, no spaces.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "nlohmann/json.hpp"
#include "proto/types/fields.h"
#include "proto/types/schedule.h"

namespace mmtune {

/// Converts a double so that reading it back gives the same bits. NaN and infinities become the strings "nan", "inf"
/// and "-inf", because JSON has no such numbers.
nlohmann::json DoubleToJson(double value);
/// Returns {"family":…,"params":{…}}.
nlohmann::json ToJson(const Schedule& value);
/// Returns the text of a JSON value with sorted keys and no spaces. Invalid UTF-8 is replaced.
std::string Dump(const nlohmann::json& value);

/// Returns the JSON object of a value type.
template <HasFields T>
nlohmann::json ToJson(const T& value);

/// The visitor of T::Fields that adds each field to a JSON object.
class JsonWriter {
 public:
  explicit JsonWriter(nlohmann::json* object) : object_(object->get_ref<nlohmann::json::object_t&>()) {}

  void operator()(const char* name, const Constant& constant) { object_.try_emplace(name, constant.text); }
  template <typename T>
  void operator()(const char* name, const T& value) {
    if constexpr (kIsOptional<T>) {
      if (value) object_.try_emplace(name, Value(*value));
    } else {
      object_.try_emplace(name, Value(value));
    }
  }
  template <typename T>
  void operator()(const char* name, const T& value, const OmitIf<T>& left_out) {
    if (!(value == left_out.value)) object_.try_emplace(name, Value(value));
  }

 private:
  template <typename T>
  static nlohmann::json Value(const T& value) {
    if constexpr (HasTextForm<T>) {
      return std::string(TextForm<T>::Write(value));
    } else if constexpr (std::is_same_v<T, double>) {
      return DoubleToJson(value);
    } else if constexpr (kIsVector<T>) {
      nlohmann::json array = nlohmann::json::array();
      array.get_ref<nlohmann::json::array_t&>().reserve(value.size());
      for (const auto& element : value) array.push_back(Value(element));
      return array;
    } else if constexpr (HasFields<T> || std::is_same_v<T, Schedule>) {
      return ToJson(value);
    } else {
      return value;
    }
  }

  nlohmann::json::object_t& object_;
};

template <HasFields T>
nlohmann::json ToJson(const T& value) {
  nlohmann::json object = nlohmann::json::object();
  T::Fields(value, JsonWriter(&object));
  return object;
}

/// Returns the same text as Dump(ToJson(value)), several times as fast.
template <HasFields T>
std::string JsonText(const T& value);

/// Append one value to `text`, formatted like Dump().
void AppendJson(std::string& text, bool value);
void AppendJson(std::string& text, int64_t value);
void AppendJson(std::string& text, double value);
void AppendJson(std::string& text, std::string_view value);
void AppendJson(std::string& text, const Schedule& value);

/// The visitor of T::Fields that appends each field as text. Finish() sorts the fields by name and closes the object.
class JsonTextWriter {
 public:
  explicit JsonTextWriter(std::string* text) : text_(*text) { text_ += '{'; }

  void operator()(const char* name, const Constant& constant) { Add(name, std::string_view(constant.text)); }
  template <typename T>
  void operator()(const char* name, const T& value) {
    if constexpr (kIsOptional<T>) {
      if (value) Add(name, *value);
    } else {
      Add(name, value);
    }
  }
  template <typename T>
  void operator()(const char* name, const T& value, const OmitIf<T>& left_out) {
    if (!(value == left_out.value)) Add(name, value);
  }
  /// Sorts the fields and closes the object. Must be called once, after the last field.
  void Finish();

  /// Appends a whole value.
  template <HasFields T>
  static void Append(std::string& text, const T& value) {
    JsonTextWriter writer(&text);
    T::Fields(value, writer);
    writer.Finish();
  }

 private:
  /// The range of the text that holds one field: its name, its value and the comma after it.
  struct Part {
    std::string_view name;
    size_t begin, end;
  };

  template <typename T>
  void Add(std::string_view name, const T& value) {
    const size_t begin = text_.size();
    text_ += '"';
    text_ += name;
    text_ += "\":";
    Write(value);
    text_ += ',';
    parts_.push_back({name, begin, text_.size()});
  }
  template <typename T>
  void Write(const T& value) {
    if constexpr (HasTextForm<T>) {
      AppendJson(text_, std::string_view(TextForm<T>::Write(value)));
    } else if constexpr (kIsVector<T>) {
      text_ += '[';
      for (size_t i = 0; i < value.size(); ++i) {
        if (i > 0) text_ += ',';
        Write(value[i]);
      }
      text_ += ']';
    } else if constexpr (HasFields<T>) {
      Append(text_, value);
    } else {
      AppendJson(text_, value);
    }
  }

  std::string& text_;
  std::vector<Part> parts_;
};

template <HasFields T>
std::string JsonText(const T& value) {
  std::string text;
  JsonTextWriter::Append(text, value);
  return text;
}

}  // namespace mmtune
