#include "proto/json/object_reader.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "proto/base/status.h"

namespace mmtune {
namespace {

const nlohmann::json& EmptyObject() {
  static const nlohmann::json* const empty = new nlohmann::json(nlohmann::json::object());
  return *empty;
}

std::optional<double> AsDouble(const nlohmann::json& value) {
  if (value.is_number()) return value.get<double>();
  if (!value.is_string()) return std::nullopt;
  const std::string& text = value.get_ref<const std::string&>();
  if (text == "nan") return std::numeric_limits<double>::quiet_NaN();
  if (text == "inf") return std::numeric_limits<double>::infinity();
  if (text == "-inf") return -std::numeric_limits<double>::infinity();
  return std::nullopt;
}

}  // namespace

bool FitsInt64(const nlohmann::json& value) {
  if (!value.is_number_integer()) return false;
  return !value.is_number_unsigned() ||
         value.get<uint64_t>() <= static_cast<uint64_t>(std::numeric_limits<int64_t>::max());
}

ObjectReader::ObjectReader(const nlohmann::json& value, std::string where, absl::Status* status)
    : value_(value.is_object() ? value : EmptyObject()), where_(std::move(where)), status_(status) {
  seen_.reserve(16);
  if (!value.is_object() && status_->ok()) {
    *status_ = InvalidArgument(absl::StrCat(where_.empty() ? "the line" : where_, " is not a JSON object"));
  }
}

void ObjectReader::Fail(std::string_view key, std::string_view what) {
  if (!status_->ok()) return;
  *status_ = InvalidArgument(absl::StrCat(where_, where_.empty() ? "" : ".", ToAbsl(key), " ", ToAbsl(what)));
}

const nlohmann::json* ObjectReader::Find(const char* key) {
  Ignore(key);
  auto it = value_.find(key);
  if (it != value_.end()) return &*it;
  Fail(key, "is missing");
  return nullptr;
}

void ObjectReader::Read(const char* key, int64_t* out) {
  const nlohmann::json* field = Find(key);
  if (field == nullptr) return;
  if (!FitsInt64(*field)) return Fail(key, "is not a 64-bit integer");
  *out = field->get<int64_t>();
}

void ObjectReader::Read(const char* key, double* out) {
  const nlohmann::json* field = Find(key);
  if (field == nullptr) return;
  std::optional<double> value = AsDouble(*field);
  if (!value) return Fail(key, "is not a number");
  *out = *value;
}

void ObjectReader::Read(const char* key, bool* out) {
  const nlohmann::json* field = Find(key);
  if (field == nullptr) return;
  if (!field->is_boolean()) return Fail(key, "is neither true nor false");
  *out = field->get<bool>();
}

void ObjectReader::Read(const char* key, std::string* out) {
  const nlohmann::json* field = Find(key);
  if (field == nullptr) return;
  if (!field->is_string()) return Fail(key, "is not a string");
  *out = field->get<std::string>();
}

void ObjectReader::Read(const char* key, std::vector<double>* out) {
  const nlohmann::json* field = Find(key);
  if (field == nullptr) return;
  if (!field->is_array()) return Fail(key, "is not an array of numbers");
  out->clear();
  out->reserve(field->size());
  for (const nlohmann::json& element : *field) {
    std::optional<double> value = AsDouble(element);
    if (!value) return Fail(key, "is not an array of numbers");
    out->push_back(*value);
  }
}

void ObjectReader::Read(const char* key, std::vector<std::string>* out) {
  const nlohmann::json* field = Find(key);
  if (field == nullptr) return;
  if (!field->is_array()) return Fail(key, "is not an array of strings");
  out->clear();
  for (const nlohmann::json& element : *field) {
    if (!element.is_string()) return Fail(key, "is not an array of strings");
    out->push_back(element.get<std::string>());
  }
}

ObjectReader ObjectReader::Child(const char* key) {
  const nlohmann::json* field = Find(key);
  return ObjectReader(field == nullptr ? EmptyObject() : *field, absl::StrCat(where_, where_.empty() ? "" : ".", key),
                      status_);
}

std::vector<ObjectReader> ObjectReader::Children(const char* key) {
  const nlohmann::json* field = Find(key);
  std::vector<ObjectReader> children;
  if (field == nullptr) return children;
  if (!field->is_array()) {
    Fail(key, "is not an array of objects");
    return children;
  }
  for (size_t i = 0; i < field->size(); ++i) {
    children.emplace_back((*field)[i], absl::StrCat(where_, where_.empty() ? "" : ".", key, "[", i, "]"), status_);
  }
  return children;
}

void ObjectReader::Ignore(const char* key) { seen_.emplace_back(key); }

void ObjectReader::Finish() {
  for (const auto& [key, value] : value_.get_ref<const nlohmann::json::object_t&>()) {
    if (std::find(seen_.begin(), seen_.end(), key) == seen_.end())
      return Fail(key.substr(0, 64), "is not a field of this version");
  }
}

}  // namespace mmtune
