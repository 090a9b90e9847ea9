// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "proto/json/json_tree.h"

namespace mmtune {

std::optional<int64_t> JsonValue::Int() const {
  // An unsigned one is above what an int64_t holds when its bits read as a negative.
  if (type() != Type::kInteger && (type() != Type::kUnsigned || bits() < 0)) return std::nullopt;
  return bits();
}

std::optional<double> JsonValue::Real() const {
  switch (type()) {
    case Type::kInteger:
      return static_cast<double>(bits());
    case Type::kUnsigned:
      return static_cast<double>(std::bit_cast<uint64_t>(bits()));
    case Type::kFloat:
      return std::bit_cast<double>(bits());
    default:
      return std::nullopt;
  }
}

size_t JsonValue::size() const {
  size_t size = 0;
  for (Iterator at = begin(); at != end(); ++at) ++size;
  return size;
}

std::optional<JsonValue> JsonValue::Find(std::string_view name) const {
  for (JsonValue member : *this) {
    if (member.name() == name) return member;
  }
  return std::nullopt;
}

nlohmann::json JsonValue::Copy() const {
  switch (type()) {
    case Type::kNull:
      return nullptr;
    case Type::kBoolean:
      return Bool();
    case Type::kInteger:
      return bits();
    case Type::kUnsigned:
      return std::bit_cast<uint64_t>(bits());
    case Type::kFloat:
      return std::bit_cast<double>(bits());
    case Type::kString:
      return Text();
    case Type::kArray: {
      nlohmann::json array = nlohmann::json::array();
      for (JsonValue element : *this) array.push_back(element.Copy());
      return array;
    }
    case Type::kObject: {
      nlohmann::json object = nlohmann::json::object();
      for (JsonValue member : *this) object[std::string(member.name())] = member.Copy();
      return object;
    }
  }
  return nullptr;
}

}  // namespace mmtune
