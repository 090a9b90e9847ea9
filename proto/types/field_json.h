// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Value types as JSON objects, field by field.
#pragma once

#include <string>

#include "nlohmann/json.hpp"
#include "proto/types/fields.h"
#include "proto/types/schedule.h"

namespace mmtune {

/// A double as JSON that ObjectReader reads back exactly: what JSON has no number for is "nan", "inf" or "-inf".
nlohmann::json DoubleToJson(double value);
/// {"family":…,"params":{…}}.
nlohmann::json ToJson(const Schedule& value);
/// Sorted keys, no spaces, invalid UTF-8 replaced.
std::string Dump(const nlohmann::json& value);

template <HasFields T>
nlohmann::json ToJson(const T& value);

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
  void operator()(const char* name, const T& value, const Unless<T>& left_out) {
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

}  // namespace mmtune
