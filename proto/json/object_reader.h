// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Strict reading of a JSON object: every field named, typed and present, and none left over.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "proto/json/json_tree.h"

namespace mmtune {

/// Collects the first error of itself and of its children, which write to the same place. Does not own the JSON, nor
/// the names of fields, which are literals.
class ObjectReader {
 public:
  /// `where` prefixes field names in errors: "timing.median_ns". `status` is set by the first error only.
  ObjectReader(JsonValue value, std::string where, absl::Status* status);

  void Read(const char* key, int64_t* out);
  /// Also accepts "nan", "inf" and "-inf", which JSON has no numbers for.
  void Read(const char* key, double* out);
  void Read(const char* key, bool* out);
  void Read(const char* key, std::string* out);
  void Read(const char* key, std::vector<double>* out);
  void Read(const char* key, std::vector<std::string>* out);
  /// A string field that `parse` turns into a value.
  template <typename T>
  void ReadName(const char* key, absl::StatusOr<T> (*parse)(std::string_view), T* out) {
    std::string name;
    Read(key, &name);
    if (!status_->ok()) return;
    absl::StatusOr<T> value = parse(name);
    value.ok() ? void(*out = *value) : Fail(key, std::string(value.status().message()));
  }
  /// Whether the object has the field; asking does not count as reading it.
  bool Has(const char* key) const { return value_.Find(key).has_value(); }
  ObjectReader Child(const char* key);
  /// The elements of an array of objects.
  std::vector<ObjectReader> Children(const char* key);
  /// The field itself, or nullopt after an error.
  std::optional<JsonValue> Find(const char* key);
  /// Accepts a field that is not read.
  void Ignore(const char* key);
  /// Errors when a field was never asked for.
  void Finish();
  /// "where.key what" becomes the error, unless there is one.
  void Fail(std::string_view key, std::string_view what);

 private:
  JsonValue value_;
  std::string where_;
  absl::Status* status_;
  std::vector<std::string_view> seen_;  ///< Fields asked for; names outlive the reader, and are few.
};

}  // namespace mmtune
