// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "proto/json/json_reader.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "proto/base/json_tree.h"
#include "proto/base/status.h"
#include "proto/types/schedule.h"

namespace mmtune {
namespace {

constexpr int kColumnDepth = 8;

JsonValue EmptyObject() {
  static const JsonTree* const empty = new JsonTree(*ParseStrictJson("{}", 1));
  return *empty;
}

std::optional<double> AsDouble(JsonValue value) {
  if (!value.is_string()) return value.Real();
  const std::string_view text = value.Text();
  if (text == "nan") return std::numeric_limits<double>::quiet_NaN();
  if (text == "inf") return std::numeric_limits<double>::infinity();
  if (text == "-inf") return -std::numeric_limits<double>::infinity();
  return std::nullopt;
}

std::optional<int64_t> AsInt(JsonValue value) { return value.Int(); }

std::optional<bool> AsBool(JsonValue value) { return value.is_boolean() ? std::optional(value.Bool()) : std::nullopt; }

std::optional<std::string> AsText(JsonValue value) {
  return value.is_string() ? std::optional(std::string(value.Text())) : std::nullopt;
}

template <typename T, std::optional<T> (*as)(JsonValue)>
std::optional<std::vector<T>> AsVector(JsonValue array) {
  if (!array.is_array()) return std::nullopt;
  std::vector<T> elements;
  elements.reserve(array.size());
  for (JsonValue element : array) {
    std::optional<T> value = as(element);
    if (!value) return std::nullopt;
    elements.push_back(*std::move(value));
  }
  return elements;
}

/// Reads a field by `as`; where that is nullopt, the error says that the field `what`.
template <typename T>
void ReadAs(ObjectReader& reader, const char* key, std::optional<T> (*as)(JsonValue), const char* what, T* out) {
  const std::optional<JsonValue> field = reader.Find(key);
  if (!field) return;
  std::optional<T> value = as(*field);
  if (!value) return reader.Fail(key, what);
  *out = *std::move(value);
}

}  // namespace

ObjectReader::ObjectReader(JsonValue value, std::string where, absl::Status* status)
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

std::optional<JsonValue> ObjectReader::Find(const char* key) {
  Ignore(key);
  std::optional<JsonValue> field = value_.Find(key);
  if (!field) Fail(key, "is missing");
  return field;
}

void ObjectReader::Read(const char* key, int64_t* out) { ReadAs(*this, key, AsInt, "is not a 64-bit integer", out); }
void ObjectReader::Read(const char* key, double* out) { ReadAs(*this, key, AsDouble, "is not a number", out); }
void ObjectReader::Read(const char* key, bool* out) { ReadAs(*this, key, AsBool, "is neither true nor false", out); }
void ObjectReader::Read(const char* key, std::string* out) { ReadAs(*this, key, AsText, "is not a string", out); }
void ObjectReader::Read(const char* key, std::vector<double>* out) {
  ReadAs(*this, key, AsVector<double, AsDouble>, "is not an array of numbers", out);
}
void ObjectReader::Read(const char* key, std::vector<std::string>* out) {
  ReadAs(*this, key, AsVector<std::string, AsText>, "is not an array of strings", out);
}

ObjectReader ObjectReader::Child(const char* key) {
  const std::optional<JsonValue> field = Find(key);
  return ObjectReader(!field ? EmptyObject() : *field, absl::StrCat(where_, where_.empty() ? "" : ".", key), status_);
}

std::vector<ObjectReader> ObjectReader::Children(const char* key) {
  const std::optional<JsonValue> field = Find(key);
  std::vector<ObjectReader> children;
  if (!field) return children;
  if (!field->is_array()) {
    Fail(key, "is not an array of objects");
    return children;
  }
  for (JsonValue element : *field) {
    children.emplace_back(element, absl::StrCat(where_, where_.empty() ? "" : ".", key, "[", children.size(), "]"),
                          status_);
  }
  return children;
}

void ObjectReader::Ignore(const char* key) { seen_.emplace_back(key); }

void ObjectReader::Finish() {
  for (JsonValue field : value_) {
    if (std::find(seen_.begin(), seen_.end(), field.name()) == seen_.end())
      return Fail(field.name().substr(0, 64), "is not a field of this version");
  }
}

void ReadSchedule(ObjectReader& reader, const char* key, Schedule* out) {
  const std::optional<JsonValue> json = reader.Find(key);
  if (!json) return;
  absl::StatusOr<Schedule> schedule = ScheduleFromJson(*json);
  if (!schedule.ok()) return reader.Fail(key, ToStd(schedule.status().message()));
  *out = *std::move(schedule);
}

template <typename T>
absl::StatusOr<T> ParseColumn(std::string_view text) {
  T value;
  absl::Status status;
  absl::StatusOr<JsonTree> json = ParseStrictJson(text, kColumnDepth);
  if (!json.ok()) return FailedPrecondition(absl::StrCat("the log is corrupt: ", json.status().message()));
  FromJson(ObjectReader(*json, "", &status), &value);
  if (!status.ok()) return FailedPrecondition(absl::StrCat("the log is corrupt: ", status.message()));
  return value;
}

template absl::StatusOr<MatmulProblem> ParseColumn<MatmulProblem>(std::string_view text);
template absl::StatusOr<DeviceInfo> ParseColumn<DeviceInfo>(std::string_view text);
template absl::StatusOr<Toolchain> ParseColumn<Toolchain>(std::string_view text);
template absl::StatusOr<CheckReport> ParseColumn<CheckReport>(std::string_view text);
template absl::StatusOr<VerificationReport> ParseColumn<VerificationReport>(std::string_view text);
template absl::StatusOr<Conditions> ParseColumn<Conditions>(std::string_view text);
template absl::StatusOr<PhaseTimes> ParseColumn<PhaseTimes>(std::string_view text);

}  // namespace mmtune
