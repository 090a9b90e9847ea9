// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads value types (structs with a Fields() function, proto/types/fields.h) from JSON, strictly: every field must have
// the right type, and no other field may be there. A field may be missing only if it is a std::optional, or if Fields()
// gives it a default by OmitIf. Ranges of values are checked later, by each type's own Validate().
//
//   ASSIGN_OR_RETURN(const MatmulProblem problem, ValueFromJson<MatmulProblem>(text, kMaxDepth));
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "proto/base/json_tree.h"
#include "proto/base/status.h"
#include "proto/types/field_json.h"
#include "proto/types/fields.h"
#include "proto/types/measurement.h"
#include "proto/types/schedule.h"

namespace mmtune {

/// Reads the fields of one JSON object. After the first error, all later reads do nothing; the reader of an object and
/// those of its children share one status. Does not own the JSON or the names of fields. Not thread-safe.
class ObjectReader {
 public:
  /// `where` is the path of the object in errors, such as "timing" in "timing.median_ns is not a number". The first
  /// error is stored in `status`.
  ObjectReader(JsonValue value, std::string where, absl::Status* status);

  /// Each reads a field of the type of `out`.
  void Read(const char* key, int64_t* out);
  /// Also accepts the strings "nan", "inf" and "-inf", because JSON has no such numbers.
  void Read(const char* key, double* out);
  void Read(const char* key, bool* out);
  void Read(const char* key, std::string* out);
  void Read(const char* key, std::vector<double>* out);
  void Read(const char* key, std::vector<std::string>* out);
  /// Reads a string field and converts it with `parse`.
  template <typename T>
  void ReadName(const char* key, absl::StatusOr<T> (*parse)(std::string_view), T* out) {
    std::string name;
    Read(key, &name);
    if (!status_->ok()) return;
    absl::StatusOr<T> value = parse(name);
    value.ok() ? void(*out = *value) : Fail(key, std::string(value.status().message()));
  }
  /// True if the object has the field. Finish() still refuses the field unless it is read, too.
  bool Has(const char* key) const { return value_.Find(key).has_value(); }
  /// Returns a reader for a field that is an object.
  ObjectReader Child(const char* key);
  /// Returns a reader for each element of a field that is an array of objects.
  std::vector<ObjectReader> Children(const char* key);
  /// Returns the JSON of a field, or nullopt after an error.
  std::optional<JsonValue> Find(const char* key);
  /// Lets Finish() accept a field that is not read.
  void Ignore(const char* key);
  /// Must be called at the end: fails if the object has a field that was not read.
  void Finish();
  /// Stores the error "<where>.<key> <what>", unless there is an error already.
  void Fail(std::string_view key, std::string_view what);

 private:
  JsonValue value_;
  std::string where_;
  absl::Status* status_;
  std::vector<std::string_view> seen_;  ///< The fields that were read or ignored.
};

/// Reads a field that is a schedule.
void ReadSchedule(ObjectReader& reader, const char* key, Schedule* out);

/// Reads the fields of T, but does not call Finish(): more fields may be in the object.
template <HasFields T>
void ReadFields(ObjectReader& reader, T* out);

/// Reads a whole object. Errors go to the reader's status.
template <HasFields T>
void FromJson(ObjectReader reader, T* out) {
  ReadFields(reader, out);
  reader.Finish();
}

/// Parses a text that is one JSON object, nested at most `max_depth` deep, and returns its value. Returns
/// InvalidArgument for wrong fields, and if ParseStrictJson() refuses the text.
template <HasFields T>
absl::StatusOr<T> ValueFromJson(std::string_view text, int max_depth) {
  ASSIGN_OR_RETURN(const JsonTree json, ParseStrictJson(text, max_depth));
  absl::Status status;
  T value;
  FromJson(ObjectReader(json, "", &status), &value);
  RETURN_IF_ERROR(status);
  return value;
}

/// The visitor of T::Fields that reads JSON. Errors go to the status of `reader`.
class FieldReader {
 public:
  explicit FieldReader(ObjectReader* reader) : reader_(*reader) {}

  /// Checks that the field has this text.
  void operator()(const char* key, const Constant& constant) {
    std::string text;
    reader_.Read(key, &text);
    if (text != constant.text) reader_.Fail(key, std::string("is not \"") + constant.text + "\"");
  }
  /// Reads a field. A std::optional stays empty if the field is missing.
  template <typename T>
  void operator()(const char* key, T& out) {
    if constexpr (kIsOptional<T>) {
      if (reader_.Has(key)) Read(key, &out.emplace());
    } else {
      Read(key, &out);
    }
  }
  /// Reads a field, or sets `out` to the default if the field is missing.
  template <typename T>
  void operator()(const char* key, T& out, const OmitIf<T>& left_out) {
    if (reader_.Has(key)) return Read(key, &out);
    out = left_out.value;
  }

 private:
  template <typename T>
  void Read(const char* key, T* out) {
    if constexpr (HasTextForm<T>) {
      reader_.ReadName(key, TextForm<T>::Read, out);
    } else if constexpr (std::is_same_v<T, Schedule>) {
      ReadSchedule(reader_, key, out);
    } else if constexpr (HasFields<T>) {
      FromJson(reader_.Child(key), out);
    } else {
      reader_.Read(key, out);
    }
  }
  template <HasFields T>
  void Read(const char* key, std::vector<T>* out) {
    for (const ObjectReader& element : reader_.Children(key)) FromJson(element, &out->emplace_back());
  }

  ObjectReader& reader_;
};

template <HasFields T>
void ReadFields(ObjectReader& reader, T* out) {
  T::Fields(*out, FieldReader(&reader));
}

/// Parses a JSON column of the tuning log. Returns FailedPrecondition if it is malformed, because then the log is
/// corrupt.
template <typename T>
absl::StatusOr<T> ParseColumn(std::string_view text);

}  // namespace mmtune
