// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Value types from JSON objects, field by field. Types are checked here, values by their own Validate().
#pragma once

#include <string_view>

#include "absl/status/statusor.h"
#include "proto/base/status.h"
#include "proto/json/object_reader.h"
#include "proto/json/strict_parse.h"
#include "proto/types/fields.h"
#include "proto/types/schedule.h"

namespace mmtune {

/// A field that holds a schedule: its grammar is ParseSchedule's.
void ReadSchedule(ObjectReader& reader, const char* key, Schedule* out);

/// Reads what T::Fields names; the reader is not finished, so that more fields can stand beside them.
template <HasFields T>
void ReadFields(ObjectReader& reader, T* out);

/// The whole object. Errors go to the reader.
template <HasFields T>
void FromJson(ObjectReader reader, T* out) {
  ReadFields(reader, out);
  reader.Finish();
}

/// A value from a text of unknown origin, which is nothing but its object. InvalidArgument also as ParseStrictJson.
template <HasFields T>
absl::StatusOr<T> ValueFromJson(std::string_view text, int max_depth) {
  ASSIGN_OR_RETURN(const JsonTree json, ParseStrictJson(text, max_depth));
  absl::Status status;
  T value;
  FromJson(ObjectReader(json, "", &status), &value);
  RETURN_IF_ERROR(status);
  return value;
}

class FieldReader {
 public:
  explicit FieldReader(ObjectReader* reader) : reader_(*reader) {}

  void operator()(const char* key, const Constant& constant) {
    std::string text;
    reader_.Read(key, &text);
    if (text != constant.text) reader_.Fail(key, std::string("is not \"") + constant.text + "\"");
  }
  template <typename T>
  void operator()(const char* key, T& out) {
    if constexpr (kIsOptional<T>) {
      if (reader_.Has(key)) Read(key, &out.emplace());
    } else {
      Read(key, &out);
    }
  }
  template <typename T>
  void operator()(const char* key, T& out, const Unless<T>& left_out) {
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

}  // namespace mmtune
